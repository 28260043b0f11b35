"""How many iterations a second ISMCTS does on one core, in every game at several moments.

    python benchmarks/ismcts.py [--iterations N]

Prints a table and writes it to benchmarks/ismcts.md. Preparing a decision (what the seat knows, and the weights of 256
worlds) counts; times are CPU times.
"""

import argparse
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

import agents
from agents.search.ismcts import IsmctsPlayer
from blot_env import RULESETS, BatchEnv, Decisions, load_rules
from blot_env.state import AUCTION, PLAY

DECISIONS = 4  # a moment
TABLES = 200
WANTED = 150_000  # at the first lead of `bazar`, with random rollouts

SEARCHES: dict[str, dict[str, Any]] = {
    "UCB, random rollouts": {"prior": "none", "rollouts": "random"},
    "the same, unweighted": {"prior": "none", "rollouts": "random", "weights": "none"},
    "the same, many observers": {"prior": "none", "rollouts": "random", "weights": "none", "observers": "many"},
    "PUCT, rules' rollouts": {},
}
MOMENTS: dict[str, Callable[[Any], Any]] = {
    "auction": lambda public: public["phase"] == AUCTION,
    "first lead": lambda public: (public["phase"] == PLAY) & (public["trick_number"] + public["trick_size"] == 0),
    "fourth trick": lambda public: (public["phase"] == PLAY) & (public["trick_number"] == 3),
}


def decisions_at(preset: str, moment: Callable[[Any], Any]) -> Decisions:
    """Return some decisions with a choice at a moment of the rule-based player's own play."""
    env = BatchEnv(load_rules(preset), TABLES, seed=1)
    env.reset()
    rules = agents.make("rules", env.rules)
    while True:
        decisions = env.decisions()
        rows = np.flatnonzero(moment(decisions.views["public"]) & (decisions.masks.sum(1) > 1))
        if len(rows) >= DECISIONS:
            return decisions[rows[:DECISIONS]]
        env.step(rules.act(decisions))


def speed(decisions: Decisions, iterations: int, **options: Any) -> float:
    """Return iterations a second."""
    IsmctsPlayer(decisions.rules, 1, **options).search(decisions)  # compiles
    search = IsmctsPlayer(decisions.rules, iterations, **options)
    search.search(decisions[:1])  # touches the memory
    start = time.process_time()
    search.search(decisions)
    return iterations * len(decisions) / (time.process_time() - start)


def main() -> None:
    """Measure, print, and write ismcts.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=5_000, help="a decision")
    iterations = parser.parse_args().iterations
    text = [
        "# Speed of ISMCTS",
        "",
        f"`python benchmarks/ismcts.py`, {iterations:,} iterations a decision, by CPU time; one core of {_machine()}.",
        "",
        f"Thousands of iterations a second; wanted are {WANTED // 1000} at the first lead of `bazar`, random rollouts.",
        "",
        "| game | moment | " + " | ".join(SEARCHES) + " |",
        "|---|---" + "|---" * len(SEARCHES) + "|",
    ]
    print(*text, sep="\n")
    for preset in RULESETS:
        for name, moment in MOMENTS.items():
            decisions = decisions_at(preset, moment)
            speeds = [speed(decisions, iterations, **options) for options in SEARCHES.values()]
            row = f"| `{preset}` | {name} | " + " | ".join(f"{each / 1000:,.0f}" for each in speeds) + " |"
            print(row, flush=True)
            text.append(row)
    Path(__file__).with_suffix(".md").write_text("\n".join(text) + "\n", encoding="utf-8")


def _machine() -> str:
    cpu = next(
        (line.split(":")[1].strip() for line in _cpu_lines() if line.startswith("model name")), platform.machine()
    )
    return f"{cpu}, Python {platform.python_version()}, numba {numba.__version__}"


def _cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


if __name__ == "__main__":
    main()

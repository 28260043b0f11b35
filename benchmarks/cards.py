"""What agents' cards are worth in the deals as they are, trick by trick, against those of a policy.

    python benchmarks/cards.py bazar tier:hard tier:crazy pimc:worlds=20 rules
    python benchmarks/cards.py duel --positions 2000 tier:crazy

A policy plays deals with itself. At some of its decisions each agent is asked what it would play, and both cards are
solved with all cards seen, and paid as real play comes out around what the solver promises
(`train.distillation.labels`).
The differences vary much less than results of whole deals, so a few thousand positions tell players apart. From the
fourth trick on perfect play by everybody is a fair guide to what will happen; before that it is not, so the first two
tricks are left out. It prints a table and writes it to benchmarks/cards/PRESET.md.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

import agents
from agents.checkpoint import load_checkpoint
from agents.policy import NetworkAgent
from blot_env import BatchEnv, RuleSet, load_rules
from blot_env.state import PLAY
from train.distillation.labels import TrueDeal, pay_of
from train.tournament.estimates import Estimate, bootstrap

SHARES = (0.0, 0.0, 0.25, 0.5)
"""Of the decisions that are taken, by trick; the last holds for all further ones."""
TABLES = 128


def positions(
    rules: RuleSet, policy: agents.Agent, wanted: int, seed: int
) -> Iterator[tuple[BatchEnv, NDArray[np.int64]]]:
    """Yield tables at which a card is to be chosen, until there have been as many as wanted."""
    rng, env, first, seen = np.random.default_rng(seed), BatchEnv(rules, TABLES, seed=seed), 0, 0
    while seen < wanted:
        env.reset(np.arange(first, first + TABLES))
        over = np.zeros(TABLES, bool)
        while not over.all():
            public = env.states["public"]
            shares = np.array(SHARES)[np.minimum(public["trick_number"], len(SHARES) - 1)]
            rows = np.flatnonzero(~over & (public["phase"] == PLAY) & (rng.random(TABLES) < shares))
            if len(rows):
                seen += len(rows)
                yield env, rows
            over |= env.step(policy.act(env.decisions(seed=seed)))[-1]
        first += TABLES


def measure(
    rules: RuleSet, policy: agents.Agent, others: list[agents.Agent], wanted: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return by position its trick, by agent and position what its card brings more, by agent seconds a decision."""
    worth = TrueDeal(rules, 1, pay_of(rules, 0.0, "played"))
    tricks, gains, seconds, count = [], [], np.zeros(len(others)), 0
    for env, rows in positions(rules, policy, wanted, seed):
        values = worth(env.states[rows], np.zeros(len(rows), np.int64))[0]
        real = np.isfinite(values).any(1)  # otherwise all cards come to the same
        rows, values = rows[real], values[real]
        decisions, places = env.decisions(rows, seed), np.arange(len(rows))
        before = values[places, policy.act(decisions)]
        found = np.empty((len(others), len(rows)))
        for number, agent in enumerate(others):
            began = time.perf_counter()
            found[number] = values[places, agent.act(decisions)] - before
            seconds[number] += time.perf_counter() - began
        tricks.append(env.states["public"]["trick_number"][rows])
        gains.append(found)
        count += len(rows)
    return np.concatenate(tricks), np.concatenate(gains, 1), seconds / count


def table(
    specs: list[str], tricks: NDArray[np.int64], gains: NDArray[np.float64], seconds: NDArray[np.float64]
) -> Iterator[str]:
    """Yield the lines of the table."""
    numbers = sorted({*tricks.tolist()})
    yield "| agent | ms | all | " + " | ".join(f"trick {number + 1}" for number in numbers) + " |"
    yield "|---|" + "---:|" * (2 + len(numbers))
    for spec, gained, each in zip(specs, gains, seconds, strict=True):
        parts = [gained, *(gained[tricks == number] for number in numbers)]
        yield f"| `{spec}` | {1000 * each:.1f} | " + " | ".join(_cell(bootstrap(part)) for part in parts) + " |"
    yield (
        "| *positions* | | "
        + " | ".join(f"{(tricks == n).sum() if n >= 0 else len(tricks):,}" for n in [-1, *numbers])
        + " |"
    )


def _cell(found: Estimate) -> str:
    return f"{found.mean:+.2f}" if found.margin is None else f"{found.mean:+.2f} ± {found.margin:.2f}"


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset")
    parser.add_argument("agents", nargs="+", help="specs")
    parser.add_argument("--policy", help="a checkpoint; by default the one that ships")
    parser.add_argument("--positions", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rules = load_rules(options.preset)
    source = options.policy or f"checkpoints/{options.preset}"
    policy = NetworkAgent("policy", load_checkpoint(source, rules)[0])
    found = measure(
        rules, policy, [agents.make(spec, rules) for spec in options.agents], options.positions, options.seed
    )
    head = (
        f"# Cards in `{options.preset}`\n\n`python benchmarks/cards.py {options.preset} {' '.join(options.agents)}`:\n"
        f"match points a decision that an agent's card brings more than that of `policy:{source}`,\n"
        "in deals of the policy with itself, solved as they are and paid as play comes out around that.\n"
    )
    text = "\n".join([head, *table(options.agents, *found), ""])
    print(text)
    path = Path(__file__).parent / "cards" / f"{options.preset}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""How far the points that bidders really take are from those that the solver promises them.

    python benchmarks/optimism.py --deals 1000 rules
    python benchmarks/optimism.py --deals 100 pimc:worlds=5

The agent calls and plays for everybody. A row is a preset and a kind of strain: the mean of the bidders' card points in
play less those with all cards seen; the straight line of the first over the second, as its slope and its height where
half of the deal's points are promised, less that half; the standard deviation around it; and how often all tricks and
none, promised, came true. `agents/search/optimism.py` keeps what was found.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

import agents
from agents.search.solver import solve_states
from blot_env import BatchEnv, RuleSet, load_rules
from blot_env.cards import NT
from blot_env.state import ANNOUNCING, PLAY

PRESETS = ("bazar", "bazar-alltrump", "bela4", "bela3", "bela2", "duel")
"""One for each shape of game, and one with all trumps."""
KINDS = ("suit", "no trump", "all trump")
TABLES = 50


def played(rules: RuleSet, spec: str, deals: int, seed: int) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return states as the play began and the results of so many deals."""
    env, agent = BatchEnv(rules, min(TABLES, deals), seed=seed), agents.make(spec, rules)
    env.reset()
    before, begun = env.states.copy(), np.zeros(env.num_envs, bool)
    starts, results, count = [], [], 0
    while count < deals:
        public = env.states["public"]
        first = ~begun & np.isin(public["phase"], (ANNOUNCING, PLAY))
        before[first], begun = env.states[first], begun | first
        *_, done = env.step(agents.choose(agent, env.decisions(seed=seed), env.states))
        ended = done & begun
        starts.append(before[ended])
        results.append(env.results[ended])
        begun &= ~done
        count += int(ended.sum())
    return np.concatenate(starts)[:deals], np.concatenate(results)[:deals]


def report(preset: str, spec: str, deals: int, seed: int) -> list[str]:
    """Return the rows of a preset."""
    rules = load_rules(preset)
    starts, results = played(rules, spec, deals, seed)
    values = solve_states(rules, starts)
    namers = np.array([rules.side(int(seat)) for seat in results["bidder"]])
    deal = np.arange(len(starts))
    tricks, real = results["tricks"][deal, namers], results["card_points"][deal, namers]
    hands = starts["dealt"][:, :, None] >> np.arange(32) & 1
    whole = (rules.record.points[results["strain"]] * hands.sum(1)).sum(1) + rules.last_trick
    every, none = values > whole, values < 0
    promised = np.clip(values, 0, whole)
    rows = []
    for kind, name in enumerate(KINDS):
        own = np.clip(results["strain"] - NT + 1, 0, 2) == kind
        if own.sum() < 2:
            continue
        half, solved, taken = whole[own] / 2, promised[own], np.minimum(real, whole)[own]
        slope, shift = np.polyfit(solved - half, taken - half, 1)
        spread = (taken - half - shift - slope * (solved - half)).std()
        short = taken - solved
        cells = [
            preset, name, str(own.sum()), f"{short.mean():+.1f} ± {1.96 * short.std() / len(short) ** 0.5:.1f}",
            f"{slope:.2f}", f"{shift:+.1f}", f"{spread:.1f}",
            f"{(tricks == rules.hand_size)[own & every].sum()} of {(own & every).sum()}",
            f"{(tricks == 0)[own & none].sum()} of {(own & none).sum()}",
        ]  # fmt: skip
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spec")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--rules", nargs="*", default=PRESETS)
    arguments = parser.parse_args()
    print("| preset | strain | deals | real less solved | slope | at half | spread | all tricks | none |")
    print("|---|---|---|---|---|---|---|---|---|")
    for preset in arguments.rules:
        for row in report(preset, arguments.spec, arguments.deals, arguments.seed):
            print(row, flush=True)


if __name__ == "__main__":
    main()

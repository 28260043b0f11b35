"""How fast the double-dummy solver is on one core, in every game, and whether it and colver are right.

    python benchmarks/solver.py
    python benchmarks/solver.py --deals 500

It prints a table and writes it to benchmarks/solver.md: random deals, random bidders and leaders, by CPU time. With
`pip install colver`, a Rust engine of the same family, its figures stand beside ours, for the same deals of `bazar` in
a suit. Run it from a checkout: what is right is asked of the tests' minimax.
"""

import argparse
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from engine import machine
from numpy.typing import NDArray

from agents.search.solver import solve_cards_of, solve_states
from blot_env import RULESETS, RuleSet, load_rules
from blot_env.cards import AT, NT, cards_of
from tests.minimax import minimax, random_positions

Positions = NDArray[np.void]
HEADS = "| | tricks left | mean | median | p95 | most | all cards, by one value |"


def contracts(rules: RuleSet) -> dict[str, list[int]]:
    """Return the kinds of contract and their strains."""
    kinds = {"suit": [0, 1, 2, 3], "NT": [NT], "AT": [AT]}
    return {kind: strains for kind, strains in kinds.items() if strains[0] < len(rules.strains)}


def positions(rules: RuleSet, strains: list[int], tricks: int, n: int) -> Positions:
    """Return positions at the start of a trick, with so many left, evenly in some strains."""
    each = -(-n // len(strains))
    return np.concatenate(
        [random_positions(rules, strain, tricks, tricks, each, seed=1, plain=True) for strain in strains]
    )[:n]


def milliseconds(solver: Any, rules: RuleSet, states: Positions) -> NDArray[np.float64]:
    """Return the time that each position takes, on one core."""
    solver(rules, states[:1], 1)
    times = np.empty(len(states))
    for i in range(len(states)):
        start = time.process_time()
        solver(rules, states[i : i + 1], 1)
        times[i] = 1e3 * (time.process_time() - start)
    return times


def rows(deals: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield HEADS
    yield "|---" * (HEADS.count("|") - 1) + "|"
    for preset in RULESETS:
        rules = load_rules(preset)
        for kind, strains in contracts(rules).items():
            for tricks in (rules.hand_size, 6, 5, 4):
                n = deals if tricks > 6 else 4 * deals
                states = positions(rules, strains, tricks, n)
                one, every = (milliseconds(solver, rules, states) for solver in (solve_states, solve_cards_of))
                figures = [one.mean(), np.median(one), np.quantile(one, 0.95), one.max()]
                shown = " | ".join(f"{figure:.2f}" if figure >= 0.1 else f"{figure:.3f}" for figure in figures)
                yield f"| `{preset}` {kind} | {tricks} | {shown} | {every.mean() / one.mean():.2f} |"


# colver: suits and seats as ours, ranks 7 8 9 J Q K T A

_RANKS = [0, 1, 2, 6, 3, 4, 5, 7]


def foreign(card: int) -> int:
    """Return colver's number of a card."""
    return card & 24 | _RANKS[card & 7]


def foreign_game(colver: Any, state: np.void) -> Any:
    """Return the same position in colver."""
    public = state["public"]
    dealt = [[foreign(card) for card in cards_of(int(hand))] for hand in state["dealt"]]
    env = colver.Env.deal_with_hands(int(public["dealer"]), dealt)
    env.set_contract(trump=int(public["strain"]), value=80, team=int(public["bidder"]) % 2, coinche=0)
    env.set_phase_playing()
    for card in public["history"][: public["length"]]:
        env.step(foreign(int(card)))
    return env


def seats_0_and_2(state: np.void, value: int) -> int:
    """Return the points of seats 0 and 2, as colver gives them, from the bidders' in `bazar`."""
    if state["public"]["bidder"] % 2 == 0:
        return max(value, 0)
    return 252 if value < 0 else 0 if value == 252 else 162 - value


def comparison(deals: int) -> Iterator[str]:
    """Yield lines about colver, nothing if it is not installed."""
    try:
        import colver
    except ImportError:
        return
    rules = load_rules("bazar")
    states = positions(rules, [0, 1, 2, 3], 8, deals)
    own = [milliseconds(solver, rules, states) for solver in (solve_states, solve_cards_of)]
    four, every, same = np.empty(len(states)), np.empty(len(states)), 0
    values = solve_states(rules, states)
    for i, state in enumerate(states):
        env = foreign_game(colver, state)
        start = time.process_time()
        suits = env.solve_all_suits()["suits"]
        four[i] = 1e3 * (time.process_time() - start)
        env = foreign_game(colver, state)
        start = time.process_time()
        env.solve_scores()
        every[i] = 1e3 * (time.process_time() - start)
        same += suits[int(state["public"]["strain"])][0] == seats_0_and_2(state, int(values[i]))
    yield f"{len(states)} whole deals of `bazar` in a suit, milliseconds:"
    yield ""
    yield "| | mean | median | p95 | all cards, mean |"
    yield "|---|---|---|---|---|"
    theirs = f"colver {colver.__version__}, a quarter of all four suits"
    for name, one, cards in (("this solver", own[0], own[1]), (theirs, four / 4, every)):
        figures = [one.mean(), np.median(one), np.quantile(one, 0.95), cards.mean()]
        yield f"| {name} | {' | '.join(f'{figure:.2f}' for figure in figures)} |"
    yield ""
    yield f"The values are the same in {same} of them."


def checks(n: int) -> Iterator[str]:
    """Yield in how many positions of four tricks a solver differs from minimax in some card."""
    wrong = []
    for preset in RULESETS:
        rules = load_rules(preset)
        states = positions(rules, list(range(len(rules.strains))), 4, n)
        differs = (solve_cards_of(rules, states) != minimax(rules, states)[1]).any(axis=1)
        wrong.append(f"`{preset}` {differs.sum()}")
    yield f"Positions of four tricks, of {n} in each game, in which some card differs from minimax: {', '.join(wrong)}."
    try:
        import colver
    except ImportError:
        return
    rules = load_rules("bazar")
    states, theirs = positions(rules, [0, 1, 2, 3], 4, n), 0
    for state, values in zip(states, minimax(rules, states)[1], strict=True):
        scores = dict(foreign_game(colver, state).solve_scores()["scores"])
        right = {foreign(int(card)): seats_0_and_2(state, int(values[card])) for card in np.flatnonzero(values >= -1)}
        theirs += scores != right
    yield f"colver {colver.__version__}, `bazar` in a suit: {theirs}."


def main() -> None:
    """Measure, print, and write solver.md."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=50, help="whole deals of each kind of contract")
    deals = parser.parse_args().deals
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    lines = [
        "# Speed of the double-dummy solver",
        "",
        f"`python benchmarks/solver.py --deals {deals}`, milliseconds of CPU time; {machine()}.",
        "",
    ]
    print("\n".join(lines))
    parts = [rows(deals), iter([""]), comparison(min(deals, 200)), iter([""]), checks(4 * deals)]
    for part in parts:
        for line in part:
            lines.append(line)
            print(line, flush=True)
    Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

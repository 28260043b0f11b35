"""Who gets the written positions right, by theme; and what the solver thinks of them over many worlds.

    python benchmarks/positions.py [--seeds N] [--worlds N] [AGENT ...]

Positions are those of tests/data/positions.jsonl; run it from a checkout. An agent has a position right that it gets
right with every seed. Prints the tables and writes them to benchmarks/positions.md; all of it repeats exactly.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from agents.rule_based.stakes import WIN
from agents.rule_based.values import values_of
from agents.search.likelihood import CANDIDATES, TEMPERING, RulesLikelihood, weighted_worlds
from agents.search.weighing import Room, weigh_cards
from tests.written_positions import Position, load_positions, wrong_answers

AGENTS = ("rules", "tier:easy", "tier:normal", "tier:hard", "tier:crazy")
LESS = 0.02  # match points: of equal cards one may look better by rounding


def by_theme(specs: Sequence[str], positions: list[Position], seeds: Sequence[int]) -> Iterator[str]:
    """Yield a table of how many positions of each theme each agent gets right, and then what it gets wrong."""
    wrong = {spec: wrong_answers(spec, positions, seeds) for spec in specs}
    total = Counter(position.theme for position in positions)
    yield "| theme | positions | " + " | ".join(f"`{spec}`" for spec in specs) + " |"
    yield "|---|" + "---|" * (len(specs) + 1)
    missed = {spec: Counter(position.theme for position, _ in wrong[spec]) for spec in specs}
    for theme, count in sorted(total.items()):
        yield f"| {theme} | {count} | " + " | ".join(str(count - missed[spec][theme]) for spec in specs) + " |"
    for level in ("beginner", "solid"):
        count = sum(position.level == level for position in positions)
        right = [count - sum(position.level == level for position, _ in wrong[spec]) for spec in specs]
        yield f"| all of level {level} | {count} | " + " | ".join(map(str, right)) + " |"
    for spec in specs:
        yield ""
        yield f"`{spec}` gets wrong:" if wrong[spec] else f"`{spec}` gets all right."
        yield ""
        yield from (f"- {p.rules}, {p.name}: {action}. {p.why}" for p, action in wrong[spec])


def solved(position: Position, n: int) -> dict[str, float]:
    """Return the mean match points of each legal card over n worlds, weighed by how well they explain the play."""
    game = position.game()
    rules, view, room = game.rules, game.view(), Room(game.rules)
    win = WIN * values_of(rules).tenth
    worlds, weights = weighted_worlds(rules, view, n, 0, RulesLikelihood(), TEMPERING, CANDIDATES * n)
    outcomes = np.empty((len(worlds), 32))
    for world, row in zip(worlds, outcomes, strict=True):
        weigh_cards(rules.record, world, True, win, room.table, room.search, room.cards, row)
    cards = np.flatnonzero(np.isfinite(outcomes[0]))
    values = weights @ outcomes[:, cards]
    return {rules.actions.text(int(card)): float(value) for card, value in zip(cards, values, strict=True)}


def disagreements(positions: list[Position], n: int) -> Iterator[str]:
    """Yield the positions of the card play where a wrong card does better over n worlds than every right one."""
    for position in positions:
        if position.game().phase != "play":
            continue
        values = solved(position, n)
        best = max(values, key=lambda card: values[card])
        right = max((card for card in values if position.is_right(card)), key=lambda card: values[card])
        if values[right] < values[best] - LESS:
            yield f"- {position.rules}, {position.name}: {best} by {values[best] - values[right]:.2f} over {right}"


def main() -> None:
    """Ask the agents named, and the solver."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", default=AGENTS, metavar="AGENT")
    parser.add_argument("--seeds", type=int, default=5, help="of each decision")
    parser.add_argument("--worlds", type=int, default=200, help="that are solved for a card; 0: none")
    options = parser.parse_args()
    positions = load_positions()
    games = ", ".join(f"{count} {name}" for name, count in Counter(p.rules for p in positions).most_common())
    lines = [
        "# Positions that every player gets right",
        "",
        f"`python benchmarks/positions.py`: {len(positions)} positions ({games}), {options.seeds} seeds each.",
        "",
        *by_theme(options.agents, positions, range(options.seeds)),
    ]
    if options.worlds:
        lines += [
            "",
            f"The solver, over {options.worlds} worlds weighed by how well they explain the play, likes a wrong card "
            "better, by match points:",
            "",
            *disagreements(positions, options.worlds),
        ]
    text = "\n".join(lines) + "\n"
    print(text)
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

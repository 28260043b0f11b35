"""How fast worlds are studied and drawn, by game and moment, on one core.

    python benchmarks/worlds.py [--deals N]

Deals of the rule-based player with itself are stopped at some moments, and the seat to act imagines. It prints a table
and writes it to benchmarks/worlds.md.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import agents
from agents.search.worlds import KNOWLEDGE, imagine, study
from agents.search.worlds.compile import kernel
from blot_env import RULESETS, Game, RuleSet, load_rules
from blot_env.random import absorb
from blot_env.state import STATE

WORLDS = 2_000  # drawn at each position
STUDIES = 20
MOMENTS: dict[str, Callable[[Game], bool]] = {
    "auction": lambda game: game.phase == "auction",
    "first lead": lambda game: game.phase == "play" and at_trick(game, 0, 0),
    "last to the first trick": lambda game: game.phase == "play" and at_trick(game, 0, game.rules.players - 1),
    "third trick": lambda game: game.phase == "play" and at_trick(game, 2, 1),
    "sixth trick": lambda game: game.phase == "play" and at_trick(game, 5, 1),
}


def at_trick(game: Game, trick: int, cards: int) -> bool:
    """Return whether so many tricks, and cards of the next one, have been played."""
    public = game.state.public
    return int(public.trick_number) == trick and int(public.trick_size) == cards


def views_at(rules: RuleSet, deals: int) -> dict[str, NDArray[np.void]]:
    """Return by moment the views of the seats to act, shape (deals that come to it,)."""
    player = agents.make("rules", rules)
    found: dict[str, list[NDArray[np.void]]] = {moment: [] for moment in MOMENTS}
    for board in range(deals):
        game = Game(rules, seed=11, board=board)
        met = set()
        while game.phase != "over":
            for moment, is_now in MOMENTS.items():
                if moment not in met and is_now(game):
                    met.add(moment)
                    found[moment].append(game.view())
            game.take(player.act(game.decision(seed=1))[0])
    return {moment: np.concatenate(views) for moment, views in found.items() if views}


@kernel
def study_all(records: NDArray[np.void], views: NDArray[np.void], knowledge: NDArray[np.void], repeats: int) -> None:
    """Study each view so often."""
    for row in range(len(views)):
        for _ in range(repeats):
            study(records[0], views[row], knowledge[0])


@kernel
def imagine_all(
    records: NDArray[np.void], views: NDArray[np.void], knowledge: NDArray[np.void], n: int, worlds: NDArray[np.void]
) -> None:
    """Study each view once and draw so many worlds of it."""
    for row in range(len(views)):
        study(records[0], views[row], knowledge[0])
        for world in range(n):
            imagine(records[0], views[row], knowledge[0], absorb(row, world), worlds[world])


def measure(rules: RuleSet, views: NDArray[np.void]) -> tuple[float, float]:
    """Return the microseconds that a study takes, and how many worlds are drawn a second after it."""
    knowledge, worlds = np.zeros(1, KNOWLEDGE), np.zeros(WORLDS, STATE)
    imagine_all(rules.records, views[:1], knowledge, 1, worlds)
    study_all(rules.records, views[:1], knowledge, 1)
    start = time.process_time()
    study_all(rules.records, views, knowledge, STUDIES)
    studied = (time.process_time() - start) / STUDIES
    start = time.process_time()
    imagine_all(rules.records, views, knowledge, WORLDS, worlds)
    drawn = time.process_time() - start - studied
    return 1e6 * studied / len(views), len(views) * WORLDS / drawn


def main() -> None:
    """Measure, print, and write worlds.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20, help="deals of each game")
    deals = parser.parse_args().deals
    rows = [["game", *(f"{moment}: study, µs; worlds a second" for moment in MOMENTS)]]
    rows.append(["---"] * len(rows[0]))
    for preset in RULESETS:
        rules, cells = load_rules(preset), [preset]
        views = views_at(rules, deals)
        for moment in MOMENTS:
            studied, drawn = measure(rules, views[moment])
            cells.append(f"{studied:.1f}; {drawn:,.0f}")
        rows.append(cells)
        print(" | ".join(cells), flush=True)
    table = [f"| {' | '.join(row)} |" for row in rows]
    text = ["# Worlds", "", f"`python benchmarks/worlds.py`, one core, {deals} deals of each game.", "", *table]
    Path(__file__).with_suffix(".md").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

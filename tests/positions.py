"""Random positions for properties: a deal of the reference stopped somewhere, and the same in the engine.

`positions()` is a hypothesis strategy; all follows from the numbers that it draws, so a failure shrinks and repeats.
"""

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from blot_env import Game
from tests.fuzz import Players, random_board
from tests.reference import Reference
from tests.reference.deal import Record


@dataclass
class Position:
    deal: Reference
    game: Game
    rng: random.Random  # for what a test draws further

    @property
    def record(self) -> Record:
        return self.deal.record()

    def __repr__(self) -> str:
        return f"Position({self.record})"


def position(seed: int, steps: int, preset: str = "bazar") -> Position:
    """The position after some steps, or at the deal's end."""
    rng = random.Random(seed)
    deal = Reference(random_board(rng, preset))
    players = Players(rng)
    for _ in range(steps):
        if deal.phase != "over":
            deal.play(players.choose(deal))
    return Position(deal, replayed(deal.record()), rng)


def replayed(record: Record) -> Game:
    """The game of a record with its actions applied."""
    game = Game.from_record(record)
    for action in record["actions"]:
        game.play(action)
    return game


def positions(least: int = 0, most: int = 60, preset: str = "bazar") -> st.SearchStrategy[Position]:
    """Positions after `least` to `most` steps."""
    return st.builds(position, st.integers(0, 2**32), st.integers(least, most), st.just(preset))

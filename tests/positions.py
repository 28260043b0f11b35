"""Random positions for properties: a deal of the reference stopped somewhere, and the same in the engine.

`positions()` is a hypothesis strategy; all follows from the numbers that it draws, so a failure shrinks and repeats.
"""

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from blot_env import Game
from tests.fuzz import Players, random_board
from tests.reference import Bazar
from tests.reference.deal import Record


@dataclass
class Position:
    deal: Bazar
    game: Game
    rng: random.Random  # for what a test draws further

    @property
    def record(self) -> Record:
        return self.deal.record()

    def __repr__(self) -> str:
        return f"Position({self.record})"


def position(seed: int, steps: int) -> Position:
    """The position after some steps, or at the deal's end."""
    rng = random.Random(seed)
    deal = Bazar(random_board(rng))
    players = Players(rng)
    for _ in range(steps):
        if deal.phase != "over":
            deal.play(players.choose(deal))
    game = Game.from_record(deal.record())
    for action in deal.actions:
        game.play(action)
    return Position(deal, game, rng)


def positions(least: int = 0, most: int = 60) -> st.SearchStrategy[Position]:
    """Positions after `least` to `most` steps."""
    return st.builds(position, st.integers(0, 2**32), st.integers(least, most))

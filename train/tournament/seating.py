"""Who sits where: the tables of a board, so that the cards favour nobody."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from blot_env.random import absorb, below

LOT = 0x5EA7
"""Stream of the generator, apart from those of cards and agents."""


def seatings(sides: int, entrants: int) -> NDArray[np.int64]:
    """Return which entrant plays each side at each table of a board, shape (tables, sides).

    As many entrants as sides sit in every order: two tables for two sides, six for three. Two entrants at more sides
    play each side alone against the other one at the rest, and the reverse: six tables for three sides. Exchanging two
    entrants permutes the tables, so margins only change their sign.

    Raises:
        ValueError: neither two entrants, nor as many as there are sides.
    """
    if entrants == sides:
        return np.array(list(permutations(range(sides))))
    if entrants != 2:
        raise ValueError(f"{entrants} entrants cannot share {sides} sides evenly")
    alone = np.eye(sides, dtype=np.int64)
    return np.unique(np.concatenate([alone, 1 - alone]), axis=0)  # first the table where the first one is side 0


def lot(seed: int, board: int, tables: int) -> int:
    """Return the one table at which a board is played that is not duplicated."""
    return int(below(absorb(absorb(seed, LOT), board), 0, tables))

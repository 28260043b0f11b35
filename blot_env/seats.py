"""Turns around the table, and what seats hold together."""

import numpy as np
from numpy.typing import NDArray

from blot_env.compile import kernel


@kernel(forceinline=True)
def seat_after(players: int, seat: int, turns: int = 1) -> int:
    """Return the seat some turns (0 to `players`) after another. A remainder would cost ten times as much."""
    place = seat + turns
    return place - players if place >= players else place


@kernel(forceinline=True)
def union(sets: NDArray[np.int64]) -> int:
    """Return the union of four sets, shape (4,); seats that do not exist have empty ones."""
    return sets[0] | sets[1] | sets[2] | sets[3]


@kernel(forceinline=True)
def allied(rules: np.record, public: np.record, seat: int, other: int) -> bool:
    """Return whether two seats play together in this deal: partners, or those who all play against the namer."""
    namer = rules.side[public.bidder]
    return bool((rules.side[seat] == namer) == (rules.side[other] == namer))

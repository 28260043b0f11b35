"""Turns around the table."""

import numpy as np

from blot_env.compile import kernel


@kernel(forceinline=True)
def seat_after(rules: np.record, seat: int, turns: int = 1) -> int:
    """Return the seat some turns (0 to `players`) after another. A remainder would cost ten times as much."""
    place = seat + turns
    return place - rules.players if place >= rules.players else place

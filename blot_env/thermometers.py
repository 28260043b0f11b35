"""Numbers as bits: one for each level that a number reaches."""

import numpy as np
from numpy.typing import NDArray

CALLED = (8, 9, 10, 11, 12, 14, 16, 20)
NUMBERS = (*range(8, 32), 36, 41, 46, 51, 56, 61, 71, 81)
MISSING = (0, 5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200, 225, 250, 275, 300)
BONUS = (20, 40, 50, 70, 100, 120, 150, 200)


def _thermometer(levels: tuple[int, ...], top: int) -> NDArray[np.int64]:
    """Return `table[value]`: a bit for each level that the value reaches, for values up to `top`."""
    return np.array([sum(1 << i for i, level in enumerate(levels) if value >= level) for value in range(top + 1)])


CALLED_BITS = _thermometer(CALLED, 100)
NUMBER_BITS = _thermometer(NUMBERS, 100)
MISSING_BITS = _thermometer(tuple(level + 1 for level in MISSING), MISSING[-1] + 1)
CARD_POINT_BITS = _thermometer(tuple(range(10, 161, 10)), 300)
TRICK_BITS = _thermometer(tuple(range(1, 9)), 10)
BONUS_BITS = _thermometer(BONUS, 200)
NEED_BITS = _thermometer(tuple(range(1, 152, 10)), 151)

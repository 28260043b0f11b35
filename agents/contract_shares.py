"""What contract values speak of: the share of a deal's card points that whoever plays a contract takes, in bins.

A bin is one of 43: no trick, 41 equal parts from nothing to all card points, every trick. Points are counted with the
last trick and without any bonus. The same bins, turned around, are those of the defenders.
"""

import numpy as np
from numpy.typing import NDArray

PARTS = 41
"""An odd number: half of the points, which decides in many games, lies in the middle of a part."""
BINS = PARTS + 2
NONE, EVERY = 0, BINS - 1

CENTRES: NDArray[np.float64] = np.concatenate([[0.0], (np.arange(PARTS) + 0.5) / PARTS, [1.0]])
"""The share of the points that a bin stands for."""


def bin_of(points: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bins of card points of deals with so many, when some tricks were taken and some were not."""
    return 1 + np.clip(points, 0, whole) * PARTS // (whole + 1)

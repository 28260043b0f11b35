"""How often a card takes a trick later, counted over 60,000 deals of this player's own play and rounded.

A plain card takes it that often where nobody ruffs.

Each table has the number of other players less one first, then the number of unseen cards above the card (rows) and of
own ones below it (columns).
"""

import numpy as np
from numpy.typing import NDArray

# Of so many players; with two, a trump's chance is the same for both.
_PLAIN_OF_TWO = [
    [0.69, 0.85, 0.88, 0.85],
    [0.48, 0.67, 0.65, 0.55],
    [0.29, 0.44, 0.51, 0.45],
    [0.17, 0.30, 0.35, 0.35],
    [0.10, 0.15, 0.25, 0.25],
    [0.04, 0.08, 0.12, 0.15],
    [0.02, 0.03, 0.05, 0.05],
    [0.00, 0.00, 0.00, 0.00],
]
_PLAIN_OF_MORE = [
    [0.65, 0.70, 0.75, 0.75],
    [0.15, 0.24, 0.27, 0.27],
    [0.05, 0.11, 0.15, 0.15],
    [0.03, 0.05, 0.07, 0.07],
    [0.02, 0.03, 0.04, 0.04],
    [0.01, 0.02, 0.02, 0.02],
    [0.00, 0.01, 0.01, 0.01],
    [0.00, 0.00, 0.00, 0.00],
]
_TRUMP_OF_TWO = [
    [1.00, 1.00, 1.00, 1.00],
    [0.90, 0.90, 0.95, 0.98],
    [0.83, 0.86, 0.88, 0.95],
    [0.77, 0.80, 0.83, 0.85],
    [0.70, 0.72, 0.75, 0.80],
    [0.62, 0.65, 0.70, 0.70],
    [0.55, 0.50, 0.50, 0.50],
    [0.50, 0.40, 0.40, 0.40],
]
_ATTACKING_OF_THREE = [
    [1.00, 1.00, 1.00, 1.00],
    [0.83, 0.86, 0.88, 0.96],
    [0.80, 0.83, 0.83, 0.94],
    [0.70, 0.74, 0.76, 0.89],
    [0.65, 0.70, 0.70, 0.85],
    [0.60, 0.50, 0.60, 0.70],
    [0.50, 0.40, 0.50, 0.50],
    [0.40, 0.30, 0.40, 0.40],
]
_ATTACKING_OF_FOUR = [
    [1.00, 1.00, 1.00, 1.00],
    [0.59, 0.78, 0.87, 0.92],
    [0.44, 0.62, 0.82, 0.87],
    [0.36, 0.57, 0.77, 0.80],
    [0.33, 0.45, 0.63, 0.70],
    [0.21, 0.30, 0.45, 0.60],
    [0.10, 0.15, 0.30, 0.40],
    [0.07, 0.10, 0.20, 0.30],
]
_DEFENDING_OF_THREE = [
    [1.00, 1.00, 1.00, 1.00],
    [0.62, 0.72, 0.92, 0.96],
    [0.49, 0.62, 0.74, 0.90],
    [0.39, 0.52, 0.62, 0.75],
    [0.30, 0.45, 0.55, 0.70],
    [0.28, 0.39, 0.45, 0.60],
    [0.28, 0.34, 0.40, 0.50],
    [0.25, 0.30, 0.30, 0.40],
]
_DEFENDING_OF_FOUR = [
    [1.00, 1.00, 1.00, 1.00],
    [0.44, 0.60, 0.94, 0.98],
    [0.23, 0.37, 0.81, 0.92],
    [0.11, 0.27, 0.67, 0.90],
    [0.07, 0.20, 0.48, 0.75],
    [0.05, 0.14, 0.48, 0.60],
    [0.04, 0.06, 0.30, 0.50],
    [0.03, 0.05, 0.20, 0.40],
]

PLAIN: NDArray[np.float64] = np.array([_PLAIN_OF_TWO, _PLAIN_OF_MORE, _PLAIN_OF_MORE])
TRUMP_ATTACKING: NDArray[np.float64] = np.array([_TRUMP_OF_TWO, _ATTACKING_OF_THREE, _ATTACKING_OF_FOUR])
TRUMP_DEFENDING: NDArray[np.float64] = np.array([_TRUMP_OF_TWO, _DEFENDING_OF_THREE, _DEFENDING_OF_FOUR])

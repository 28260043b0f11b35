"""The interval of a share that holds at all looks at once: what bets against it would have won.

Whoever stakes a fixed part of a purse that a share lies higher than `m` wins nothing in the mean where it is `m` or
less. So the purse grows forty-fold with a probability of 2.5 % at most, whenever one looks and however the values
scatter: where it has grown so much, the share is higher than `m`. Nothing is approximated.

Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (J. Royal Statistical Society B 86,
2024). Here several purses stake different parts of themselves and count together; so only the values matter, not
their order.
"""

from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

STAKES = np.array([3 / 4, 1 / 2, 1 / 4, 1 / 8])
"""Parts of a purse: large ones find great differences soon, small ones little differences at last."""
MISS = 0.025  # how often the truth may ever lie beyond either end
_EDGE = 1e-9


def always_valid(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return both ends of the 95 % interval of a mean of independent values from 0 to 1, such as matches won.

    Each end by itself misses the truth with 2.5 % at most, over all looks together.

    Args:
        values: (n,), in any order.
    """
    different, counts = np.unique(values, return_counts=True)
    return _lower(different, counts), 1 - _lower(1 - different, counts)


def _lower(values: NDArray[np.float64], counts: NDArray[np.int64]) -> float:
    """Return the highest share at which the purse has grown enough; it shrinks as the share rises."""

    def beyond(share: float) -> float:
        won = np.log1p(STAKES[:, None] * (values / share - 1)) @ counts  # (stakes,)
        return float(np.logaddexp.reduce(won)) + log(MISS / len(STAKES))

    if not len(values) or beyond(_EDGE) < 0:
        return 0.0
    return float(brentq(beyond, _EDGE, 1.0))

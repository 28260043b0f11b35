"""What actions bring on average over worlds, to those who weigh worlds and have an opinion besides."""

import numpy as np
from numpy.typing import NDArray


def advantages(
    outcomes: NDArray[np.float64],
    weights: NDArray[np.float64],
    opinions: NDArray[np.float64],
    trust: float,
    doubt: float,
) -> NDArray[np.float64]:
    """Return what actions bring more than the one of the best opinion, shape (k,); it counts as further worlds.

    Args:
        outcomes: of k actions in n worlds, shape (n, k).
        weights: of the worlds, shape (n,), summing to 1.
        opinions: shape (k,).
        trust: so many worlds the opinion counts as.
        doubt: so many standard errors of the mean over the worlds are taken off.
    """
    calm = opinions.argmax()
    more = outcomes - outcomes[:, calm, None]
    mean = weights @ more
    error = np.sqrt(weights**2 @ (more - mean) ** 2)
    worlds = 1.0 / (weights**2).sum()
    return np.asarray((worlds * mean + trust * (opinions - opinions[calm])) / (worlds + trust) - doubt * error)

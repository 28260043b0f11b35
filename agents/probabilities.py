"""From what a network gives to how likely it makes each action."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def probabilities_of(logits: NDArray[np.floating[Any]], masks: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return the probability of each action, shape (n, actions), 0 for illegal ones.

    Args:
        logits: unnormalised log-probabilities, shape (n, actions), illegal actions included.
        masks: shape (n, actions), nonzero where legal.
    """
    legal = np.where(masks, logits, -np.inf).astype(np.float64)
    weights = np.exp(legal - legal.max(1, keepdims=True))
    return np.asarray(weights / weights.sum(1, keepdims=True))

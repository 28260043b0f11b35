"""What the player considers at a decision: actions, each with its value. It takes the best, of equals the first.

What it would never do is not among them: a contra of a bid that it expects to be made, a bluff, a capot with a hand
that may lose a trick. Values compare the options of one decision with one another: match points for calls, points of
difference between the sides for cards, swaps and discards. Where there is only one option, its value means nothing.
"""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel

OPTION = np.dtype((np.record, [("action", "i8"), ("value", "f8")]))


@kernel(forceinline=True)
def add(options: NDArray, count: int, action: int, value: float) -> int:
    """Add an option to the `count` that are there; return how many there are now."""
    options[count].action = action
    options[count].value = value
    return count + 1


@kernel
def best(options: NDArray, count: int) -> int:
    """Return the action of the best of the first `count` options, of equals the first."""
    chosen = 0
    for place in range(1, count):
        if options[place].value > options[chosen].value:
            chosen = place
    return int(options[chosen].action)

"""From judgements to an action: worlds and an opinion become values, and a draw among values an action."""

import numpy as np
from numpy.typing import NDArray

from agents.search.averaging import advantages
from blot_env.random import absorb, draw

_CHOICE = 0xC401CE  # a stream of the generator


def blend(
    outcomes: NDArray[np.float64],
    weights: NDArray[np.float64],
    opinions: NDArray[np.float64],
    trust: float,
    doubt: float,
) -> NDArray[np.float64]:
    """Return the values of actions, shape (k,): the means over worlds, the opinion counting as further ones.

    Actions are compared with the one of the best opinion; to be preferred to it, another must look better by `doubt`
    standard errors.

    Args:
        outcomes: of k actions in n worlds, shape (n, k).
        weights: of the worlds, shape (n,), summing to more than 0.
        opinions: shape (k,).
        trust: so many worlds the opinion counts as.
    """
    weights = weights / weights.sum()
    calm = weights @ outcomes[:, opinions.argmax()]
    return np.asarray(calm + advantages(outcomes, weights, opinions, trust, doubt))


def choose_by(values: NDArray[np.float64], temperature: float, cap: float, seed: int) -> int:
    """Return the place of an action: the best, of equals the first, or drawn among those that give up little.

    Args:
        values: shape (k,).
        temperature: 0: the best. Otherwise one that gives up g is exp(-g / temperature) times as likely as the best.
        cap: none that gives up more is ever drawn.
        seed: of the decision.
    """
    best = int(values.argmax())
    if temperature == 0 or cap == 0:
        return best
    gaps = values[best] - values
    with np.errstate(over="ignore"):  # of a temperature next to nothing
        reached = np.where(gaps <= cap, np.exp(-gaps / temperature), 0.0).cumsum()
    lot = draw(absorb(seed, _CHOICE), 0) / 2**32  # in [0, 1)
    return int((reached > lot * reached[-1]).argmax())

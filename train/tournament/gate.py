"""The gate of a ladder: whether each agent wins enough of its matches against the one below it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from train.tournament.betting import always_valid
from train.tournament.config import GateConfig

Outcome = Literal["passed", "failed", "open"]


@dataclass(frozen=True)
class Rung:
    """How a rung of the ladder stands."""

    share: float | None  # of the matches, that the upper agent has won; None before the first
    low: float  # 95 % interval that holds at all looks
    high: float
    n: int  # matches, each played at all tables
    required: float  # what the share has to reach,
    above: float  # ... and what `low` has to lie above
    outcome: Outcome


def judge(gate: GateConfig, rung: int, shares: NDArray[np.float64]) -> Rung:
    """Return how a rung stands after some matches.

    It is passed once the share is reached and the interval's lower end lies above its bound, and failed once the
    interval lies below the share; it stays open before `gate.matches` matches, and where neither has come about.

    Args:
        gate: what is required.
        rung: 0 is the lowest.
        shares: of each match, that the upper agent won, a mean over its tables: (matches,).
    """
    required, above, n = gate.shares[rung], gate.lows[rung], len(shares)
    low, high = always_valid(shares)
    share = float(shares.mean()) if n else None
    outcome: Outcome = "open"
    if share is not None and n >= gate.matches:
        if share >= required and low > above:
            outcome = "passed"
        elif high < required:
            outcome = "failed"
    return Rung(share, low, high, n, required, above, outcome)

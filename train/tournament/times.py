"""How long an entrant's decisions took."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from train.tournament.played import Clock, bin_times


def report_times(clocks: Iterable[Clock]) -> dict[str, Any]:
    """Return median, 99th percentile and mean in seconds, of decisions that were asked alone, and how many they are.

    A time is known to its bin, whose geometric middle stands for it: within six per cent.
    """
    counts = np.sum([clock.counts for clock in clocks], axis=0)
    n = int(counts.sum())
    if not n:
        return {"median": None, "p99": None, "mean": None, "n": 0}
    middles, reached = bin_times(), counts.cumsum()

    def quantile(share: float) -> float:
        return float(middles[np.searchsorted(reached, share * n)])

    return {"median": quantile(0.5), "p99": quantile(0.99), "mean": float(counts @ middles / n), "n": n}

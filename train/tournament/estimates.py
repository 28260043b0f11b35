"""Means over boards and how far luck reaches: 95 % intervals that ask little of the shape of the margins.

A board is one draw, however many tables it was played at: cards, agents and luck of its tables hang together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit

RESAMPLES = 4000  # the noise of a bound is then about a fiftieth of the interval's half width
_FEWEST = 16  # boards below which resampling cannot reach far enough
_FEW = 1024  # boards that are drawn one by one
_VALUES = 1024  # more different values than these are put into bins
_Z95 = float(ndtri(0.975))


@dataclass(frozen=True)
class Estimate:
    """A mean over independent boards and its 95 % interval, which a single board does not have."""

    mean: float
    low: float | None
    high: float | None
    sd: float | None  # of one board
    n: int  # boards

    @property
    def margin(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def student(values: NDArray[np.float64]) -> Estimate:
    """Return the mean of independent boards with Student's interval, which takes no time.

    Args:
        values: (boards,) one or more.

    Raises:
        ValueError: no value.
    """
    n = len(values)
    if n == 0:
        raise ValueError("a mean needs a value")
    mean = float(values.mean())
    if n == 1:
        return Estimate(mean, None, None, None, 1)
    sd = float(values.std(ddof=1))
    reach = float(stdtrit(n - 1, 0.975)) * sd / n**0.5
    return Estimate(mean, mean - reach, mean + reach, sd, n)


def bootstrap(values: NDArray[np.float64], seed: int = 0) -> Estimate:
    """Return the mean of independent boards with its bootstrap interval, of expanded percentiles.

    Boards are drawn anew with replacement. The percentiles are those of Hesterberg, "What teachers should know about
    the bootstrap" (The American Statistician 69, 2015): wider than 2.5 and 97.5 % by what Student's distribution is
    wider than the normal one. Below 16 boards, where no resample can reach far enough, it is Student's interval.

    Args:
        values: (boards,) one or more.
        seed: of the resamples.

    Raises:
        ValueError: no value.
    """
    plain = student(values)
    mean, n = plain.mean, plain.n
    if n < _FEWEST:
        return plain
    share = ndtr(-((n / (n - 1)) ** 0.5) * stdtrit(n - 1, 0.975))
    sign = -1.0 if mean < 0 else 1.0  # so that both sides of a meeting have the same interval, mirrored
    bounds = np.quantile(_resampled_means(sign * values, seed), [share, 1 - share])
    low, high = sorted(sign * bounds)
    return Estimate(mean, min(float(low), mean), max(float(high), mean), plain.sd, n)


def proportion(values: NDArray[np.float64]) -> Estimate:
    """Return the mean of values from 0 to 1, such as matches won, with Wilson's interval for an effective sample.

    Boards that came out alike say no more than this: 20 wins of 20 are not 100 % for sure. The sample counts as many
    boards as would scatter alike if each were won or lost outright: Franco, Little, Louis and Slud, "Comparative study
    of confidence intervals for proportions in complex sample surveys" (J. Survey Statistics and Methodology 7, 2019).

    Raises:
        ValueError: no value.
    """
    plain = student(values)
    mean, sd, n = plain.mean, plain.sd, plain.n
    if sd is None:
        return plain
    outright = mean * (1 - mean) * n / (n - 1)  # the variance, if every board were won or lost
    if sd == 0 and outright > 0:  # all drawn
        return Estimate(mean, mean, mean, sd, n)
    effective = n * outright / sd**2 if sd else float(n)
    spread = _Z95**2 / effective
    centre = (mean + spread / 2) / (1 + spread)
    reach = (spread * (mean * (1 - mean) + spread / 4)) ** 0.5 / (1 + spread)
    return Estimate(mean, max(0.0, centre - reach), min(1.0, centre + reach), sd, n)


def mean_of_means(samples: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return one value a board whose mean is the mean of the samples' means, each sample weighing the same.

    The samples are of the same boards, from the first on, of which some may have seen more: what a board did in one of
    them it may well have done in the others. The value is the mean of means plus the board's influence on it, which
    scatters as the mean of means does; of samples of equal length it is simply their mean.

    Args:
        samples: (boards,) each, none of them empty.
    """
    boards = max(map(len, samples))
    influence = np.zeros(boards)
    for sample in samples:
        influence[: len(sample)] += (sample - sample.mean()) * (boards / len(sample))
    return np.asarray(np.mean([sample.mean() for sample in samples]) + influence / len(samples))


def ratio(values: NDArray[np.float64], sizes: NDArray[np.float64]) -> Estimate:
    """Return the sum of values over the sum of their sizes, such as points a deal of matches, with its interval.

    Args:
        values, sizes: (boards,) one or more; the sizes are not all nothing.
    """
    whole = values.sum() / sizes.sum()
    return bootstrap(whole + (values - whole * sizes) / sizes.mean())


def _resampled_means(values: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the means of resamples; of many boards it is drawn how often each value occurs, which is the same."""
    rng, n = np.random.default_rng(seed), len(values)
    if n <= _FEW:
        return np.asarray(rng.choice(values, (RESAMPLES, n)).mean(1))
    different, counts = _counted(values)
    return np.asarray(rng.multinomial(n, counts / n, size=RESAMPLES) @ different / n)


def _counted(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the different values and how often each occurs; very many are replaced by the means of narrow bins."""
    different, counts = np.unique(values, return_counts=True)
    if len(different) <= _VALUES:
        return different, counts
    low, high = different[0], different[-1]
    places = np.minimum((values - low) * (_VALUES / (high - low)), _VALUES - 1).astype(np.int64)
    counts = np.bincount(places)
    held = counts > 0
    return np.bincount(places, values)[held] / counts[held], counts[held]

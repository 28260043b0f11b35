"""A sequential test: boards are played until it is settled which of two margins is the likelier, and no longer.

Wald's sequential probability ratio test needs about half the boards of a test of fixed size (Wald, "Sequential
tests of statistical hypotheses", 1945). How far boards scatter is not known beforehand, so the ratio is that of the
likelihoods at either margin's own likeliest variance, as chess engines are tested.
"""

from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from train.tournament.config import SprtConfig, TournamentConfig
from train.tournament.margins import forfeit_of
from train.tournament.seating import seatings

FEWEST = 32  # boards before the first verdict: of fewer, the variance is too uncertain
_UNSEEN = 3  # n boards without an event leave room for a rate of 3 / n: the rule of three
_MISS = 0.05  # how often the interval may ever miss the truth


@dataclass(frozen=True)
class Verdict:
    """How a test stands."""

    ratio: float  # logarithm of the likelihood of the upper margin over that of the lower
    lower: float  # bounds: at or below it the lower margin is accepted
    upper: float
    settled: Literal["lower", "upper"] | None
    low: float | None  # 95 % interval that holds at all looks at once, so also where the test stops; None at first
    high: float | None
    n: int  # boards


@dataclass(frozen=True)
class Sprt:
    """A test between two margins a board, the lower and the upper of `config.margins`.

    Where the truth is the lower margin or less, the upper one is accepted with a probability of about `alpha` at
    most; where it is the upper or more, the lower is accepted with `beta` at most. In between either may be. The
    probabilities hold whenever one looks and for tails such as margins have; they are Wald's approximation, which
    looking seldom makes smaller, and very skew margins (the exponential distribution) up to twice as large.
    """

    config: SprtConfig
    spread: float  # how much a board's margin changes where all of one table goes to the other side

    def look(self, margins: NDArray[np.float64]) -> Verdict:
        """Return how the test stands after these boards, in whatever order: (boards,) of the first entrant.

        Three boards are imagined at a distance of `spread` from the mean, so that boards which happen to be alike, or
        agents who seldom differ, settle nothing before what is rare has had time to show.

        Far beyond both margins neither is likely, and their ratio grows slowly. There the interval settles the test.
        """
        lower_margin, upper_margin = self.config.margins
        lower, upper = self.bounds
        n = len(margins)
        if n == 0:
            return Verdict(0.0, lower, upper, None, None, None, 0)
        mean = margins.mean()
        squares = ((margins - mean) ** 2).sum() + _UNSEEN * self.spread**2
        ratio = n / 2 * log((squares + n * (mean - lower_margin) ** 2) / (squares + n * (mean - upper_margin) ** 2))
        if n < FEWEST:
            return Verdict(ratio, lower, upper, None, None, None, n)
        reach = self._reach(n, squares / n)
        low, high = float(mean - reach), float(mean + reach)
        settled: Literal["lower", "upper"] | None = None
        if ratio <= lower or high < lower_margin:
            settled = "lower"
        elif ratio >= upper or low > upper_margin:
            settled = "upper"
        return Verdict(ratio, lower, upper, settled, low, high, n)

    def _reach(self, n: int, variance: float) -> float:
        """Return half the width of a confidence sequence at its n-th board, tightest where a test is likely to end.

        Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
        sequences" (Annals of Statistics 52, 2024), with their choice of rho.
        """
        lower_margin, upper_margin = self.config.margins
        lower, upper = self.bounds
        likely = (upper - lower) * variance / (upper_margin - lower_margin) ** 2
        rho2 = (-2 * log(_MISS) + log(-2 * log(_MISS)) + 1) / likely
        return sqrt(variance * 2 * (n * rho2 + 1) / (n * n * rho2) * log(sqrt(n * rho2 + 1) / _MISS))

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of Wald's bounds."""
        alpha, beta = self.config.alpha, self.config.beta
        return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def sprt_of(config: TournamentConfig) -> Sprt | None:
    """Return the test of each meeting of a tournament, None where there is none.

    Its spread is all the cards of a deal, or the match, won instead of lost at one of a board's tables; contra,
    which is rare, may change more.
    """
    if config.sprt is None:
        return None
    tables = len(seatings(config.rules.sides, config.table)) if config.duplicate else 1
    return Sprt(config.sprt, 2 * forfeit_of(config.game, config.play) / tables)

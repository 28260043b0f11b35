"""Bradley–Terry ratings from all games of a tournament, on the scale of Elo.

The share of the games of i and j that i wins is 1 / (1 + 10^((elo_j - elo_i) / 400)), a draw being half a win of each.
Of three at a table the winner beats both others, which by Luce's axiom is the same model. Fitted by `choix`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import choix
import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from train.tournament.played import Meeting

RESAMPLES = 1000
_BLOCKS = 512  # more boards than these are weighed in groups of neighbours
_ELO = 400 / log(10)


@dataclass(frozen=True)
class Rating:
    """An entrant's strength: 0 is the mean of the entrants, 400 more wins ten games for one that it loses."""

    elo: float
    low: float  # 95 % interval
    high: float
    n: int  # boards, or matches
    separable: bool  # the entrant won, or lost, against most others without exception: the games bound it on one side


def rate(
    entrants: int, meetings: Sequence[Meeting], wins: Sequence[NDArray[np.float64]], seed: int = 0
) -> list[Rating]:
    """Return the ratings of all entrants, who must be linked by their meetings.

    Each pair that met is given half a win each way beyond its games, so that ratings are finite. Intervals are those
    of the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981): each board, which all meetings share, and each of
    the given wins has a random weight. For two entrants that is the posterior of Jeffreys' prior, which is honest also
    where somebody won all.

    Args:
        entrants: how many there are.
        meetings: who met.
        wins: shares of the win, (boards, entrants of the meeting) by meeting; row b of each is of the same board.
        seed: of the weights.
    """
    games = _games(entrants, meetings, wins)
    met = games.sum(0) > 0
    given = 0.5 * (met | met.T)
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=(RESAMPLES, len(games)))
    resampled = np.tensordot(weights, games, 1) + rng.standard_gamma(given, (RESAMPLES, entrants, entrants))
    elo = _fit(games.sum(0) + given)
    low, high = np.quantile([_fit(sample) for sample in resampled], [0.025, 0.975], axis=0)
    boards = _boards(entrants, meetings, wins)
    separable = _separable(games.sum(0))
    return [
        Rating(float(elo[i]), float(low[i]), float(high[i]), int(boards[i]), bool(separable[i]))
        for i in range(entrants)
    ]


def _games(entrants: int, meetings: Sequence[Meeting], wins: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return how often each entrant beat each other one, shape (groups of boards, entrants, entrants)."""
    size = -(-max(map(len, wins)) // _BLOCKS)
    games = np.zeros((-(-max(map(len, wins)) // size), entrants, entrants))
    for meeting, shares in zip(meetings, wins, strict=True):
        starts = np.arange(0, len(shares), size)
        won = np.add.reduceat(shares, starts, axis=0)
        for place, winner in enumerate(meeting.entrants):
            for loser in meeting.entrants:
                if loser != winner:
                    games[: len(starts), winner, loser] += won[:, place]
    return games


def _fit(games: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the likeliest ratings, their mean 0."""
    strengths = choix.ilsr_pairwise_dense(games, max_iter=1000, tol=1e-6)
    return np.asarray(_ELO * (strengths - strengths.mean()))


def _separable(games: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which entrants are outside the majority whose members all beat each other, if only by way of others."""
    _, part = connected_components(games > 0, connection="strong")
    return np.asarray(2 * np.bincount(part)[part] <= len(games))


def _boards(entrants: int, meetings: Sequence[Meeting], wins: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Return how many boards each entrant played."""
    boards = np.zeros(entrants, np.int64)
    for meeting, shares in zip(meetings, wins, strict=True):
        boards[list(meeting.entrants)] += len(shares)
    return boards

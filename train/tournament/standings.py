"""Who stands where: match points a board, games won, and ratings, each from all meetings of an entrant."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from train.tournament.estimates import Estimate, bootstrap, mean_of_means, proportion
from train.tournament.played import Meeting
from train.tournament.ratings import Rating, rate


@dataclass(frozen=True)
class Standing:
    """How an entrant did against the others, each meeting weighing the same."""

    entrant: int
    points: Estimate  # match points a board, or a match, of its sides minus the others'
    wins: Estimate  # share of the boards, or of the matches, that it won
    rating: Rating


def stand(
    entrants: int,
    meetings: Sequence[Meeting],
    margins: Sequence[NDArray[np.float64]],
    wins: Sequence[NDArray[np.float64]],
) -> list[Standing]:
    """Return the standings, best first.

    Args:
        entrants: how many there are.
        meetings: who met.
        margins, wins: (boards, entrants of the meeting) by meeting, of one board or more; row b of each is of the same
            board.
    """
    ratings = rate(entrants, meetings, wins)
    found = [
        Standing(
            entrant,
            bootstrap(mean_of_means(_own(entrant, meetings, margins))),
            proportion(mean_of_means(_own(entrant, meetings, wins))),
            ratings[entrant],
        )
        for entrant in range(entrants)
    ]
    return sorted(found, key=lambda standing: -standing.points.mean)


def differences(meetings: Sequence[Meeting], margins: Sequence[NDArray[np.float64]]) -> dict[tuple[int, int], Estimate]:
    """Return match points a board of one entrant minus another's, by pair, from all tables at which both sat.

    Args:
        meetings: who met.
        margins: as `stand` takes them: own points minus the mean of the others'.
    """
    samples = defaultdict(list)
    for meeting, values in zip(meetings, margins, strict=True):
        size = len(meeting.entrants)
        for i, first in enumerate(meeting.entrants):
            for j, second in enumerate(meeting.entrants):
                if first < second:
                    samples[first, second].append((values[:, i] - values[:, j]) * ((size - 1) / size))
    return {pair: bootstrap(mean_of_means(values)) for pair, values in samples.items()}


def _own(entrant: int, meetings: Sequence[Meeting], values: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Return an entrant's column of each of its meetings."""
    return [
        sample[:, meeting.entrants.index(entrant)]
        for meeting, sample in zip(meetings, values, strict=True)
        if entrant in meeting.entrants
    ]

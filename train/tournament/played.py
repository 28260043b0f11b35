"""What was played: the deals of a meeting in columns, and what went wrong.

A deal is its actions: cards and results follow from the tournament's seed and rules, and are found again by playing
the actions. That is all that the log of a tournament keeps.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Meeting:
    """Entrants who play each other: two, or three who sit at one table."""

    entrants: tuple[int, ...]  # indices in the tournament's list of entrants


@dataclass(frozen=True)
class Fault:
    """An agent crashed, took too long, or answered with what may not be done: its side forfeits the board."""

    board: int
    table: int
    deal: int  # of the match, 0 where boards are played
    seat: int
    entrant: int  # index in the meeting's `entrants`
    reason: str  # one line, such as "took longer than 60 s for a decision"


@dataclass(frozen=True)
class Clock:
    """How long decisions took that were asked alone: a histogram that adds up over chunks."""

    counts: NDArray[np.int64]  # (BINS,) decisions by time, bins in steps of a twentieth of a power of ten from 1 µs


@dataclass(frozen=True)
class Played:
    """Boards of one meeting: a row a deal, in order of board, table and deal.

    A table that an agent forfeited has no row of the deal at which it did; in a match it keeps those before.
    """

    boards: NDArray[np.int64]  # (boards,) their numbers, rising
    board: NDArray[np.int64]  # (deals,) number of the board; of a match, the number of its stream of deals
    table: NDArray[np.int64]  # (deals,) row of the seatings
    deal: NDArray[np.int64]  # (deals,) of the match, 0 where boards are played
    results: NDArray[Any]  # (deals,) rows of RESULT
    actions: NDArray[np.int16]  # (deals, longest) what was done in order, -1 behind the last; discards as they are
    faults: tuple[Fault, ...]
    clocks: tuple[Clock, ...]  # by entrant of the meeting
    seconds: float  # that the boards took, by the clock of a process

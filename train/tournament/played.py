"""What was played: the deals of a meeting in columns, and what went wrong.

A deal is its actions: cards and results follow from the tournament's seed and rules, and are found again by playing
the actions. That is all that the log of a tournament keeps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 180  # nine powers of ten
FASTEST = 1e-6  # seconds
STEPS = 20  # bins to a power of ten


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

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Clock":
        """Return the clock of some decisions; what lies outside the bins stands in the first or last."""
        times = np.maximum(np.asarray(seconds, np.float64), FASTEST)
        bins = np.minimum((np.log10(times / FASTEST) * STEPS).astype(np.int64), BINS - 1)
        return cls(np.bincount(bins, minlength=BINS))

    def __add__(self, other: "Clock") -> "Clock":
        return Clock(self.counts + other.counts)


def bin_times() -> NDArray[np.float64]:
    """Return the time that stands for each bin of a clock, the middle of its powers, in seconds: shape (BINS,)."""
    return FASTEST * 10 ** ((np.arange(BINS) + 0.5) / STEPS)


@dataclass(frozen=True)
class Played:
    """Boards of one meeting: a row a deal, in order of board, table and deal.

    A table that an agent forfeited has no row of the deal at which it did; in a match it keeps those before.
    """

    boards: NDArray[np.int64]  # (boards,) their numbers, rising
    board: NDArray[np.int64]  # (deals,) number of the board; of a match, the number of its stream of deals
    table: NDArray[np.int64]  # (deals,) row of the seatings
    deal: NDArray[np.int64]  # (deals,) of the match, counting those that nobody bid on; 0 where boards are played
    results: NDArray[Any]  # (deals,) rows of RESULT
    actions: NDArray[np.int16]  # (deals, longest) what was done in order, -1 behind the last; discards as they are
    faults: tuple[Fault, ...]
    clocks: tuple[Clock, ...]  # by entrant of the meeting
    seconds: float  # that the boards took, by the clock of a process


def joined(chunks: Sequence[Played]) -> Played:
    """Return one or more chunks of a meeting, in order of their boards, as one."""
    return Played(
        boards=np.concatenate([chunk.boards for chunk in chunks]),
        board=np.concatenate([chunk.board for chunk in chunks]),
        table=np.concatenate([chunk.table for chunk in chunks]),
        deal=np.concatenate([chunk.deal for chunk in chunks]),
        results=np.concatenate([chunk.results for chunk in chunks]),
        actions=stacked([chunk.actions for chunk in chunks]),
        faults=tuple(fault for chunk in chunks for fault in chunk.faults),
        clocks=tuple(
            Clock(np.sum([clock.counts for clock in clocks], axis=0))
            for clocks in zip(*(chunk.clocks for chunk in chunks), strict=True)
        ),
        seconds=sum(chunk.seconds for chunk in chunks),
    )


def stacked(actions: Sequence[NDArray[np.int16]]) -> NDArray[np.int16]:
    """Return rows of actions of several widths as one array, -1 behind the last."""
    width = max(rows.shape[1] for rows in actions)
    whole = np.full((sum(map(len, actions)), width), -1, np.int16)
    row = 0
    for rows in actions:
        whole[row : row + len(rows), : rows.shape[1]] = rows
        row += len(rows)
    return whole

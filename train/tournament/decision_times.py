"""How long decisions take on one core: each entrant with itself, asked one decision at a time, in a process of its own.

The times of a tournament are by the clock, while other processes play. Here it is processor time, of all threads
together, so other work on the machine does not count. Every decision is timed that an agent is asked for, which are
those with two or more legal actions; what it compiles or loads at first use is not.
"""

import os
from concurrent.futures import Future
from time import process_time
from typing import Any

from train.tournament.entrants import Entrant
from train.tournament.played import Clock, Played
from train.tournament.times import report_times
from train.tournament.tournament import Tournament
from train.tournament.workers import LocalWorkers, Task, prepare


def time_decisions(tournament: Tournament, deals: int) -> list[dict[str, Any]]:
    """Return what `train.tournament.times.report_times` says of each entrant, in seconds.

    Args:
        tournament: whose entrants they are.
        deals: of each entrant with itself, behind the boards of the tournament.
    """
    with LocalWorkers(1, _settle) as core:
        played = [core.play(_task(tournament, entrant, deals)) for entrant in tournament.entrants]
        return [report_times(_clocks(core, future)) for future in played]


def _settle() -> None:
    """Make a process a worker that finds one core, so that agents start no more threads than that."""
    prepare()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _task(tournament: Tournament, entrant: Entrant, deals: int) -> Task:
    first = tournament.config.boards
    return Task(
        rules=tournament.rules,
        meeting=(entrant, entrant),
        boards=range(first, first + deals),
        seed=tournament.seed,
        play="boards",
        duplicate=False,
        alone=True,
        limit=tournament.config.limit,
        clock=process_time,
    )


def _clocks(core: LocalWorkers, played: Future[Played]) -> tuple[Clock, ...]:
    """Return the clocks of an entrant, an empty one where its process died."""
    try:
        return played.result().clocks
    except Exception as error:
        if not core.died(error):
            raise
        return (Clock.of(()),)

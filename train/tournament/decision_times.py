"""How long decisions take on one core: each entrant with itself, asked one decision at a time, in a process of its own.

The times of a tournament are by the clock, while other processes play. Here it is processor time, of all threads
together, so other work on the machine does not count. Every decision is timed that an agent is asked for, which are
those with two or more legal actions; what it compiles or loads at first use is not.
"""

import os
from collections.abc import Sequence
from concurrent.futures import Future
from time import process_time
from typing import Any

from blot_env import RuleSet
from train.tournament.entrants import Entrant
from train.tournament.played import Clock, Played
from train.tournament.times import report_times
from train.tournament.workers import LocalWorkers, Task, prepare


def time_decisions(
    rules: RuleSet, entrants: Sequence[Entrant], boards: range, seed: int, limit: float
) -> list[dict[str, Any]]:
    """Return what `train.tournament.times.report_times` says of each entrant, in seconds, and its number of `faults`.

    Args:
        rules: the game.
        entrants: who is timed, each with itself.
        boards: the deals that each of them plays.
        seed: of cards and agents.
        limit: seconds that a decision may take; what takes longer has no time.
    """
    with LocalWorkers(1, _settle) as core:
        played = [core.play(_task(rules, entrant, boards, seed, limit)) for entrant in entrants]
        return [_report(core, future) for future in played]


def _settle() -> None:
    """Make a process a worker that finds one core, so that agents start no more threads than that."""
    prepare()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _task(rules: RuleSet, entrant: Entrant, boards: range, seed: int, limit: float) -> Task:
    return Task(
        rules=rules,
        meeting=(entrant, entrant),
        boards=boards,
        seed=seed,
        play="boards",
        duplicate=False,
        alone=True,
        limit=limit,
        clock=process_time,
    )


def _report(core: LocalWorkers, future: Future[Played]) -> dict[str, Any]:
    """Return what is said of an entrant; that its process died is a fault, and leaves no times."""
    try:
        played = future.result()
    except Exception as error:
        if not core.died(error):
            raise
        return {**report_times([Clock.of(())]), "faults": 1}
    return {**report_times(played.clocks), "faults": len(played.faults)}

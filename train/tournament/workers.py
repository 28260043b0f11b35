"""Processes that play chunks of boards, one a core. One that dies costs its chunk alone, which is played again.

A chunk that ends its process twice is played in a process of its own, one decision at a time: whoever is asked as that
process ends has crashed, and forfeits the board.
"""

import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from socket import gethostname
from threading import Thread
from time import perf_counter
from types import TracebackType
from typing import Any, Literal, Protocol, Self

import numpy as np
from pebble import ProcessExpired, ProcessPool

import agents
from agents import Agent, choose
from agents.cores import cores
from agents.digest import agent_digest
from blot_env import BatchEnv, RuleSet
from train.interruption import unheard
from train.tournament.entrants import Entrant
from train.tournament.limit import TooLong, time_limit
from train.tournament.played import Fault, Played
from train.tournament.tables import play_boards

_PROCESSES = get_context("spawn")
_PATIENCE = 600.0  # seconds for what an agent compiles or loads as it is first asked


class WorkerError(ValueError):
    """Processes that cannot play."""


@dataclass(frozen=True)
class Task:
    """Boards to play, with everything that they need: it may go to another machine."""

    rules: RuleSet
    meeting: tuple[Entrant, ...]
    boards: range
    seed: int
    play: Literal["boards", "matches"]
    duplicate: bool
    alone: bool
    limit: float
    networks: tuple[tuple[str, str], ...] = ()  # spec and digest, of the agents that have one
    clock: Callable[[], float] = perf_counter  # that takes the time of decisions

    @property
    def specs(self) -> list[str]:
        """The agents, each once."""
        return list(dict.fromkeys(spec for entrant in self.meeting for spec in entrant.agents))


class Workers(Protocol):
    """Whoever plays tasks: processes of this machine, or of a cluster."""

    @property
    def size(self) -> int:
        """How many tasks they play at once."""
        ...

    def play(self, task: Task) -> Future[Played]:
        """Play boards."""
        ...

    def play_guarded(self, task: Task) -> Future[Played]:
        """Play boards as `play_guarded`."""
        ...

    def died(self, error: BaseException) -> bool:
        """Return whether an error of `play` says that the process died."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class LocalWorkers:
    """Processes of this machine.

    A script that uses them needs the guard `if __name__ == "__main__":`, since they are spawned.

    Args:
        size: how many; 0: one a core.
        initializer: what makes a process a worker; by default `prepare`.
    """

    def __init__(self, size: int = 0, initializer: Callable[[], None] | None = None) -> None:
        self._size, self._initializer = size or cores(), initializer or prepare

    @property
    def size(self) -> int:
        """How many tasks they play at once."""
        return self._size

    def play(self, task: Task) -> Future[Played]:
        """Play boards."""
        with unheard():  # the pool starts with its first task
            return self._pool.schedule(play_task, [task])

    def play_guarded(self, task: Task) -> Future[Played]:
        """Play boards as `play_guarded`."""
        future: Future[Played] = Future()
        with unheard():
            Thread(target=_fulfil, args=(future, task), daemon=True).start()
        return future

    def died(self, error: BaseException) -> bool:
        """Return whether an error of `play` says that the process died."""
        return isinstance(error, ProcessExpired)

    def __enter__(self) -> Self:
        """Start the processes."""
        self._pool = ProcessPool(self._size, context=_PROCESSES, initializer=self._initializer)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End them, whatever they are at."""
        self._pool.stop()
        self._pool.join()


def _fulfil(future: Future[Played], task: Task) -> None:
    try:
        future.set_result(play_guarded(task))
    except Exception as error:
        future.set_exception(error)


def prepare() -> None:
    """Make a process a worker: one thread for its arithmetic, and Ctrl-C is for the process that started it."""
    os.environ["OMP_NUM_THREADS"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_task(task: Task) -> Played:
    """Play boards in this process, with agents that it keeps for the next ones."""
    _warm_all(task)
    return _play(task)


def play_guarded(task: Task) -> Played:
    """Play boards that have ended processes: whatever ends this one costs a side its board.

    Raises:
        WorkerError: the process ends although nobody has been asked, or after all that have ended it have forfeited.
    """
    forfeits: list[Fault] = []
    warm = True  # until that ends the process: then an agent is first asked at the table, and forfeits there
    while True:
        told, code = _try(task, forfeits, warm)
        if isinstance(told, Played):
            return told
        if told is None and warm:
            warm = False
        elif told is None or told in forfeits:
            raise WorkerError(f"a process that is to play {', '.join(task.specs)} ends at once ({_ending(code)})")
        else:
            forfeits.append(told)


def _try(task: Task, forfeits: Sequence[Fault], warm: bool) -> tuple[Played | Fault | None, int]:
    """Play in a new process; return what was played, or who was asked last as it ended, and its exit code."""
    receiver, sender = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=_tell, args=(task, forfeits, warm, sender), daemon=True)
    process.start()
    sender.close()
    told: Played | Fault | None = None
    try:
        while not isinstance(told, Played):
            told = receiver.recv()
            if isinstance(told, Exception):
                raise told
    except EOFError:
        pass
    process.join()
    return told, process.exitcode or 0


def _tell(task: Task, forfeits: Sequence[Fault], warm: bool, sender: "Connection[Any, Any]") -> None:
    """Tell whoever waits for this process who is asked, and at last what was played, or why not."""
    prepare()
    try:
        if warm:
            _warm_all(task)
        sender.send(_play(replace(task, alone=True), forfeits, sender.send))
    except Exception as error:
        sender.send(error)


def _play(task: Task, forfeits: Sequence[Fault] = (), note: Callable[[Fault], None] | None = None) -> Played:
    return play_boards(
        task.rules, _made(task), task.meeting, task.boards, task.seed,
        play=task.play, duplicate=task.duplicate, alone=task.alone, limit=task.limit, forfeits=forfeits, note=note,
        clock=task.clock,
    )  # fmt: skip


def _made(task: Task) -> dict[str, Agent]:
    """Return the agents of a task by their specs.

    Raises:
        WorkerError: a network's files have changed, or are others on this machine.
    """
    made = {spec: _agent(task.rules, spec) for spec in task.specs}
    for spec, digest in task.networks:
        if agent_digest(made[spec]) != digest:
            raise WorkerError(
                f"{spec}: on {gethostname()} its knobs or networks are others than the tournament began with"
            )
    return made


@cache
def _agent(rules: RuleSet, spec: str) -> Agent:
    return agents.make(spec, rules)


def _warm_all(task: Task) -> None:
    for spec in task.specs:
        _warm(task.rules, spec)


@cache
def _warm(rules: RuleSet, spec: str) -> None:
    """Ask an agent once in each phase of a deal: what it compiles or loads at first use is not of its decisions.

    What goes wrong here goes wrong again where it plays, and is written down there.
    """
    agent, phases = _agent(rules, spec), set[int]()
    table = BatchEnv(rules, 1)
    _, mask, _ = table.reset()
    done = np.zeros(1, bool)
    with suppress(TooLong), time_limit(_PATIENCE):
        while not done[0]:
            phase = int(table.states["public"]["phase"][0])
            if phase not in phases and mask.sum() > 1:
                phases.add(phase)
                with suppress(Exception, SystemExit):
                    choose(agent, table.decisions(), table.states)
            _, mask, _, _, done = table.step(table.sample(mask))


def _ending(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"

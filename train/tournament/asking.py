"""Asking agents that may fail: who crashes, takes too long or does what is not legal gives up its table."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents import Agent, choose
from blot_env import BatchEnv
from blot_env.legality import why_not
from train.tournament.limit import TooLong, time_limit
from train.tournament.played import Clock, Fault

GIVEN_UP = np.iinfo(np.int64).min  # instead of an action
DIED = "its process died, or was ended for compiled code that would not return"


class _FailureError(Exception):
    """Why an agent has no action to take."""


class Player(NamedTuple):
    """Who is asked."""

    entrant: int  # index in the meeting's `entrants`
    agent: Agent


@dataclass
class Asker:
    """Asks players for their actions.

    A batch that fails is asked again, row by row, so that only the tables of the guilty rows end; a player whose batch
    took longer than one decision may is asked row by row from then on.
    """

    env: BatchEnv
    seed: int  # of the agents
    board: NDArray[np.int64]  # (tables,) for the faults, and
    table: NDArray[np.int64]  # ... the row of the seatings
    players: Sequence[Player]
    alone: bool = False  # one decision at a time
    limit: float | None = None  # seconds that a decision may take
    forfeits: Sequence[Fault] = ()  # tables that are given up as soon as the seat has to decide
    note: Callable[[Fault], None] | None = None  # is told before a decision that is asked alone
    clock: Callable[[], float] = perf_counter
    faults: list[Fault] = field(default_factory=list)  # so far

    def __post_init__(self) -> None:
        self._slow = {number for number in range(len(self.players)) if self.alone}
        self._lost = {(fault.board, fault.table, fault.deal, fault.seat): fault for fault in self.forfeits}
        self._times: dict[int, list[float]] = {player.entrant: [] for player in self.players}

    def __call__(self, player: int, rows: NDArray[np.int64], deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the actions of a player at some tables, GIVEN_UP where there is none."""
        if len(rows) > 1 and player not in self._slow and not self._lost:
            try:
                return self._answers(player, rows)
            except _FailureError:
                pass
        return np.array([self._one(player, row, int(deal)) for row, deal in zip(rows, deals, strict=True)], np.int64)

    def clocks(self) -> tuple[Clock, ...]:
        """Return the times of the decisions that were asked alone, by entrant."""
        return tuple(Clock.of(times) for _, times in sorted(self._times.items()))

    def _one(self, player: int, row: np.int64, deal: int) -> int:
        place = int(self.board[row]), int(self.table[row]), deal, int(self.env.states["public"]["seat"][row])
        if known := self._lost.get(place):
            self.faults.append(known)
            return GIVEN_UP
        fault = Fault(*place, self.players[player].entrant, DIED)
        if self.note:
            self.note(fault)
        try:
            return int(self._answers(player, np.array([row]))[0])
        except _FailureError as failure:
            self.faults.append(replace(fault, reason=str(failure)))
            return GIVEN_UP

    def _answers(self, player: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Ask for some decisions at once.

        Raises:
            _FailureError: the agent crashed, took too long, or an answer is none.
        """
        decisions = self.env.decisions(rows, self.seed)
        masks = decisions.masks.copy()  # the agent may write to its own
        start = self.clock()
        try:
            with time_limit(self.limit):
                answers = np.asarray(choose(self.players[player].agent, decisions, self.env.states, rows))
        except TooLong:
            self._slow.add(player)
            raise _FailureError(f"took longer than {self.limit:g} s for a decision") from None
        except (Exception, SystemExit) as error:
            raise _FailureError(_line(error)) from None
        if self.alone:
            self._times[self.players[player].entrant].append(self.clock() - start)
        if answers.shape != (len(rows),) or answers.dtype.kind not in "iu":
            wanted = f"{len(rows)} whole number{'s' * (len(rows) > 1)}"
            raise _FailureError(f"answered with {answers.dtype} of shape {answers.shape} instead of {wanted}")
        numbers = answers.astype(np.int64)
        legal = (numbers >= 0) & (numbers < masks.shape[1])
        legal &= masks[np.arange(len(rows)), np.where(legal, numbers, 0)] == 1
        if not legal.all():
            wrong = int(legal.argmin())
            raise _FailureError(self._why_not(rows[wrong], int(answers[wrong])))
        return numbers

    def _why_not(self, row: np.int64, action: int) -> str:
        rules, state = self.env.rules, self.env.states[row]
        if not 0 <= action < rules.actions.size:
            return f"answered with {action}: actions are numbered 0 to {rules.actions.size - 1}"
        reason = why_not(rules, state.public, int(state.hands[state.public.seat]), action)
        return f"answered with {rules.actions.text(action)}: {reason}"


def _line(error: BaseException) -> str:
    """Return an error as one line."""
    return " ".join(traceback.format_exception_only(error)[-1].split())[:200]

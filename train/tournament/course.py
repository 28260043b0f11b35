"""How far a tournament has come: which boards count, and which meetings are settled.

Boards count in their order, without a gap, and a sequential test looks at a meeting after each of its chunks. What is
finished beyond the one that settles it does not count, so the number of workers changes nothing.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import agents
from agents.digest import agent_digest
from train.tournament.banks import bank_of
from train.tournament.config import SprtConfig, TournamentConfig
from train.tournament.entrants import Entrant, entrants_of, exchanged
from train.tournament.gate import Rung, judge
from train.tournament.margins import forfeit_of, margins, wins
from train.tournament.played import Meeting, Played, joined
from train.tournament.schedule import Chunk, Schedule, chunk_size, meetings_of
from train.tournament.seating import seatings
from train.tournament.sprt import Verdict, sprt_of
from train.tournament.tournament import Tournament
from train.tournament.workers import Task


class TournamentError(ValueError):
    """A tournament that has not come far enough for a result."""


@dataclass(frozen=True)
class Progress:
    """How far a tournament has come, for those who watch."""

    names: tuple[str, ...]  # of the entrants
    meetings: tuple[Meeting, ...]
    margins: tuple[NDArray[np.float64], ...]  # by meeting, (boards, entrants), of the boards that count
    play: Literal["boards", "matches"]
    parts: bool  # whether some are exchanged
    sprt: SprtConfig | None
    verdicts: tuple[Verdict | None, ...]  # by meeting
    rungs: tuple[Rung, ...]  # of a gate, by meeting; nothing without one
    forfeits: int
    boards: int  # or matches, that count, those of exchanged parts included
    total: int  # of them, at most
    seconds: float  # that have gone by
    minutes: float  # that it may take; 0: no limit

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.boards == self.total

    @property
    def left(self) -> float | None:
        """Seconds until it is over, at most and as far as it can be told; None where it is over, or cannot be."""
        if not self.boards or self.over:
            return None
        left = (self.total - self.boards) * self.seconds / self.boards
        return min(left, max(60 * self.minutes - self.seconds, 0)) if self.minutes else left


class Course:
    """A tournament under way.

    Args:
        config: the settings.

    Attributes:
        rules: the game.
        seed: of cards and agents.
        first: number of the first board.
        entrants: who plays.
        networks: digests of those that agents have, by spec.
        schedule: what is left.

    Raises:
        BankError, EntrantError, SpecError: it cannot be played as asked.
    """

    def __init__(self, config: TournamentConfig) -> None:
        self.config, self.rules = config, config.game
        bank = bank_of(config.bank, self.rules, config.boards) if config.bank is not None else None
        self.seed, self.first = (bank.seed, bank.first) if bank else (config.seed, 0)
        self.entrants = entrants_of(self.rules, config.agents)
        self._meetings = meetings_of(config)
        made = {spec: agents.make(spec, self.rules) for entrant in self.entrants for spec in entrant.agents}
        self.networks = {spec: digest for spec, agent in made.items() if (digest := agent_digest(agent))}
        sizes = [chunk_size(self._seated(meeting), made, config.play == "matches") for meeting in self._meetings]
        self.schedule = Schedule(sizes, config.boards, config.parts)
        self._forfeit = forfeit_of(self.rules, config.play)
        self._seating = seatings(self.rules.sides, config.table)
        self._sprt = sprt_of(config)
        self._finished: dict[tuple[int, int, int], tuple[Chunk, Played]] = {}  # behind a gap: meeting, part, start
        both = [(meeting, part) for meeting in range(len(sizes)) for part in (0, 1, 2)]
        self._played: dict[tuple[int, int], list[Played]] = {key: [] for key in both}
        self._boards = dict.fromkeys(both, 0)
        self._forfeits = 0
        self._margins = [np.zeros((0, config.table)) for _ in sizes]
        self._verdicts: list[Verdict | None] = [None] * len(sizes)
        self._wins = [np.zeros(0) for _ in sizes]  # of the first entrant, where there is a gate
        self._seconds = [0.0] * len(sizes)  # that the meeting's boards took, all processes together

    def task(self, chunk: Chunk) -> Task:
        """Return what a worker needs to play a chunk."""
        config, entrants = self.config, self._seated(self._meetings[chunk.meeting])
        if chunk.part:
            first, second = entrants
            mixed = exchanged(first, second) if chunk.part == 1 else exchanged(second, first)
            entrants = mixed, second
        specs = {spec for entrant in entrants for spec in entrant.agents}
        return Task(
            rules=self.rules,
            meeting=entrants,
            boards=range(self.first + chunk.start, self.first + chunk.stop),
            seed=self.seed,
            play=config.play,
            duplicate=config.duplicate,
            alone=chunk.alone,
            limit=config.limit,
            networks=tuple((spec, digest) for spec, digest in self.networks.items() if spec in specs),
        )

    def take(self, chunk: Chunk, played: Played) -> None:
        """Count what was played, as far as its meeting has no gap and is not settled before."""
        meeting, part = chunk.meeting, chunk.part
        self._finished[meeting, part, chunk.start] = chunk, played
        while (key := (meeting, part, self._boards[meeting, part])) in self._finished:
            chunk, played = self._finished.pop(key)
            if not self.wants(chunk):
                break
            self._played[meeting, part].append(played)
            self._boards[meeting, part] += chunk.boards
            self._forfeits += len(played.faults)
            if part == 0:
                self._look(chunk, played)

    def wants(self, chunk: Chunk) -> bool:
        """Return whether a chunk may still count."""
        return chunk.part > 0 or chunk.start < self.schedule.most(chunk.meeting)

    def spent(self, chunk: Chunk, workers: int) -> bool:
        """Return whether the gate leaves a meeting no time to begin a chunk, played by so many processes."""
        gate = self.config.gate
        return gate is not None and chunk.part == 0 and self._seconds[chunk.meeting] >= 60 * gate.minutes * workers

    def progress(self, seconds: float) -> Progress:
        """Return how far it has come after so many seconds."""
        return Progress(
            names=tuple(entrant.name for entrant in self.entrants),
            meetings=self._meetings,
            margins=tuple(self._margins),
            play=self.config.play,
            parts=self.config.parts > 0,
            sprt=self.config.sprt,
            verdicts=tuple(self._verdicts),
            rungs=tuple(self._rungs()),
            forfeits=self._forfeits,
            boards=sum(self._boards.values()),
            total=self.schedule.total,
            seconds=seconds,
            minutes=self.config.minutes,
        )

    def result(self) -> Tournament:
        """Return the tournament, as far as it has come.

        Raises:
            TournamentError: a meeting has no board yet.
        """
        for number, meeting in enumerate(self._meetings):
            if not self._played[number, 0]:
                names = " and ".join(entrant.name for entrant in self._seated(meeting))
                raise TournamentError(f"no board of {names} has been finished, so there is no result yet")
        meetings = range(len(self._meetings))
        return Tournament(
            config=self.config,
            rules=self.rules,
            seed=self.seed,
            entrants=self.entrants,
            networks=self.networks,
            meetings=self._meetings,
            played=tuple(joined(self._played[meeting, 0]) for meeting in meetings),
            parts=tuple(self._parts(meeting) for meeting in meetings),
        )

    def _seated(self, meeting: Meeting) -> tuple[Entrant, ...]:
        return tuple(self.entrants[number] for number in meeting.entrants)

    def _look(self, chunk: Chunk, played: Played) -> None:
        """Let the next chunk of a meeting count, and the sequential test look at all of it."""
        meeting = chunk.meeting
        self.schedule.count(chunk)
        own = margins(self.rules, played, self._seating, self.config.table, self._forfeit)
        self._margins[meeting] = np.concatenate([self._margins[meeting], own])
        if self._sprt:
            verdict = self._verdicts[meeting] = self._sprt.look(self._margins[meeting][:, 0])
            if verdict.settled:
                self.schedule.settle(meeting, chunk.stop)
        if gate := self.config.gate:
            won = wins(self.rules, played, self._seating, self.config.table, self._forfeit, self.config.play)[:, 0]
            self._wins[meeting] = np.concatenate([self._wins[meeting], won])
            self._seconds[meeting] += played.seconds
            if judge(gate, meeting, self._wins[meeting]).outcome != "open":
                self.schedule.settle(meeting, chunk.stop)

    def _rungs(self) -> list[Rung]:
        gate = self.config.gate
        return [judge(gate, meeting, won) for meeting, won in enumerate(self._wins)] if gate else []

    def _parts(self, meeting: int) -> tuple[Played, Played] | None:
        """Return both exchanged parts of a meeting, as far as both were played."""
        first, second = self._played[meeting, 1], self._played[meeting, 2]
        both = min(len(first), len(second))
        return (joined(first[:both]), joined(second[:both])) if both else None

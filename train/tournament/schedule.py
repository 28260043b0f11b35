"""Which boards are played next: chunks of fixed sizes, the meeting that has played the fewest boards first.

What a chunk holds follows from the settings alone, and so does what counts in the end: of a meeting that a sequential
test settles, the boards up to the chunk that settled it. The number of processes changes nothing but the order.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from agents import Agent, SearchingAgent
from train.tournament.config import TournamentConfig
from train.tournament.entrants import Entrant
from train.tournament.played import Meeting

CHUNK, SEARCHED = 64, 4
"""Boards of a chunk, and where an agent searches. A network's last bits depend on what shares its batch."""
MATCHES, SEARCHED_MATCHES = 16, 1


@dataclass(frozen=True)
class Chunk:
    """Boards that are played together."""

    meeting: int
    part: int  # 0: the meeting itself; 1 or 2: those in which auction and cards are exchanged, `Tournament.parts`
    start: int  # boards of the meeting, counted from 0
    stop: int

    @property
    def boards(self) -> int:
        """How many there are."""
        return self.stop - self.start

    @property
    def alone(self) -> bool:
        """Whether its decisions are asked one by one, to take their time: those of a meeting's first boards."""
        return self.part == 0 and self.start == 0


class Schedule:
    """What is left to play.

    Args:
        sizes: of the chunks of each meeting.
        boards: of a meeting, at most.
        parts: boards of a meeting on which auction and cards are exchanged.
    """

    def __init__(self, sizes: Sequence[int], boards: int, parts: int = 0) -> None:
        self._sizes, self._parts = sizes, parts
        self._begun = [0] * len(sizes)  # boards, by meeting
        self._most = [boards] * len(sizes)
        self._exchanges: deque[Chunk] = deque()

    def next(self) -> Chunk | None:
        """Return what to play next, None where nothing is left."""
        if self._exchanges:
            return self._exchanges.popleft()
        open_ones = [meeting for meeting, begun in enumerate(self._begun) if begun < self._most[meeting]]
        if not open_ones:
            return None
        meeting = min(open_ones, key=lambda number: self._begun[number])
        start = self._begun[meeting]
        self._begun[meeting] = min(start + self._sizes[meeting], self._most[meeting])
        return Chunk(meeting, 0, start, self._begun[meeting])

    def count(self, chunk: Chunk) -> None:
        """Take note that a meeting's chunk counts: the boards of its first ones are to be exchanged."""
        stop = min(chunk.stop, self._parts)
        if chunk.start < stop:
            self._exchanges += (Chunk(chunk.meeting, part, chunk.start, stop) for part in (1, 2))

    def settle(self, meeting: int, boards: int) -> None:
        """Let a meeting end with so many boards."""
        self._most[meeting] = boards

    @property
    def total(self) -> int:
        """Boards of everything, played and to be played."""
        return sum(most + 2 * min(most, self._parts) for most in self._most)

    def most(self, meeting: int) -> int:
        """Return the boards of a meeting, at most."""
        return self._most[meeting]


def meetings_of(config: TournamentConfig) -> tuple[Meeting, ...]:
    """Return who meets whom; of a ladder's rungs the upper entrant comes first."""
    if config.format == "ladder":
        return tuple(Meeting((upper, lower)) for lower, upper in pairwise(range(len(config.agents))))
    numbers, others = range(len(config.agents)), config.table - 1
    if config.format == "gauntlet":
        return tuple(Meeting((0, *rest)) for rest in combinations(numbers[1:], others))
    return tuple(map(Meeting, combinations(numbers, config.table)))


def chunk_size(entrants: Iterable[Entrant], made: dict[str, Agent], matches: bool) -> int:
    """Return the boards (or matches) of a chunk of a meeting; `made` has the agents by their specs."""
    agents = [made[spec] for entrant in entrants for spec in entrant.agents]
    if any(isinstance(agent, SearchingAgent) and agent.searches for agent in agents):
        return SEARCHED_MATCHES if matches else SEARCHED
    return MATCHES if matches else CHUNK

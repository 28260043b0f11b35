"""Playing a tournament: chunks of boards for all workers, kept as they are finished, until every meeting is settled.

from train.tournament.config import TournamentConfig
from train.tournament.run import run_tournament

if __name__ == "__main__":  # workers are spawned
    tournament = run_tournament(TournamentConfig(agents=("random", "rules"), boards=200), "runs/mine")
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from train.interruption import interruptible
from train.settings import differences
from train.tournament.config import TournamentConfig, load_tournament
from train.tournament.course import Course, Progress
from train.tournament.keeping import BOARDS, MAY_CHANGE, SETTINGS, KeepingError, Log, new_log
from train.tournament.played import Played
from train.tournament.schedule import Chunk
from train.tournament.tournament import Tournament
from train.tournament.workers import LocalWorkers, WorkerError, Workers

_REFRESH = 0.5  # seconds from one look at the clock to the next
_TRIES = 5  # of a chunk whose process, or machine, dies
_UNGUARDED = 2  # of them as all others are played, since whatever killed it may have come from outside


def run_tournament(
    config: TournamentConfig,
    folder: str | Path,
    workers: Workers | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Tournament:
    """Play a tournament in a new folder.

    Ctrl-C ends it with the boards that are finished.

    Args:
        config: the settings.
        folder: where it is kept, see `train.tournament.keeping`.
        workers: who plays, by default `config.workers` processes.
        on_progress: is told how far it has come, again and again.

    Raises:
        BankError, EntrantError, KeepingError, SpecError: it cannot be played as asked, or not in this folder.
        TournamentError: it was ended before every meeting had a board.
        WorkerError: processes cannot play.
    """
    course = Course(config)
    with workers or LocalWorkers(config.workers) as players:
        return _play(course, new_log(Path(folder), config, course.seed, course.first), players, on_progress)


def resume_tournament(
    folder: str | Path,
    overrides: Sequence[str] = (),
    workers: Workers | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Tournament:
    """Go on with a tournament that was stopped, or take up one that is over.

    Args:
        folder: where it is kept.
        overrides: `key=value` each, of the settings `MAY_CHANGE`.
        workers: who plays.
        on_progress: is told how far it has come, again and again.

    Raises:
        KeepingError: the settings or agents are others than they were, or the folder is damaged.
        ConfigError, TournamentError, WorkerError: as `run_tournament`.
    """
    folder = Path(folder)
    if not (folder / SETTINGS).exists():  # or else one that ships might be found
        raise KeepingError(f"there is no {folder / SETTINGS}, so no tournament to go on with")
    before, config = load_tournament(folder / SETTINGS), load_tournament(folder / SETTINGS, overrides)
    if changed := [key for key in differences(before, config) if key not in MAY_CHANGE]:
        raise KeepingError(f"{folder}: {', '.join(changed)} cannot change on the way")
    course = Course(config)
    with workers or LocalWorkers(config.workers) as players:
        return _play(course, Log(folder / BOARDS, config, course.seed, course.first), players, on_progress)


def _play(course: Course, opened: Log, workers: Workers, on_progress: Callable[[Progress], None]) -> Tournament:
    with opened as log, interruptible() as interrupted:
        log.begin([entrant.name for entrant in course.entrants], course.networks)
        table = _Table(course, log, workers)
        on_progress(course.progress(table.seconds))
        while not interrupted.is_set() and table.fill():
            table.clear()
            on_progress(course.progress(table.seconds))
        on_progress(course.progress(table.seconds))
        return course.result()


class _Table:
    """The chunks that are being played."""

    def __init__(self, course: Course, log: Log, workers: Workers) -> None:
        self._course, self._log, self._workers = course, log, workers
        self._playing: dict[Future[Played], tuple[Chunk, int]] = {}  # and how often each was tried before
        self._began = time.monotonic() - log.seconds

    @property
    def seconds(self) -> float:
        """Seconds that the tournament has taken so far."""
        return time.monotonic() - self._began

    def fill(self) -> bool:
        """Let all workers play; return whether anything is played that may count."""
        late = 0 < 60 * self._course.config.minutes <= self.seconds
        while self._wanted < self._workers.size and (chunk := self._course.schedule.next()):
            if chunk in self._log.chunks:
                self._course.take(chunk, self._log.chunks[chunk])
            elif self._course.spent(chunk, self._workers.size):
                self._course.schedule.settle(chunk.meeting, chunk.start)
            elif not late:
                self._begin(chunk)
        return self._wanted > 0

    def clear(self) -> None:
        """Wait a while for what is finished, write it down and count it."""
        finished, _ = wait(self._playing, _REFRESH, FIRST_COMPLETED)
        for future in finished:
            chunk, tries = self._playing.pop(future)
            try:
                played = future.result()
            except Exception as error:
                if not self._workers.died(error):
                    raise
                if self._course.wants(chunk):
                    self._begin(chunk, tries + 1)
            else:
                self._log.add(chunk, played, self.seconds)
                self._course.take(chunk, played)

    @property
    def _wanted(self) -> int:
        """How many of the chunks that are being played may still count."""
        return sum(self._course.wants(chunk) for chunk, _ in self._playing.values())

    def _begin(self, chunk: Chunk, tries: int = 0) -> None:
        if tries == _TRIES:
            raise WorkerError("processes die again and again, perhaps for want of memory; try fewer workers")
        play = self._workers.play if tries < _UNGUARDED else self._workers.play_guarded
        self._playing[play(self._course.task(chunk))] = chunk, tries

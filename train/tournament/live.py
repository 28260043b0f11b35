"""What a tournament shows on the terminal while it is played; where there is none, a line now and then."""

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from train.tournament.config import SprtConfig
from train.tournament.course import Progress
from train.tournament.estimates import Estimate, mean_of_means, student

_OFTEN, _SELDOM = 1.0, 30.0  # seconds from one picture to the next, and from one line to the next
_MEETINGS = 12  # shown at most, those that have not been settled first
_BAR = 30  # characters
_START = "workers start, and compile the engine if it has not been"


class Watch:
    """Shows a tournament while the block runs.

    Args:
        title: what is played.
        console: where, by default standard error, so that what the command prints can be piped on.
    """

    def __init__(self, title: str, console: Console | None = None) -> None:
        self._title = title
        self._console = console or Console(stderr=True, markup=False, highlight=False, emoji=False)
        self._live = Live(Text("starting"), console=self._console, refresh_per_second=4)
        self._next = 0.0  # when the next picture is due
        self.progress: Progress | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def show(self, progress: Progress) -> None:
        """Show how far it has come, unless it was shown a moment ago."""
        before, self.progress = self.progress, progress
        now = time.monotonic()
        if now < self._next and not (progress.over and before and not before.over):
            return
        self._next = now + (_OFTEN if self._console.is_terminal else _SELDOM)
        if self._console.is_terminal:
            self._live.update(Group(*picture(self._title, progress)))
        elif before is None:
            start = "" if progress.boards else f"; {_START}"
            self._console.print(f"{self._title}: at most {progress.total:,} {games(progress)}{start}", soft_wrap=True)
        else:
            self._console.print(line(progress), soft_wrap=True)


def picture(title: str, progress: Progress) -> list[Table | Text]:
    """Return what a terminal shows: how far it is, the standings, and sequential tests."""
    bar = int(_BAR * progress.boards / max(progress.total, 1))
    done = Text("━" * bar, "green") + Text("━" * (_BAR - bar), "bright_black")
    parts: list[Table | Text] = [Text(title), done + Text(f"  {counted(progress)}")]
    if not progress.boards:
        return [*parts, Text(_START)]
    table = _table("", f"points a {'match' if progress.play == 'matches' else 'board'}", "95 %", progress.play)
    for name, points in standings(progress):
        table.add_row(name, f"{points.mean:+.2f}", interval(points), f"{points.n:,}")
    parts.append(table)
    if progress.sprt:
        parts.append(_tests(progress, progress.sprt))
    if progress.rungs:
        parts.append(_gate(progress))
    return parts


def line(progress: Progress) -> str:
    """Return the same on one line, of a gate how its rungs stand."""
    if progress.rungs:
        return f"{counted(progress)}: {', '.join(' '.join(cells) for cells in _rungs(progress))}"
    points = ", ".join(f"{name} {points.mean:+.2f} {interval(points)}" for name, points in standings(progress))
    return f"{counted(progress)}: {points}" if points else counted(progress)


def counted(progress: Progress) -> str:
    """Return what is played and what time is left, as far as it can be told."""
    told = f"{progress.boards:,} of {progress.total:,} {games(progress)}"
    if progress.forfeits:
        told += f", {progress.forfeits} forfeited"
    left = progress.left
    return f"{told}, {_clock(progress.seconds)}" + ("" if left is None else f", {_clock(left)} left")


def games(progress: Progress) -> str:
    """Return what is counted: boards or matches, and whether those with exchanged parts are among them."""
    return progress.play + ", parts included" * progress.parts


def standings(progress: Progress) -> list[tuple[str, Estimate]]:
    """Return the entrants with their points a board, a mean over those they have met, best first.

    Intervals are Student's: resampling, again and again, would take its time from those who play.
    """
    own: dict[str, list[NDArray[np.float64]]] = {name: [] for name in progress.names}
    for meeting, margins in zip(progress.meetings, progress.margins, strict=True):
        for place, entrant in enumerate(meeting.entrants):
            if len(margins):
                own[progress.names[entrant]].append(margins[:, place])
    found = [(name, student(mean_of_means(columns))) for name, columns in own.items() if columns]
    return sorted(found, key=lambda row: -row[1].mean)


def interval(points: Estimate) -> str:
    """Return an interval as people read it."""
    return "" if points.low is None or points.high is None else f"{points.low:+.2f} to {points.high:+.2f}"


def _tests(progress: Progress, sprt: SprtConfig) -> Table:
    """Return how the sequential tests stand, those first that are not settled."""
    lower, upper = sprt.margins
    told = {None: "open", "lower": f"rather {lower:+g}", "upper": f"rather {upper:+g}"}
    table = _table("sequential test", progress.play, "log likelihood ratio", "bounds", "")
    shown = [
        (" – ".join(progress.names[number] for number in meeting.entrants), verdict)
        for meeting, verdict in zip(progress.meetings, progress.verdicts, strict=True)
        if verdict
    ]
    shown.sort(key=lambda row: row[1].settled is not None)
    for names, verdict in shown[:_MEETINGS]:
        bounds = f"{verdict.lower:+.2f} to {verdict.upper:+.2f}"
        table.add_row(names, f"{verdict.n:,}", f"{verdict.ratio:+.2f}", bounds, told[verdict.settled])
    if len(shown) > _MEETINGS:
        table.caption = f"and {len(shown) - _MEETINGS} more"
    return table


def _gate(progress: Progress) -> Table:
    """Return how the rungs of a gate stand."""
    table = _table("gate", "won", "95 %, at all looks", "")
    for cells in _rungs(progress):
        table.add_row(*cells)
    required = (f"{100 * rung.required:g} / {100 * rung.above:g} %" for rung in progress.rungs)
    table.caption = f"required: {', '.join(required)}"
    return table


def _rungs(progress: Progress) -> Iterator[tuple[str, str, str, str]]:
    """Yield of each rung who meets whom, what was won of how many, the interval, and how it stands."""
    for meeting, rung in zip(progress.meetings, progress.rungs, strict=True):
        names = " over ".join(progress.names[number] for number in meeting.entrants)
        won = "–" if rung.share is None else f"{100 * rung.share:.1f} % of {rung.n:,}"
        yield names, won, f"({100 * rung.low:.1f} to {100 * rung.high:.1f} %)", rung.outcome


def _table(first: str, *headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

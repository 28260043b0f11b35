"""What a training shows on the terminal: a bar and a table that stay in place; elsewhere a line now and then."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

_ROWS = {  # metric: what people call it, and how it is written
    "speed/decisions": ("decisions a second", "{:,.0f}"),
    "speed/positions": ("positions labelled a second", "{:,.0f}"),
    "teacher/explained_variance": ("teacher: variance of labels explained", "{:.1%}"),
    "teacher/holders": ("teacher: knows who holds a card", "{:.1%}"),
    "teacher/gain": ("teacher: points gained a decision", "{:+.3f}"),
    "policy/gain": ("policy: points gained a decision", "{:+.3f}"),
    "policy/given_up": ("policy: points given up a decision", "{:.3f}"),
    "policy/agreement": ("policy: plays the teacher's card", "{:.1%}"),
    "imitation/calls": ("cross-entropy, calls", "{:.3f}"),
    "imitation/cards": ("cross-entropy, cards", "{:.3f}"),
    "loss/value": ("loss, value", "{:.3f}"),
    "value/explained_variance": ("value: variance explained", "{:.0%}"),
    "entropy/calls": ("entropy, calls", "{:.3f}"),
    "entropy/cards": ("entropy, cards", "{:.3f}"),
    "kl/calls": ("KL of the update, calls", "{:.4f}"),
    "kl/cards": ("KL of the update, cards", "{:.4f}"),
    "league/searching": ("tables where an agent searches", "{:.1%}"),
    "league/searching_wanted": ("... as the shares want it", "{:.1%}"),
    "speed/deals": ("deals a second", "{:,.1f}"),
    "values/solved": ("log-loss, points with all cards seen", "{:.3f}"),
    "values/played": ("log-loss, points as played", "{:.3f}"),
    "contracts/bid": ("deals with a contract", "{:.0%}"),
    "contracts/made": ("contracts made", "{:.0%}"),
    "contracts/contra": ("contracts contra'd", "{:.0%}"),
    "contracts/number": ("average number", "{:.1f}"),
}
_QUIET_INTERVAL = 10  # iterations from line to line where there is no terminal


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Fall silent: a training goes on when nobody reads what it says."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


class Display:
    """Shows a training while the block runs."""

    def __init__(self, title: str) -> None:
        self._title, self._console = title, _Console(stderr=True, markup=False, highlight=False, emoji=False)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
        )
        self._task = self._bar.add_task("compiling the engine if it has not been, first evaluation", total=1.0)
        self._live = Live(self._bar, console=self._console, refresh_per_second=4)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        else:
            self._console.print(f"{self._title}: compiling the engine if it has not been, which takes a minute or so")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def show(
        self,
        done: float,
        phase: str,
        iteration: int,
        decisions: int,
        metrics: Mapping[str, float],
        margins: Mapping[str, tuple[float, float]],
    ) -> None:
        """Show an iteration.

        Args:
            done: share of the training that is over.
            phase: what the iteration did.
            iteration: how many are finished.
            decisions: of the learner, all in all.
            metrics: of the iteration.
            margins: by opponent, match points a board of the last evaluation and half their 95 % interval.
        """
        if not self._console.is_terminal:
            if iteration % _QUIET_INTERVAL == 0 or done >= 1:
                self._console.print(
                    f"{min(done, 1.0):4.0%} {phase} {iteration}: {_line(metrics, margins)}", soft_wrap=True
                )
            return
        table = Table(
            show_header=False,
            box=None,
            title=Text(f"{self._title}: {phase}, iteration {iteration}, {decisions:,} decisions"),
            title_justify="left",
        )
        table.add_column("")
        table.add_column("", justify="right", min_width=16)
        for name, (label, style) in _ROWS.items():
            if name in metrics:
                table.add_row(label, style.format(metrics[name]))
        for spec, (mean, margin) in margins.items():
            table.add_row(f"points a board against {spec}", f"{mean:+.2f} ± {margin:.2f}")
        self._bar.update(self._task, completed=min(done, 1.0), description=phase)
        self._live.update(Group(self._bar, table))

    def finish(
        self, folder: Path, iteration: int, margins: Mapping[str, tuple[float, float]], agent: str = "policy"
    ) -> None:
        """Say where the result is, and by which name of an agent it plays."""
        results = ", ".join(f"{mean:+.2f} ± {margin:.2f} against {spec}" for spec, (mean, margin) in margins.items())
        points = f"; match points a board {results}" if margins else ""
        self._console.print(f"{folder}: {iteration} iterations{points}", soft_wrap=True)
        self._console.print(
            f"play it as {agent}:{folder}; its curves: tensorboard --logdir {folder.parent}", soft_wrap=True
        )


def _line(metrics: Mapping[str, float], margins: Mapping[str, tuple[float, float]]) -> str:
    shown = [f"{label} {style.format(metrics[name])}" for name, (label, style) in _ROWS.items() if name in metrics]
    shown += [f"against {spec} {mean:+.2f} ± {margin:.2f}" for spec, (mean, margin) in margins.items()]
    return "; ".join(shown)

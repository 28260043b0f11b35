"""Progress on the terminal, on standard error, so that what a command prints can be piped on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the time left, from the first call of what this yields, which takes how many more are done."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    progress = Progress(*columns, console=Console(stderr=True))
    task = progress.add_task(f"{what} (starting)", total=total)  # on a new machine kernels are compiled first

    def advance(done: int) -> None:
        progress.start()
        progress.update(task, advance=done, description=what if done else None)

    try:
        yield advance
    finally:
        if progress.live.is_started:
            progress.stop()

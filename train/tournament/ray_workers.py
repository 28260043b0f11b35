"""Workers on a Ray cluster: the same tasks as on one machine, on all cores of all of its machines."""

from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from types import TracebackType
from typing import Any, Self

from train.ray_cluster import Home, connected, import_ray
from train.tournament.played import Played
from train.tournament.workers import Task, play_guarded, play_task


class RayWorkers:
    """The cores of a Ray cluster.

    Args:
        address: of the cluster, see `train.ray_cluster.connected`.
    """

    def __init__(self, address: str) -> None:
        self._address, self._home = address, Home.here()
        self._stack = ExitStack()

    @property
    def size(self) -> int:
        """How many tasks they play at once: the cores of the cluster as it is now."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def play(self, task: Task) -> Future[Played]:
        """Play boards."""
        return self._submit(_play, task)

    def play_guarded(self, task: Task) -> Future[Played]:
        """Play boards as `train.tournament.workers.play_guarded`."""
        return self._submit(_play_guarded, task)

    def died(self, error: BaseException) -> bool:
        """Return whether an error of `play` says that the process died, or its machine, or the way to it."""
        return isinstance(error, self._ray.exceptions.RayError)

    def __enter__(self) -> Self:
        """Join the cluster.

        Raises:
            RayError: there is none.
        """
        self._stack.enter_context(connected(self._address))
        self._ray: Any = import_ray()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave it."""
        self._stack.close()

    def _submit(self, play: Any, task: Task) -> Future[Played]:
        """Let the cluster play, without retries of its own: whoever asked counts how often a task is lost."""
        told: Future[Played] = Future()
        self._ray.remote(max_retries=0)(play).remote(self._home, task).future().add_done_callback(
            partial(_pass_on, told)
        )
        return told


def _pass_on(told: Future[Played], answer: Future[Played]) -> None:
    """Tell what a task has come to; what went wrong in it as it was raised there."""
    error = answer.exception()
    if error is None:
        told.set_result(answer.result())
    else:
        told.set_exception(getattr(error, "cause", None) or error)


def _play(home: Home, task: Task) -> Played:
    home.enter()
    return play_task(task)


def _play_guarded(home: Home, task: Task) -> Played:
    home.enter()
    return play_guarded(task)

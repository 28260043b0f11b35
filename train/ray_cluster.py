"""A Ray cluster that does the work of one machine: what `--ray ADDRESS` of trainings and tournaments have in common.

Every machine of the cluster needs the same blot, and under the same path the files that specs of agents name. What is
sent is the work alone: a task never depends on where it is done, so its result is the same on any worker.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

_PATIENCE = 10  # seconds for a connection; ray itself waits for minutes before it says that nobody answers


class RayError(ValueError):
    """A Ray cluster that cannot be used, or was lost."""


@dataclass(frozen=True)
class Home:
    """Where the work comes from: a worker that takes it up has to be alike."""

    blot: str  # version, and a digest of its source
    folder: Path  # in which specs that name files were written

    @classmethod
    def here(cls) -> "Home":
        """Return this process's own."""
        return cls(_installed(), Path.cwd())

    def enter(self) -> None:
        """Make a worker's process fit for the work.

        Raises:
            RayError: another blot is installed here.
        """
        if _installed() != self.blot:
            raise RayError(
                f"{socket.gethostname()} has blot {_installed()}, and the work comes from {self.blot}; "
                "install the same on every machine of the cluster"
            )
        if self.folder.is_dir():  # where it is not, files that are missed will be named
            os.chdir(self.folder)


def import_ray() -> ModuleType:
    """Return the package `ray`.

    Raises:
        RayError: it is not installed.
    """
    try:
        import ray
    except ImportError:
        raise RayError("a Ray cluster needs the package ray: pip install '.[ray]' in a clone brings it") from None
    return ray


@contextmanager
def connected(address: str) -> Iterator[int]:
    """Be connected to a cluster while the block runs; yields how many CPUs it has.

    Args:
        address: HOST:PORT of its head, `auto` for the one that runs on this machine, `local` for one that is started
            here and ends with the block, or ray://HOST:PORT from a machine that does not belong to it.

    Raises:
        RayError: there is no such cluster, or no ray is installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = import_ray()
    _knock(address)
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError) as error:
        raise RayError(f"--ray {address}: {_first_line(error)}") from None
    try:
        yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()


def result_of(task: Any) -> Any:
    """Return what a task (an ObjectRef) has come to, waiting for it.

    Raises:
        RayError: its worker died, and so did those that tried again.
        Exception: whatever the task itself raised.
    """
    ray = import_ray()
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise RayError(f"the Ray cluster lost a task for good: {_first_line(error)}") from None


@cache
def _installed() -> str:
    """Return which blot this process runs: another source may come to other results under the same version."""
    digest, home = sha256(), Path(__file__).parents[1]
    for package in ("blot_env", "agents", "train"):
        for path in sorted((home / package).rglob("*.py")):
            digest.update(path.relative_to(home).as_posix().encode() + path.read_bytes())
    return f"{version('blot')} ({digest.hexdigest()[:12]})"


def _knock(address: str) -> None:
    """Say at once that nobody answers.

    Raises:
        RayError: nobody does, or it is no address.
    """
    if address in {"auto", "local"}:
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not host or not port.isdecimal():
        raise RayError(f"--ray {address}: give HOST:PORT of the cluster's head, ray://HOST:PORT, auto or local")
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise RayError(f"--ray {address}: no cluster answers there: {error}") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)

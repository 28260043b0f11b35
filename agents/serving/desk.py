"""Where requests wait for a thread that thinks: work is bounded, and what is accepted is answered."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")


class BusyError(Exception):
    """As many requests wait as may."""


class Desk:
    """Works in threads, so that the event loop goes on; the kernels and onnxruntime let go of Python's lock.

    Args:
        threads: how many requests are worked on at a time.
        queue: how many more may wait.
    """

    def __init__(self, threads: int, queue: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinking")
        self._threads, self._most = threads, threads + queue
        self._accepted = 0

    @property
    def waiting(self) -> int:
        """How many requests wait for a thread."""
        return max(0, self._accepted - self._threads)

    async def work(self, job: Callable[[], Answer]) -> Answer:
        """Return what a job returns, once a thread has done it.

        Raises:
            BusyError: there is no room to wait; nothing has been begun.
        """
        if self._accepted >= self._most:
            raise BusyError
        self._accepted += 1
        done = asyncio.get_running_loop().run_in_executor(self._pool, job)
        done.add_done_callback(self._finish)  # not sooner, though whoever asked may have left
        return await asyncio.shield(done)

    def _finish(self, done: "asyncio.Future[Answer]") -> None:
        self._accepted -= 1
        done.cancelled() or done.exception()  # which has been seen, even if whoever asked has left

    def close(self) -> None:
        """End the threads, once what they work on is done."""
        self._pool.shutdown()

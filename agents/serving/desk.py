"""Where requests wait for a thread that thinks: work is bounded, and what is begun is answered."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class BusyError(Exception):
    """As many requests wait as may, or none may any longer; the message says which."""


class Desk:
    """Works in threads, so that the event loop goes on; the kernels and onnxruntime let go of Python's lock.

    Args:
        threads: how many requests are worked on at a time.
        queue: how many more may wait.
    """

    def __init__(self, threads: int, queue: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinking")
        self._threads, self._most = threads, threads + queue
        self._ends = False
        self._jobs: set[Future[Any]] = set()  # begun, or waiting

    @property
    def waiting(self) -> int:
        """How many requests wait for a thread."""
        return max(0, len(self._jobs) - self._threads)

    async def work(self, job: Callable[[], Answer]) -> Answer:
        """Return what a job returns, once a thread has done it.

        Raises:
            BusyError: there is no room to wait, or the desk ends before it is begun.
        """
        if len(self._jobs) >= self._most:
            raise self._refusal()
        begun = self._pool.submit(job)
        self._jobs.add(begun)
        done = asyncio.wrap_future(begun)
        done.add_done_callback(lambda done: self._finish(begun, done))  # not sooner, though whoever asked may have left
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            if begun.cancelled():
                raise self._refusal() from None
            raise

    def _refusal(self) -> BusyError:
        return BusyError(
            "the server ends; ask another, or come again" if self._ends else "too many requests wait; come again"
        )

    def _finish(self, begun: Future[Answer], done: "asyncio.Future[Answer]") -> None:
        self._jobs.discard(begun)
        done.cancelled() or done.exception()  # which has been seen, even if whoever asked has left

    def end(self) -> None:
        """Refuse what has not been begun and, from now on, what a thread is not free for."""
        self._ends, self._most = True, self._threads
        for job in self._jobs:
            job.cancel()  # which one that is worked on does not heed

    def close(self) -> None:
        """End the threads, once what they work on is done."""
        self._pool.shutdown()

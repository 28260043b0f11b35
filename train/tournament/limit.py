"""A limit on the time that a decision takes, whatever the agent is busy with.

Python code is interrupted by an alarm. Compiled code cannot be: where it goes on for long after the alarm, the whole
process ends, and whoever started it sees a dead worker.
"""

import faulthandler
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

GRACE = 10.0  # seconds after the alarm at which the process ends

_nowhere = Path("/dev/null").open("w")  # noqa: SIM115 (open as long as the process runs: the traceback goes there)


class TooLong(BaseException):
    """The time is over; no Exception, so that an agent that catches all of those does not catch it."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Interrupt what is done inside after some seconds; None: never.

    Only the main thread can be interrupted; in another one, only the process ends.

    Raises:
        TooLong: it took longer.
    """
    if seconds is None:
        yield
        return
    interruptible = current_thread() is main_thread()
    before = signal.signal(signal.SIGALRM, _interrupt) if interruptible else None
    faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=_nowhere)
    try:
        try:
            if interruptible:
                signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
        finally:
            if interruptible:
                signal.setitimer(signal.ITIMER_REAL, 0)  # the alarm may still come here, but no later
    finally:
        faulthandler.cancel_dump_traceback_later()
        if interruptible:
            signal.signal(signal.SIGALRM, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise TooLong

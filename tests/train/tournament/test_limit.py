"""The limit on time: what is late is interrupted, and nothing is left behind."""

import signal
import threading
import time
from contextlib import suppress

import pytest

from train.tournament.limit import TooLong, time_limit


def test_what_is_late_is_interrupted() -> None:
    start = time.monotonic()
    with pytest.raises(TooLong), time_limit(0.05):
        time.sleep(30)
    assert time.monotonic() - start < 20


def test_whoever_catches_every_exception_does_not_catch_the_end_of_its_time() -> None:
    with pytest.raises(TooLong), time_limit(0.05), suppress(Exception):
        time.sleep(30)


@pytest.mark.parametrize("seconds", [None, 30])
def test_what_is_in_time_goes_on_and_other_alarms_with_it(seconds: float | None) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
    try:
        with pytest.raises(KeyError), time_limit(seconds):
            raise KeyError
        with time_limit(seconds):
            pass
        signal.raise_signal(signal.SIGALRM)
        assert heard == [signal.SIGALRM]
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_in_another_thread_there_is_no_alarm() -> None:
    done: list[bool] = []

    def work() -> None:
        with time_limit(0.01):
            time.sleep(0.1)
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]

"""What takes a minute or two in a new installation: kernels are compiled when they are first needed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Timer

PATIENCE = 3.0
"""Seconds before anything is told."""


@contextmanager
def told_if_slow() -> Iterator[None]:
    """Tell on standard error that kernels are compiled, if what is done takes long; once a process."""
    timer = Timer(PATIENCE, _tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def _tell() -> None:
    print("blot: compiling the engine if it has not been, which takes a minute or two", file=sys.stderr, flush=True)

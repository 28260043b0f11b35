"""Which fields of a rule set the tests of house rules cover."""

from collections.abc import Callable
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., Any])

COVERED: set[str] = set()


def covers(*fields: str) -> Callable[[Test], Test]:
    """Mark a test as one that flips these fields where it matters."""

    def mark(test: Test) -> Test:
        COVERED.update(fields)
        return test

    return mark

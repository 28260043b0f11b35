"""Agents that fail at some decisions, the same whenever they are asked."""

import os
import time
from collections.abc import Callable
from itertools import repeat

import numpy as np

from blot_env import Decisions, RuleSet

Failure = Callable[[Decisions], object]


class Faulty:
    """Takes its first legal action, but at some decisions does something else.

    Args:
        failure: what it does instead, given one such decision; what it returns is its answer.
        share: one of so many decisions is such.
    """

    name = "faulty"

    def __init__(self, failure: Failure, share: int = 40) -> None:
        self._failure, self._share = failure, share

    def act(self, decisions: Decisions) -> np.ndarray:
        wrong = np.flatnonzero(decisions.seeds % self._share == 0)
        answers = decisions.masks.argmax(1)
        if len(wrong):
            answer = self._failure(decisions[wrong[:1]])
            if len(decisions) == 1:
                return answer  # type: ignore[return-value]
            answers[wrong] = -5
        return answers


def crash(decisions: Decisions) -> object:
    raise RuntimeError("out of\ncards")


def leave(decisions: Decisions) -> object:
    raise SystemExit(3)


def sleep(decisions: Decisions) -> object:
    try:
        time.sleep(60)
    except Exception:  # a time that is over is not for an agent to catch
        return decisions.masks.argmax(1)


def hang(decisions: Decisions) -> object:
    """Never return, nor listen to any signal."""
    return sum(repeat(0))


def cheat(decisions: Decisions) -> object:
    """Call illegal what is legal, and the reverse, and answer accordingly."""
    decisions.masks[:] = 1 - decisions.masks
    return decisions.masks.argmax(1)


def die(decisions: Decisions) -> object:
    """End the process, as a crash in compiled code does."""
    os.abort()


class Failing(Faulty):
    """An agent of this kind for worker processes, which know agents by specs: `faulty:die`."""

    def __init__(self, rules: RuleSet, how: str) -> None:
        super().__init__(globals()[how])
        self.name = f"faulty:{how}"

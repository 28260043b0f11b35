"""Workers: what they play is what is played at home, and a process that dies costs nobody else anything."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import agents
from blot_env import RuleSet
from tests.train.tournament.meetings import meet
from train.tournament.asking import DIED
from train.tournament.entrants import entrants_of
from train.tournament.played import Played
from train.tournament.workers import LocalWorkers, Task


@pytest.fixture
def workers() -> Iterator[LocalWorkers]:
    with LocalWorkers(1) as workers:
        yield workers


def task(rules: RuleSet, *specs: str, boards: int = 6) -> Task:
    return Task(rules, entrants_of(rules, specs), range(boards), 4, "boards", True, False, 60.0)


def same(one: Played, other: Played) -> bool:
    """Whether the same was played, though not in the same time."""
    columns = ("boards", "board", "table", "deal", "results", "actions")
    return one.faults == other.faults and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in columns
    )


def test_a_worker_that_dies_costs_its_task_alone(rules: RuleSet, faulty: None, workers: LocalWorkers) -> None:
    deadly, harmless = task(rules, "faulty:die", "random"), task(rules, "random", "random:uniform")
    futures = [workers.play(harmless), workers.play(deadly), workers.play(harmless)]
    at_home = meet(rules, ["random", "random:uniform"], range(6))
    assert same(futures[0].result(), at_home)
    error = futures[1].exception()
    assert error is not None
    assert workers.died(error)
    assert same(futures[2].result(), at_home)


def test_who_ends_the_process_forfeits_as_who_raises_an_error(
    rules: RuleSet, faulty: None, workers: LocalWorkers
) -> None:
    deadly = replace(task(rules, "faulty:die", "random"), boards=range(4, 6))
    guarded = workers.play_guarded(deadly).result()
    at_home = meet(rules, ["faulty:crash", "random"], deadly.boards, alone=True)
    assert guarded.faults == tuple(replace(fault, reason=DIED) for fault in at_home.faults) != ()
    assert same(replace(guarded, faults=()), replace(at_home, faults=()))


def test_what_goes_wrong_at_home_is_no_death(rules: RuleSet, workers: LocalWorkers) -> None:
    broken = task(rules, "random", "rules")
    nobody = replace(broken.meeting[0], calls=("ruels",))
    for play in (workers.play, workers.play_guarded):
        error = play(replace(broken, meeting=(nobody, broken.meeting[1]))).exception()
        assert isinstance(error, agents.SpecError)
        assert not workers.died(error)

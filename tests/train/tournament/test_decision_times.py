"""Decisions are timed one by one in a process of their own, and one who ends it has no times."""

from blot_env import RuleSet
from train.tournament.decision_times import time_decisions
from train.tournament.entrants import entrants_of


def test_every_entrant_is_timed_and_one_who_ends_the_process_is_not(rules: RuleSet, faulty: None) -> None:
    entrants = entrants_of(rules, ["random", "faulty:die", "random"])
    first, dead, again = time_decisions(rules, entrants, range(100), 4, 60.0)
    assert first["n"] == again["n"] > 20, "the same deals, of two or more legal actions each"
    assert first["faults"] == again["faults"] == 0
    assert 0 < first["mean"] <= first["p99"] < 60
    assert dead == {"median": None, "p99": None, "mean": None, "n": 0, "faults": 1}

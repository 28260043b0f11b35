"""Cycles, sure ones and others."""

from itertools import combinations, permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from train.tournament.cycles import Cycle, find_cycles
from train.tournament.estimates import Estimate, bootstrap


def by(mean: float, reach: float = 0.5) -> Estimate:
    return Estimate(mean, mean - reach, mean + reach, 1.0, 10)


def test_a_cycle_by_the_means_is_told_from_a_sure_one() -> None:
    sure = {(0, 1): by(1), (1, 2): by(2), (0, 2): by(-1)}
    assert find_cycles(sure) == [Cycle((0, 1, 2), True)]
    assert find_cycles({**sure, (0, 2): by(-0.3)}) == [Cycle((0, 1, 2), False)]
    assert find_cycles({**sure, (0, 2): Estimate(-1, None, None, None, 1)}) == [Cycle((0, 1, 2), False)]
    assert find_cycles({**sure, (0, 2): by(0.1)}) == find_cycles({**sure, (0, 2): by(0)}) == []
    assert find_cycles({(0, 1): by(-1), (1, 2): by(-2), (0, 2): by(1)}) == [Cycle((0, 2, 1), True)]


def test_who_has_not_met_is_in_no_cycle() -> None:
    assert find_cycles({(0, 1): by(1), (0, 2): by(-1)}) == []


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=10, max_size=10))
def test_all_cycles_are_found_once(signs: list[float]) -> None:
    differences = {pair: by(sign) for pair, sign in zip(combinations(range(5), 2), signs, strict=True)}
    wins = {pair for pair, d in differences.items() if d.mean > 0} | {
        pair[::-1] for pair, d in differences.items() if d.mean < 0
    }
    expected = {
        frozenset([(a, b), (b, c), (c, a)]) for a, b, c in permutations(range(5), 3) if {(a, b), (b, c), (c, a)} <= wins
    }
    found = find_cycles(differences)
    assert {frozenset(zip(c.entrants, c.entrants[1:] + c.entrants[:1], strict=True)) for c in found} == expected
    assert len(found) == len(expected)
    assert all(cycle.sure for cycle in found)


def test_equal_entrants_seldom_make_a_sure_cycle() -> None:
    rng = np.random.default_rng(1)
    sure = means = 0
    for _ in range(200):
        found = find_cycles({pair: bootstrap(rng.normal(size=12)) for pair in combinations(range(3), 2)})
        sure += sum(cycle.sure for cycle in found)
        means += len(found)
    assert sure == 0
    assert 30 <= means <= 75  # a quarter of the time by the means: two of the eight ways in which three pairs can end

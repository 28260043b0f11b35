"""The interval of a share at all looks: how seldom it ever misses the truth, and how wide it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from train.tournament.betting import STAKES, always_valid
from train.tournament.estimates import proportion

VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=60)


@pytest.mark.parametrize(("truth", "drawn"), [(0.55, 0.3), (0.5, 0.0), (0.9, 0.1)])
def test_it_hardly_ever_misses_the_truth_at_any_look(truth: float, drawn: float) -> None:
    """Of 600 repetitions, each with 400 looks, 5 % at most may miss; their scatter is 0.9 %."""
    rng = np.random.default_rng(5)
    won = truth - drawn / 2
    missed = 0
    for _ in range(600):
        values = rng.choice([0.0, 0.5, 1.0], 400, p=[1 - won - drawn, drawn, won])
        counts = np.cumsum(values[:, None] == [0.0, 0.5, 1.0], axis=0)
        missed += bool((purse(counts, truth) >= 40).any() or (purse(counts[:, ::-1], 1 - truth) >= 40).any())
    assert missed / 600 <= 0.05 + 0.02


def purse(counts: np.ndarray, share: float) -> np.ndarray:
    """What the purses hold after each value, by the plain product: the truth of the interval's lower end."""
    factors = 1 + STAKES[:, None] * (np.array([0.0, 0.5, 1.0]) / share - 1)
    return np.prod(factors ** counts[:, None, :], axis=2).mean(1)


@given(VALUES)
def test_its_ends_are_where_the_purse_has_grown_forty_fold(values: list[float]) -> None:
    low, high = always_valid(np.array(values))
    assert 0 <= low <= np.mean(values) <= high <= 1
    for share, own in ((low, np.array(values)), (1 - high, 1 - np.array(values))):
        if share > 1e-6:
            grown = np.prod(1 + STAKES[:, None] * (own / share - 1), axis=1).mean()
            assert grown == pytest.approx(40, rel=1e-4)


@given(VALUES)
def test_the_other_side_has_the_same_interval_mirrored(values: list[float]) -> None:
    low, high = always_valid(np.array(values))
    other_low, other_high = always_valid(1 - np.array(values))
    assert (1 - high, 1 - low) == pytest.approx((other_low, other_high), abs=1e-6)


def test_before_the_first_value_anything_is_possible() -> None:
    assert always_valid(np.zeros(0)) == (0, 1)


@pytest.mark.parametrize("n", [64, 256, 1024])
def test_it_is_less_than_twice_as_wide_as_an_interval_for_one_look(n: int) -> None:
    values = np.tile([0.0, 0.5, 1.0, 1.0], n // 4)
    low, high = always_valid(values)
    plain = proportion(values)
    assert plain.low is not None
    assert plain.high is not None
    assert plain.high - plain.low < high - low < 2 * (plain.high - plain.low)

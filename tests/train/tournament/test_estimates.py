"""Intervals: they cover what they promise, and know what they do not know."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binomtest
from scipy.stats import bootstrap as plain_bootstrap
from scipy.stats import t as student_t

from train.tournament.estimates import bootstrap, mean_of_means, proportion, student

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]


def margins(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Like those of duplicate boards: mostly small, halves, and now and then a capot; their mean is 0."""
    return np.round(rng.standard_t(4, n) * 10) / 2


def skew(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return rng.gamma(2.0, size=n) - 2


@pytest.mark.parametrize("n", [8, 16, 60])
@pytest.mark.parametrize("draw", [margins, skew])
def test_the_interval_covers_the_truth_in_95_percent(draw: Draw, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("train.tournament.estimates.RESAMPLES", 800)  # for time's sake
    rng = np.random.default_rng(n)
    estimates = [bootstrap(draw(rng, n)) for _ in range(500)]
    covered = np.mean([estimate.low <= 0 <= estimate.high for estimate in estimates])  # type: ignore[operator]
    assert 0.91 <= covered <= 0.98  # 500 repetitions scatter by 0.01; skew and few boards cost up to 0.02


@pytest.mark.parametrize("n", [400, 2000])
def test_it_is_the_interval_of_the_plain_bootstrap(n: int) -> None:
    values = margins(np.random.default_rng(1), n)
    plain = plain_bootstrap((values,), np.mean, n_resamples=4000, method="percentile", rng=1).confidence_interval
    ours = bootstrap(values)
    assert (ours.low, ours.high) == pytest.approx((plain.low, plain.high), abs=0.05 * (plain.high - plain.low))
    assert (ours.mean, ours.sd, ours.n) == (values.mean(), values.std(ddof=1), n)


@pytest.mark.parametrize("n", [15, 16, 100, 2000])
def test_students_interval_is_much_the_same(n: int) -> None:
    values = margins(np.random.default_rng(8), n)
    ours, plain = bootstrap(values), student(values)
    assert (plain.mean, plain.sd, plain.n) == (ours.mean, ours.sd, ours.n)
    assert (plain.low, plain.high) == pytest.approx((ours.low, ours.high), abs=0.1 * ours.margin)  # type: ignore[operator]
    assert (plain == ours) == (n < 16)
    expected = student_t.interval(0.95, n - 1, values.mean(), values.std(ddof=1) / n**0.5)
    assert (plain.low, plain.high) == pytest.approx(expected)


def test_many_different_values_are_the_same_in_bins() -> None:
    values = np.random.default_rng(2).standard_t(3, 20_000)
    ours = bootstrap(values)
    reach = 1.96 * values.std(ddof=1) / len(values) ** 0.5
    assert (ours.low, ours.high) == pytest.approx((values.mean() - reach, values.mean() + reach), abs=0.1 * reach)


@given(st.integers(2, 200), st.sampled_from([0.0, 0.5, -3.0]))
@settings(max_examples=20, deadline=None)
def test_boards_that_are_all_alike_have_no_width(n: int, value: float) -> None:
    ours = bootstrap(np.full(n, value))
    assert (ours.mean, ours.low, ours.high, ours.sd) == (value, value, value, 0)


def test_one_board_has_no_interval_and_none_no_mean() -> None:
    for estimate in (bootstrap(np.array([2.5])), proportion(np.array([1.0]))):
        assert (estimate.low, estimate.high, estimate.sd, estimate.n) == (None, None, None, 1)
    for function in (bootstrap, proportion, student):
        with pytest.raises(ValueError, match="needs a value"):
            function(np.array([]))


def test_the_same_boards_have_the_same_interval() -> None:
    values = margins(np.random.default_rng(3), 100)
    assert bootstrap(values) == bootstrap(values, seed=0) != bootstrap(values, seed=1)


@pytest.mark.parametrize("n", [10, 100, 3000])
def test_both_sides_have_the_same_interval(n: int) -> None:
    values = margins(np.random.default_rng(n), n)
    own, other = bootstrap(values), bootstrap(-values)
    assert other.mean == -own.mean
    assert (other.low, other.high) == pytest.approx((-own.high, -own.low), abs=1e-12)  # type: ignore[operator]


def test_won_or_lost_outright_is_wilsons_interval() -> None:
    for won in (0, 1, 7, 19, 20):
        values = np.repeat([1.0, 0.0], [won, 20 - won])
        wilson = binomtest(won, 20).proportion_ci(method="wilson")
        ours = proportion(values)
        assert (ours.low, ours.high) == pytest.approx((wilson.low, wilson.high))
    halves = proportion(np.full(20, 0.5))
    assert (halves.mean, halves.low, halves.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("share", [0.3, 0.95])
def test_the_interval_of_a_proportion_covers_the_truth(share: float) -> None:
    rng = np.random.default_rng(4)
    tables = rng.random((2000, 40, 2)) < share  # two tables a board that hang together: half the time the second
    tables[:, :, 1] = np.where(rng.random((2000, 40)) < 0.5, tables[:, :, 0], tables[:, :, 1])  # is as the first
    estimates = [proportion(values) for values in tables.mean(2)]
    covered = np.mean([estimate.low <= share <= estimate.high for estimate in estimates])  # type: ignore[operator]
    assert 0.93 <= covered <= 0.975


def test_samples_of_the_same_boards_are_averaged() -> None:
    rng = np.random.default_rng(5)
    one, two = rng.normal(size=50), rng.normal(size=50)
    assert mean_of_means([one, two]) == pytest.approx((one + two) / 2)
    assert mean_of_means([one, -one]) == pytest.approx(np.zeros(50))  # what hangs together is not taken for luck


def test_samples_of_unequal_length_scatter_as_their_mean_does() -> None:
    rng = np.random.default_rng(6)
    means, widths = [], []
    for _ in range(1000):
        cards = rng.normal(size=60)
        long, short = cards + rng.normal(size=60), cards[:20] + rng.normal(size=20)
        values = mean_of_means([long, short])
        assert values.mean() == pytest.approx((long.mean() + short.mean()) / 2)
        means.append(values.mean())
        widths.append(values.std(ddof=1) / 60**0.5)
    assert np.mean(widths) == pytest.approx(np.std(means), rel=0.08)

"""The sequential test: its error rates under peeking at chunk ends, and how many boards it saves."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import ndtri

from train.tournament.config import SprtConfig, TournamentConfig
from train.tournament.sprt import FEWEST, Sprt, Verdict, sprt_of

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]
REPETITIONS = 600
SLACK = 0.02  # 600 repetitions of 5 % scatter by 0.009


def normal(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return rng.normal(0, 15, n)


def heavy(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Tails beyond those of margins, whose excess kurtosis is 2 and 3 on boards of bazar: here it is infinite."""
    return rng.standard_t(3, n) * 9


def two_humps(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Made or failed, on single tables."""
    return rng.choice([-30.0, 30.0], n) + rng.normal(0, 8, n)


def seldom(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Agents who differ on one board of fifty, and then all one way: most samples look alike."""
    return np.where(rng.random(n) < 0.02, -16.0, 0.0) + 0.32


def follow(sprt: Sprt, margins: NDArray[np.float64], looks: range) -> Verdict:
    """The first verdict that settles the test, or else the last: as a tournament looks, after each chunk."""
    for boards in looks:
        verdict = sprt.look(margins[:boards])
        if verdict.settled:
            break
    return verdict


def settled(draw: Draw, truth: float, sprt: Sprt, chunk: int, most: int) -> tuple[dict[str | None, float], float]:
    """Return how often each margin is accepted where the truth is this, and the boards that it takes."""
    rng = np.random.default_rng(11)
    verdicts = [follow(sprt, truth + draw(rng, most), range(chunk, most + 1, chunk)) for _ in range(REPETITIONS)]
    shares = {way: float(np.mean([v.settled == way for v in verdicts])) for way in ("lower", "upper", None)}
    return shares, float(np.mean([v.n for v in verdicts]))


@pytest.mark.parametrize("chunk", [4, 64])
@pytest.mark.parametrize("draw", [normal, heavy, two_humps])
def test_it_errs_as_seldom_as_it_promises(draw: Draw, chunk: int) -> None:
    sprt = Sprt(SprtConfig(margins=(0.0, 4.0)), spread=16)
    lower, _ = settled(draw, 0.0, sprt, chunk, 3200)
    upper, _ = settled(draw, 4.0, sprt, chunk, 3200)
    assert lower["upper"] <= 0.05 + SLACK
    assert upper["lower"] <= 0.05 + SLACK
    assert lower[None] <= 0.01  # it does come to an end
    assert upper[None] <= 0.01


def test_errors_of_different_size_are_kept_apart() -> None:
    sprt = Sprt(SprtConfig(margins=(-2.0, 0.0), alpha=0.01, beta=0.2), spread=16)
    lower, _ = settled(normal, -2.0, sprt, 16, 3200)
    upper, _ = settled(normal, 0.0, sprt, 16, 3200)
    assert lower["upper"] <= 0.01 + 0.01
    assert 0.12 <= upper["lower"] <= 0.2 + 0.04


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "upper"), (0.3, "lower")])
def test_what_is_rare_has_time_to_show(truth: float, wrong: str) -> None:
    shares, _ = settled(seldom, truth, Sprt(SprtConfig(margins=(0.0, 0.3)), spread=16), 16, 6400)
    assert shares[wrong] <= 0.05 + SLACK


def test_it_takes_about_half_the_boards_of_a_test_of_fixed_size() -> None:
    sprt = Sprt(SprtConfig(margins=(0.0, 3.0)), spread=16)
    fixed = (2 * ndtri(0.95) * 15 / 3) ** 2  # boards that keep both errors at 5 % where the SD is known
    for truth in (0.0, 3.0):
        _, boards = settled(normal, truth, sprt, 8, 3200)
        assert 0.4 * fixed < boards < 0.65 * fixed
    _, boards = settled(normal, 9.0, sprt, 8, 3200)  # and far fewer where the answer is plain
    assert boards < 0.3 * fixed


@pytest.mark.parametrize("draw", [normal, heavy, two_humps])
def test_the_interval_holds_at_all_looks_at_once(draw: Draw) -> None:
    sprt = Sprt(SprtConfig(margins=(-1.0, 3.0)), spread=16)
    rng = np.random.default_rng(12)
    missed = 0
    for _ in range(REPETITIONS):
        margins = 1.0 + draw(rng, 1600)  # between both margins, where the test takes longest
        looks = [sprt.look(margins[:boards]) for boards in range(FEWEST, 1601, 16)]
        missed += not all(verdict.low <= 1.0 <= verdict.high for verdict in looks)  # type: ignore[operator]
    assert missed / REPETITIONS <= 0.05 + SLACK
    last = looks[-1]
    assert last.high - last.low < 2 * 2 * 1.96 * margins.std() / 40  # type: ignore[operator]  # not twice that of one look


@pytest.mark.parametrize(("truth", "way"), [(-200.0, "lower"), (200.0, "upper")])
def test_what_lies_far_beyond_both_margins_is_settled_at_once(truth: float, way: str) -> None:
    sprt = Sprt(SprtConfig(margins=(0.0, 0.2)), spread=16)
    verdict = follow(sprt, truth + normal(np.random.default_rng(13), 6400), range(16, 6401, 16))
    assert (verdict.settled, verdict.n) == (way, FEWEST)


def test_an_agent_against_itself_is_settled_only_after_a_while() -> None:
    sprt = Sprt(SprtConfig(margins=(0.0, 0.2)), spread=16)
    verdict = follow(sprt, np.zeros(6400), range(64, 6401, 64))
    assert verdict.settled == "lower"
    assert 200 < verdict.n < 1000


def test_few_boards_settle_nothing() -> None:
    sprt = Sprt(SprtConfig(margins=(0.0, 0.2)), spread=1)
    for margins in (np.zeros(0), np.full(1, 0.2), np.full(FEWEST - 1, 50.0)):
        assert sprt.look(margins).settled is None
        assert np.isfinite(sprt.look(margins).ratio)


@given(st.lists(st.integers(-40, 40), min_size=1, max_size=80))
@settings(max_examples=50, deadline=None)
def test_it_is_a_ratio_of_likelihoods(values: list[int]) -> None:
    margins = np.array(values) / 2
    there = Sprt(SprtConfig(margins=(-1.0, 2.0)), 8).look(margins)
    back = Sprt(SprtConfig(margins=(-2.0, 1.0)), 8).look(-margins)
    assert there.ratio == pytest.approx(-back.ratio)  # the other entrant sees the opposite

    with_unseen = np.concatenate([margins, margins.mean() + 8 * np.array([1, -1, 1])])
    logs = [  # of a normal likelihood at its likeliest variance; the distance from the mean counts for what was seen
        -len(margins)
        / 2
        * np.log(((with_unseen - margins.mean()) ** 2).sum() + len(margins) * (margins.mean() - at) ** 2)
        for at in (-1.0, 2.0)
    ]
    assert there.ratio == pytest.approx(logs[1] - logs[0])


def test_a_tournament_knows_what_a_table_can_change() -> None:
    config = TournamentConfig(agents=("random", "rules"), sprt=SprtConfig(margins=(0.0, 0.2)))
    duplicate, single = sprt_of(config), sprt_of(config.model_copy(update={"duplicate": False}))
    assert duplicate is not None
    assert single is not None
    assert single.spread == 2 * duplicate.spread
    assert 10 <= duplicate.spread <= 20  # a deal of bazar is worth 16
    assert sprt_of(config.model_copy(update={"sprt": None})) is None

"""Ratings: known strengths are found again, whatever the tables, and intervals say what the games say."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta

from train.tournament import ratings
from train.tournament.played import Meeting
from train.tournament.ratings import rate

TRUE = np.array([150.0, 60.0, -10.0, -200.0])  # Elo, mean 0
PAIRS = [Meeting(pair) for pair in combinations(range(4), 2)]
TRIPLES = [Meeting(triple) for triple in combinations(range(4), 3)]


def play(rng: np.random.Generator, meeting: Meeting, boards: int, tables: int = 1) -> NDArray[np.float64]:
    """Shares of the win: each table has one winner, by Luce's axiom."""
    strength = 10 ** (TRUE[list(meeting.entrants)] / 400)
    winners = rng.choice(len(strength), (boards, tables), p=strength / strength.sum())
    return np.asarray(np.eye(len(strength))[winners].mean(1))


@pytest.mark.parametrize("meetings", [PAIRS, TRIPLES, PAIRS[:3]], ids=["pairs", "threes", "gauntlet"])
def test_known_ratings_are_found_again(meetings: list[Meeting]) -> None:
    rng = np.random.default_rng(1)
    found = rate(4, meetings, [play(rng, meeting, 30_000) for meeting in meetings])
    assert [rating.elo for rating in found] == pytest.approx(TRUE, abs=5)
    assert all(rating.low < rating.elo < rating.high < rating.low + 20 for rating in found)
    assert not any(rating.separable for rating in found)
    assert found[0].n == sum(0 in meeting.entrants for meeting in meetings) * 30_000


def test_intervals_cover_the_truth_also_where_meetings_differ_in_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "RESAMPLES", 80)  # for time's sake; their percentiles are a little narrow
    rng = np.random.default_rng(2)
    covered = []
    for _ in range(40):
        wins = [play(rng, meeting, boards, 2) for meeting, boards in zip(PAIRS, (40, 60, 60, 60, 80, 200), strict=True)]
        covered += [
            rating.low <= truth <= rating.high for rating, truth in zip(rate(4, PAIRS, wins), TRUE, strict=True)
        ]
    assert 0.88 <= np.mean(covered) <= 0.98


def test_tables_of_a_board_that_come_out_alike_are_one_game_not_six() -> None:
    rng = np.random.default_rng(3)
    once = play(rng, PAIRS[0], 600)
    alone = rate(2, [Meeting((0, 1))], [once])[0]
    shared = rate(3, [Meeting((0, 1)), Meeting((0, 2)), Meeting((1, 2))], [once, once, np.full((600, 2), 0.5)])
    other = rate(3, [Meeting((0, 1)), Meeting((0, 2)), Meeting((1, 2))], [once, once[::-1], np.full((600, 2), 0.5)])
    assert shared[0].elo == pytest.approx(other[0].elo)
    assert shared[0].high - shared[0].low > 1.2 * (other[0].high - other[0].low)  # the same cards, the same luck
    assert alone.high - alone.low == pytest.approx(2 * 1.96 * 400 / np.log(10) / (600**0.5 * 0.97), rel=0.1)


@pytest.mark.parametrize(("games", "won"), [(20, 20), (20, 0), (5, 5), (40, 13)])
def test_two_entrants_have_bayes_posterior(games: int, won: int) -> None:
    wins = np.repeat([[1.0, 0.0], [0.0, 1.0]], [won, games - won], axis=0)
    rating = rate(2, [Meeting((0, 1))], [wins])[0]
    shares = 1 / (1 + 10 ** (-2 * np.array([rating.low, rating.high]) / 400))  # the other has the opposite
    assert shares == pytest.approx(beta(won + 0.5, games - won + 0.5).ppf([0.025, 0.975]), abs=0.06)
    assert rating.separable == (won in (0, games))


def test_one_that_beats_all_others_is_finite_and_told() -> None:
    rng = np.random.default_rng(4)
    wins = [np.tile([1.0, 0.0], (1000, 1)) if 0 in meeting.entrants else play(rng, meeting, 1000) for meeting in PAIRS]
    found = rate(4, PAIRS, wins)
    assert [rating.separable for rating in found] == [True, False, False, False]
    assert np.isfinite([(rating.elo, rating.low, rating.high) for rating in found]).all()
    assert found[0].high - found[0].elo > 200 > found[0].elo - found[0].low  # above there is next to no bound
    assert found[0].low > found[1].high


def test_equals_are_exactly_equal_and_the_seed_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "RESAMPLES", 50)
    drawn = [np.full((50, 2), 0.5) for _ in PAIRS]
    assert [rating.elo for rating in rate(4, PAIRS, drawn)] == pytest.approx([0] * 4, abs=1e-9)
    assert rate(4, PAIRS, drawn, seed=5) == rate(4, PAIRS, drawn, seed=5) != rate(4, PAIRS, drawn, seed=6)

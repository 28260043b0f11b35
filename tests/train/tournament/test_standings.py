"""Standings: the mean over opponents, what hangs together, and tables of three."""

from itertools import combinations

import numpy as np
import pytest

from train.tournament.estimates import bootstrap
from train.tournament.played import Meeting
from train.tournament.standings import differences, stand

PAIRS = [Meeting(pair) for pair in combinations(range(3), 2)]


def test_each_opponent_weighs_the_same() -> None:
    rng = np.random.default_rng(1)
    own = [rng.normal(mean, 3, boards) for mean, boards in ((2.0, 40), (6.0, 200), (1.0, 80))]
    margins = [np.stack([values, -values], 1) for values in own]
    wins = [(values > 0).astype(float) for values in margins]
    standings = stand(3, PAIRS, margins, wins)
    assert [standing.entrant for standing in standings] == [0, 1, 2]
    assert standings[0].points.mean == pytest.approx((own[0].mean() + own[1].mean()) / 2)
    assert standings[1].points.mean == pytest.approx((own[2].mean() - own[0].mean()) / 2)
    assert standings[0].wins.mean == pytest.approx(((own[0] > 0).mean() + (own[1] > 0).mean()) / 2)
    assert [standing.rating.n for standing in standings] == [240, 120, 280]


def test_equal_meetings_are_averaged_by_board() -> None:
    rng = np.random.default_rng(2)
    own = [rng.normal(size=50) for _ in PAIRS]
    margins = [np.stack([values, -values], 1) for values in own]
    standings = stand(3, PAIRS, margins, [(values > 0) * 1.0 for values in margins])
    points = {standing.entrant: standing.points for standing in standings}
    assert points[0].mean == pytest.approx(bootstrap((own[0] + own[1]) / 2).mean)
    assert points[0].sd == pytest.approx(bootstrap((own[0] + own[1]) / 2).sd)


def test_an_entrant_against_itself_is_exactly_zero() -> None:
    margins = [np.zeros((30, 2))]
    (first, second) = stand(2, [Meeting((0, 1))], margins, [np.full((30, 2), 0.5)])
    for standing in (first, second):
        assert (standing.points.mean, standing.points.low, standing.points.high) == (0, 0, 0)
        assert (standing.wins.mean, standing.rating.elo) == (0.5, pytest.approx(0, abs=1e-9))


def test_differences_at_tables_of_three_are_those_of_the_points() -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(60, 3)) + [3, 0, -1]
    margins = points - (points.sum(1, keepdims=True) - points) / 2
    found = differences([Meeting((0, 1, 2))], [margins])
    for (first, second), estimate in found.items():
        assert estimate.mean == pytest.approx((points[:, first] - points[:, second]).mean())
        assert estimate.sd == pytest.approx((points[:, first] - points[:, second]).std(ddof=1))
    assert set(found) == {(0, 1), (0, 2), (1, 2)}

    two = differences([Meeting((1, 0))], [np.stack([points[:, 0], -points[:, 0]], 1)])
    assert two[0, 1].mean == pytest.approx(-points[:, 0].mean())

"""Times from a histogram are those of the decisions, to the width of a bin."""

import numpy as np
import pytest

from train.tournament.played import Clock
from train.tournament.times import report_times


def test_times_are_those_of_the_decisions() -> None:
    seconds = np.random.default_rng(0).lognormal(-7, 2, 10_000).clip(2e-6, 50)
    report = report_times([Clock.of(seconds[:3000]), Clock.of(seconds[3000:])])
    assert report["n"] == 10_000
    assert report["median"] == pytest.approx(np.median(seconds), rel=0.07)
    assert report["p99"] == pytest.approx(np.quantile(seconds, 0.99), rel=0.07)
    assert report["mean"] == pytest.approx(seconds.mean(), rel=0.03)


@pytest.mark.parametrize("clocks", [[], [Clock(np.zeros(180, np.int64))]])
def test_no_decision_has_no_time(clocks: list[Clock]) -> None:
    assert report_times(clocks) == {"median": None, "p99": None, "mean": None, "n": 0}

"""The gate: when a rung is passed, failed or open."""

import numpy as np
import pytest

from train.tournament.config import GateConfig
from train.tournament.gate import judge

GATE = GateConfig(shares=(0.6, 0.55), lows=(0.55, 0.5), matches=40, mean_ms=(5, 5, 5), p99_ms=(30, 30, 30))


def shares(won: int, drawn: int, lost: int) -> np.ndarray:
    return np.repeat([1.0, 0.5, 0.0], [won, drawn, lost])


@pytest.mark.parametrize(
    ("found", "rung", "outcome"),
    [
        (shares(90, 10, 0), 0, "passed"),
        (shares(10, 20, 70), 0, "failed"),
        (shares(50, 20, 30), 0, "open"),  # 60 %, but not for sure above 55 %
        (shares(39, 0, 0), 0, "open"),  # too few matches, whatever they say
        (shares(0, 0, 39), 0, "open"),
        (shares(40, 0, 0), 0, "passed"),
        (shares(1400, 1760, 840), 0, "failed"),  # above 55 % for sure, and below 60 %
        (shares(1400, 1760, 840), 1, "passed"),  # a higher rung that asks for less
        (shares(0, 0, 0), 0, "open"),
    ],
)
def test_a_rung_is_passed_where_share_and_interval_suffice(found: np.ndarray, rung: int, outcome: str) -> None:
    judged = judge(GATE, rung, found)
    assert judged.outcome == outcome
    assert judged.n == len(found)
    assert (judged.required, judged.above) == ((0.6, 0.55) if rung == 0 else (0.55, 0.5))

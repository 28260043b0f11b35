"""The engine against the reference, step by step, on random deals that reach every branch of the rules."""

import pytest

from tests import branches
from tests.fuzz import fuzz, report


@pytest.mark.parametrize(
    ("deals", "seed"),
    [
        pytest.param(2500, 9, id="default"),
        pytest.param(40, 1, id="few", marks=pytest.mark.nojit),
        pytest.param(10_000, 2, id="many", marks=pytest.mark.slow),
    ],
)
def test_engine_agrees_with_the_reference(deals, seed):
    reached = fuzz(deals, seed)
    print(report(reached, deals))
    if deals >= 2500:
        assert [name for name in branches.ALL if not reached[name]] == []


@pytest.mark.parametrize("agent", ["random", "random:uniform"])
def test_engine_agrees_with_the_reference_when_random_agents_play(agent):
    deals = 300
    reached = fuzz(deals, 4, agent)
    print(report(reached, deals))
    assert [name for name in branches.PLAY if not reached[name]] == []
    if agent == "random":
        assert [name for name in branches.AUCTION if not reached[name]] == ["the highest number"]

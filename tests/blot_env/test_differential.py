"""The engine against the reference, step by step, on random deals that reach every branch of the rules."""

import pytest

from tests.branches import branches_of
from tests.fuzz import fuzz, house_rule, report, variants
from tests.reference import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_engine_agrees_with_the_reference(preset):
    rules = PRESETS[preset]
    deals = 1000 if rules.auction == "numbered" else 1400
    reached = fuzz(preset, deals, seed=7)
    print(report(preset, deals, reached))
    assert [name for name in branches_of(rules) if not reached[name]] == []


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_engine_agrees_with_the_reference_on_many_deals(preset):
    deals = 6000  # `make fuzz` plays as many as one likes
    reached = fuzz(preset, deals, seed=7)
    print(report(preset, deals, reached))
    assert [name for name in branches_of(PRESETS[preset]) if not reached[name]] == []
    # Some house rules matter only together with others.
    house_rules = [house_rule(fields) for fields in variants(preset)]
    assert sum(reached[name] > 0 for name in house_rules) > len(house_rules) / 2


@pytest.mark.nojit
@pytest.mark.parametrize("preset", PRESETS)
def test_engine_agrees_with_the_reference_on_a_few_deals(preset):
    fuzz(preset, 12, seed=1)


@pytest.mark.parametrize("agent", ["random", "random:uniform"])
@pytest.mark.parametrize("preset", PRESETS)
def test_engine_agrees_with_the_reference_when_random_agents_play(preset, agent):
    fuzz(preset, 40, 4, agent)

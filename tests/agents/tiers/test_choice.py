"""From judgements to an action: how often what is drawn, and how worlds and an opinion come together."""

from collections import Counter

import numpy as np
import pytest

from agents.search.pimc import best
from agents.tiers.choice import blend, choose_by

VALUES = np.log(np.array([0.5, 0.3, 0.15, 0.05]))
DRAWS = 20_000


def shares(temperature: float, cap: float) -> list[float]:
    """How often each of the four actions is drawn."""
    counts = Counter(choose_by(VALUES, temperature, cap, seed * 0x9E3779B97F4A7C1 % (1 << 62)) for seed in range(DRAWS))
    return [counts[action] / DRAWS for action in range(4)]


def test_temperature_0_takes_the_best_and_of_equals_the_first() -> None:
    assert shares(0, 9) == [1, 0, 0, 0]
    assert choose_by(np.array([1.0, 2.0, 2.0]), 0, 0, 1) == 1


def test_temperature_1_draws_by_the_exponentials() -> None:
    assert shares(1, 9) == pytest.approx([0.5, 0.3, 0.15, 0.05], abs=0.015)


def test_temperature_2_is_bolder() -> None:
    roots = np.sqrt([0.5, 0.3, 0.15, 0.05])
    assert shares(2, 9) == pytest.approx(roots / roots.sum(), abs=0.015)


def test_nothing_beyond_the_cap_is_drawn() -> None:
    assert shares(1, 1.0) == pytest.approx([0.625, 0.375, 0, 0], abs=0.015)
    assert shares(1, 0.4) == [1, 0, 0, 0]


def test_what_is_worth_nothing_at_all_is_not_drawn() -> None:
    assert {choose_by(np.array([-np.inf, 0.0, 0.1]), 5.0, 9.0, seed) for seed in range(99)} == {1, 2}


def test_without_an_opinion_values_are_the_means_over_worlds() -> None:
    rng = np.random.default_rng(0)
    outcomes, weights, opinions = rng.normal(size=(7, 3)), rng.random(7), rng.normal(size=3)
    values = blend(outcomes, weights, opinions, trust=0, doubt=0)
    assert values == pytest.approx(weights @ outcomes / weights.sum())


def test_an_opinion_counts_as_so_many_worlds() -> None:
    """As if so many further worlds had brought what the worlds bring the action liked best, and the others less."""
    outcomes, opinions = np.array([[4.0, 0.0, 2.0], [2.0, 2.0, 0.0]]), np.array([1.0, 3.0, 0.0])
    values = blend(outcomes, np.full(2, 0.5), opinions, trust=2, doubt=0)
    further = 1.0 + np.array([-2.0, 0.0, -3.0])
    assert values == pytest.approx((outcomes.sum(0) + 2 * further) / 4)


def test_the_best_value_is_that_of_pimc() -> None:
    rng = np.random.default_rng(1)
    chosen = set()
    for _ in range(200):
        outcomes, weights, opinions = rng.normal(size=(5, 4)), rng.random(5), rng.normal(size=4)
        trust, doubt = rng.random(2) * 3
        values = blend(outcomes, weights, opinions, trust, doubt)
        assert values.argmax() == best(outcomes, weights, opinions, trust, doubt)
        chosen.add((int(values.argmax()), int(opinions.argmax())))
    assert len(chosen) == 16

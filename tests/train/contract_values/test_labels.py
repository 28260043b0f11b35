"""Labels agree with the solver, whoever looks; corrections with the lines that they stand for."""

import numpy as np
import pytest

import agents
from agents.contract_shares import BINS, CENTRES, EVERY, NONE, bin_of
from agents.search.solver import every_contract, solve_states
from blot_env import BatchEnv, load_rules
from train.contract_values.correction import Line, fit, matrix
from train.contract_values.deals import Dealer
from train.contract_values.labels import label


@pytest.mark.parametrize("preset", ["bazar", "duel"])
def test_labels_are_what_the_solver_says(preset: str) -> None:
    rules = load_rules(preset)
    env = BatchEnv(rules, 4, seed=9)
    env.reset()
    starts = env.states.copy()
    labels = label(rules, starts, threads=1)
    assert (labels.shares == label(rules, starts, threads=3).shares).all()
    assert labels.shares.shape == (4, rules.players, len(rules.strains))
    for deal, start in enumerate(starts):
        boards = every_contract(rules, start)
        values = solve_states(rules, boards.ravel(), threads=1).reshape(boards.shape)
        hands = boards["dealt"][..., None] >> np.arange(32) & 1
        points = rules.record.points[: len(rules.strains)]
        wholes = (hands.sum(2) * points[:, None]).sum(2) + rules.last_trick
        bins = np.where(values < 0, NONE, np.where(values > wholes, EVERY, bin_of(values, wholes)))  # (strains, sides)
        for seat in range(rules.players):
            assert np.abs(labels.shares[deal, seat].astype(int) - bins[:, rules.side(seat)]).max() <= 1  # the mirror


def test_calls_are_those_of_the_deals_and_their_contracts() -> None:
    rules = load_rules("duel")
    dealer = Dealer(rules, agents.make("rules", rules), 60, 0.3, seed=1, threads=1)
    calls, again = dealer.play(2), dealer.play(2)
    assert all((getattr(calls, name) == getattr(again, name)).all() for name in vars(calls))
    assert (calls.board // 60 == 2).all()
    assert calls.held_out.any()
    assert not calls.held_out.all()
    assert calls.seen.shape[1] == rules.observation.size
    deals = calls.deals
    assert len(np.unique(deals.board)) == len(deals) > 20
    assert np.corrcoef(CENTRES[deals.solved], CENTRES[deals.played])[0, 1] > 0.5


def test_a_correction_is_the_line_that_it_was_fitted_to() -> None:
    rng = np.random.default_rng(0)
    solved = rng.integers(5, 38, 20_000)
    taken = np.clip(0.1 + 0.7 * CENTRES[solved] + 0.08 * rng.standard_normal(20_000), 0, 1)
    played = 1 + np.minimum((taken * 41).astype(int), 40)
    played[:100], solved[:200] = EVERY, EVERY
    line = fit(solved[200:], played[200:])
    assert line.slope == pytest.approx(0.7, abs=0.02)
    assert line.height == pytest.approx(0.1, abs=0.02)
    assert line.spread == pytest.approx(0.08, abs=0.01)
    assert fit(solved, played).kept_every == pytest.approx(0.5, abs=0.01)
    chances = matrix(Line(0.7, 0.1, 0.08, 0.25, 0.5))
    assert np.allclose(chances.sum(1), 1)
    assert (chances >= 0).all()
    means = chances @ CENTRES
    assert np.allclose(means[5:38], 0.7 * CENTRES[5:38] + 0.1, atol=0.003)
    assert (np.diff(means[1:-1]) > 0).all(), "a better promise never brings less"
    assert (chances[EVERY, EVERY], chances[NONE, NONE]) == (0.5, 0.25)
    assert (matrix(fit(solved[:10], played[:10])) == np.eye(BINS)).all(), "too few to tell"

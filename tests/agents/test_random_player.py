"""The random players: legal, repeatable, uniform where they say so, and with auctions like those of people."""

import numpy as np
import pytest

import agents
from agents.agent import Agent
from blot_env import RULESETS, BatchEnv, Decisions, Game, RuleSet, load_rules
from blot_env.actions import PASS


def results(agent: Agent, rules: RuleSet, deals: int) -> np.ndarray:
    """Return the result of one deal a table, all seats played by an agent."""
    env = BatchEnv(rules, deals, seed=4)
    env.reset()
    ended = np.zeros(deals, bool)
    found = env.results.copy()
    while not ended.all():
        *_, done = env.step(agent.act(env.decisions()))
        found[done & ~ended] = env.results[done & ~ended]
        ended |= done
    return found


def test_uniform_draws_every_legal_action_alike(rules: RuleSet) -> None:
    game = Game(rules, seed=7)
    for call in ("9H", "pass", "pass", "pass", "pass"):
        game.play(call)
    draws = 8_000
    one = game.decision()
    many = Decisions(
        rules, *(np.repeat(rows, draws, 0) for rows in (one.views, one.observations, one.masks)), np.arange(draws)
    )
    counts = np.bincount(agents.make("random:uniform", rules).act(many), minlength=rules.actions.size)
    expected = draws / one.masks.sum()
    assert (counts[one.masks[0] == 0] == 0).all()
    assert np.abs(counts[one.masks[0] == 1] - expected).max() < 5 * expected**0.5


@pytest.mark.parametrize("spec", ["random", "random:uniform"])
def test_the_same_decision_gives_the_same_action_in_any_batch(rules: RuleSet, spec: str) -> None:
    env = BatchEnv(rules, 50)
    mask, _ = env.reset()[1:]
    agent = agents.make(spec, rules)
    for _ in range(60):
        decisions = env.decisions(seed=3)
        actions = agent.act(decisions)
        assert mask[np.arange(50), actions].all()
        assert (agent.act(decisions[10:13]) == actions[10:13]).all()
        mask = env.step(actions)[1]


def test_another_seed_draws_other_actions(rules: RuleSet) -> None:
    env = BatchEnv(rules, 200)
    env.reset()
    agent = agents.make("random", rules)
    assert (agent.act(env.decisions(seed=1)) != agent.act(env.decisions(seed=2))).any()


def test_auctions_of_random_are_real(rules: RuleSet) -> None:
    """Most deals are bid, at numbers that hands can make, some contra'd, a capot now and then."""
    deals = results(agents.make("random", rules), rules, 4_000)
    bid = deals[deals["contract"] >= 0]
    assert 0.8 < len(bid) / len(deals) < 0.999
    assert 8 <= np.median(bid["number"]) <= 14
    assert np.quantile(bid["number"], 0.95) < 30
    assert 0.05 < (bid["contra"] > 0).mean() < 0.5
    assert 0.001 < (bid["contra"] == 2).mean() < 0.2
    assert 0.001 < (bid["capot"] == 1).mean() < 0.1
    assert {int(strain) for strain in bid["strain"]} == set(range(len(rules.strains)))


def test_uniform_calls_end_beyond_what_hands_can_make(rules: RuleSet) -> None:
    """Why `random` is there."""
    deals = results(agents.make("random:uniform", rules), rules, 500)
    assert np.median(deals["number"]) > 50


def test_random_may_pass_whatever_is_asked(rules: RuleSet) -> None:
    env = BatchEnv(rules, 500)
    mask = env.reset()[1]
    agent = agents.make("random", rules)
    passes = 0
    for _ in range(8):
        actions = agent.act(env.decisions())
        passes += int((actions == PASS).sum())
        mask = env.step(actions)[1]
    assert mask.any(axis=1).all()
    assert passes > 1_000


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize("spec", ["random", "random:uniform"])
def test_random_plays_every_game(preset: str, spec: str) -> None:
    """An illegal action raises. All strains are played, and capots promised where there are any."""
    rules = load_rules(preset)
    deals = results(agents.make(spec, rules), rules, 4_000)
    bid = deals[deals["bidder"] >= 0]
    assert len(bid) > 0.8 * len(deals)
    assert set(bid["strain"].tolist()) == set(range(len(rules.strains)))
    assert (bid["capot"] == 1).any() == (rules.capot != "none")

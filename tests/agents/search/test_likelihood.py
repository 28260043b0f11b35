"""Weights of worlds: the model of a decision, the likelihood of a history, what it tells, and how worlds are chosen."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.rule_based.likely import SOFTNESS, LikelyPlayer
from agents.search.likelihood import (
    Likelihood,
    PolicyLikelihood,
    RulesLikelihood,
    effective_size,
    thin,
    weighted_worlds,
)
from agents.search.worlds import sample_worlds
from blot_env import RULESETS, BatchEnv, Decisions, Game, RuleSet, load_rules
from blot_env.state import AUCTION, PLAY, VIEW
from blot_env.views import write_view

ANY = RulesLikelihood()


def decisions_of(
    preset: str, tables: int = 60, steps: int = 70, strays: float = 0.0
) -> Iterator[tuple[BatchEnv, Decisions]]:
    """Tables of `rules` playing with itself, before each step; it strays to a random action now and then."""
    env = BatchEnv(load_rules(preset), tables, seed=3, random_scores=True)
    env.reset()
    agent, rng = agents.make("rules", env.rules), np.random.default_rng(0)
    for _ in range(steps):
        decisions = env.decisions()
        yield env, decisions
        strayed = rng.random(tables) < strays
        env.step(np.where(strayed, env.sample(decisions.masks), agent.act(decisions)))


# The model of one decision


@pytest.mark.parametrize("preset", RULESETS)
def test_probabilities_are_positive_on_the_legal_actions_and_sum_to_one(preset: str) -> None:
    """And what `rules` does is the likeliest."""
    rules = load_rules(preset)
    model, agent = LikelyPlayer(rules), agents.make("rules", rules)
    phases = set()
    for _, decisions in decisions_of(preset, strays=0.3):
        chances = model.probabilities(decisions)
        assert ((chances > 0) == (decisions.masks > 0)).all()
        assert np.allclose(chances.sum(1), 1, rtol=0, atol=1e-12)
        assert (chances[np.arange(len(chances)), agent.act(decisions)] == chances.max(1)).all()
        phases |= set(decisions.views["public"]["phase"].tolist())
    assert len(phases) >= 2 + ("announce" in preset)


# The likelihood of a history


def slow_log_likelihood(game: Game, seat: int, model: LikelyPlayer) -> float:
    """The same decision by decision: the deal is played again from its record, and each other seat is asked in turn."""
    record = game.record()
    again, total = Game.from_record(record), 0.0
    for action in record["actions"]:
        number = again.rules.actions.parse(action, again.phase)
        if again.seat != seat:
            total += float(np.log(model.probabilities(again.decision())[0, number]))
        again.take(number)
    return total


def whole_game(rules: RuleSet, seed: int, actions: int, strays: float) -> Game:
    """A game of `rules` with itself, after some actions of its deal."""
    game, agent, rng = Game(rules, seed=seed), agents.make("rules", rules), np.random.default_rng(seed)
    for _ in range(actions):
        if game.phase != "over":
            choice = int(agent.act(game.decision())[0])
            legal = np.flatnonzero(game.decision().masks[0])
            game.take(int(rng.choice(legal)) if rng.random() < strays else choice)
    return game


@pytest.mark.parametrize("preset", RULESETS)
def test_the_likelihood_is_the_product_over_the_others_decisions(preset: str) -> None:
    rules = load_rules(preset)
    model = LikelyPlayer(rules)
    compared = 0
    for seed in range(60):
        game = whole_game(rules, seed, actions=3 * (seed % 17), strays=0.2)
        if game.phase == "over":
            continue
        expected = slow_log_likelihood(game, game.seat, model)
        for likelihood in (ANY, PolicyLikelihood(model, floor=0.0)):
            found = likelihood.log_likelihoods(rules, game.view(), np.repeat(game.states, 3))
            assert np.allclose(found, expected, rtol=1e-12), game.record()
        compared += expected < 0
    assert compared > 15


# What weights tell: how much likelier the true world is than one drawn without them


def told(likelihood: Likelihood, preset: str, agent: str = "rules", positions: int = 100, phase: int = PLAY) -> NDArray:
    """The logarithms, by position, of the true world's weight over the mean of worlds that look the same."""
    env = BatchEnv(load_rules(preset), 25, seed=8)
    env.reset()
    player = agents.make(agent, env.rules)
    found: list[float] = []
    step = 0
    while len(found) < positions:
        decisions = env.decisions()
        public = decisions.views["public"]
        wanted = (public["phase"] == phase) & (public["length"] % 5 == step % 5) & (public["trick_number"] < 5)
        for row in np.flatnonzero(wanted):
            view = decisions.views[row : row + 1]
            worlds = np.concatenate([env.states[row : row + 1], sample_worlds(env.rules, view, 60, seed=step)])
            logs = likelihood.log_likelihoods(env.rules, view, worlds)
            found.append(logs[0] - np.log(np.exp(logs[1:]).mean()))
        env.step(player.act(decisions))
        step += 1
    return np.array(found)


def least(logs: NDArray) -> float:
    """The lower end of a 95 % interval of the mean."""
    return float(logs.mean() - 1.96 * logs.std() / len(logs) ** 0.5)


@pytest.mark.parametrize("preset", RULESETS)
def test_the_true_world_is_likelier_than_others(preset: str) -> None:
    """In play of `rules` with itself; wherever numbers are bid, by far."""
    logs = told(ANY, preset)
    print(f"{preset}: {logs.mean():.2f} nats")
    assert least(logs) > (1.5 if load_rules(preset).numbered else 0.1)


def test_both_calls_and_cards_tell() -> None:
    auction, calls, cards = (
        told(likelihood, "bazar", phase=phase)
        for likelihood, phase in (
            (ANY, AUCTION),
            (RulesLikelihood(SOFTNESS._replace(card_floor=1.0)), PLAY),
            (RulesLikelihood(SOFTNESS._replace(call_floor=1.0)), PLAY),
        )
    )
    print(f"auction {auction.mean():.2f}, in play from calls {calls.mean():.2f} and from cards {cards.mean():.2f} nats")
    assert least(auction) > 1
    assert least(calls) > 1
    assert least(cards) > 0.3


def test_a_policy_weighs_its_own_kind() -> None:
    policy = agents.make("policy:checkpoints/bazar", load_rules("bazar"))
    logs = told(PolicyLikelihood(policy), "bazar", agent="policy:checkpoints/bazar", positions=40)
    print(f"{logs.mean():.2f} nats")
    assert least(logs) > 1.5


def test_the_rules_tell_of_a_policy_that_plays_otherwise() -> None:
    logs = told(ANY, "bazar", agent="policy:checkpoints/bazar")
    print(f"{logs.mean():.2f} nats")
    assert least(logs) > 0.5


# Choosing worlds


@pytest.mark.parametrize("preset", RULESETS)
def test_the_same_seed_gives_the_same_worlds(preset: str) -> None:
    """Whatever the true cards are: another world that looks the same is asked too."""
    for seed, (env, decisions) in enumerate(decisions_of(preset, tables=1, steps=40)):
        if seed % 4:
            continue
        rules, view = env.rules, decisions.views
        worlds, weights = weighted_worlds(rules, view, 8, seed, ANY)
        assert len(worlds) == len(weights) == 8
        assert abs(weights.sum() - 1) < 1e-12
        assert (weights > 0).all()
        assert (worlds["public"] == view["public"]).all()
        assert (worlds["hands"][:, view["seat"][0]] == view["hand"]).all()
        other, same = sample_worlds(rules, view, 1, seed=seed + 1000), np.empty(1, VIEW)
        write_view(other[0], view["seat"][0], same[0])
        assert same.tobytes() == view.tobytes()
        again, weights_again = weighted_worlds(rules, same, 8, seed, ANY)
        assert again.tobytes() == worlds.tobytes()
        assert (weights_again == weights).all()


def test_the_heaviest_candidates_are_kept() -> None:
    rules, view = load_rules("bazar"), whole_game(load_rules("bazar"), 3, actions=14, strays=0.0).view()
    drawn = sample_worlds(rules, view, 50, seed=4)
    logs = 0.6 * ANY.log_likelihoods(rules, view, drawn)
    worlds, weights = weighted_worlds(rules, view, 10, 4, ANY, tempering=0.6, candidates=50)
    assert drawn[logs.argmax()].tobytes() == worlds[weights.argmax()].tobytes()
    assert abs(weights.max() - np.exp(logs.max()) / np.exp(logs).sum()) < 1e-12
    everything, weights = weighted_worlds(rules, view, 50, 4, ANY, candidates=1)
    assert everything.tobytes() == drawn.tobytes()
    assert np.allclose(weights, np.exp(logs) / np.exp(logs).sum(), rtol=1e-12)
    assert effective_size(weights) < 45
    assert effective_size(np.full(50, 0.02)) == pytest.approx(50)


@pytest.mark.nojit
def test_thinning_is_right_on_average() -> None:
    rng = np.random.default_rng(0)
    lots = (np.arange(400) + 0.5) / 400
    for case in range(60):
        m = int(rng.integers(1, 30))
        n = int(rng.integers(1, m + 1))
        weights = rng.integers(1, 3, m) if case % 2 else np.exp(-rng.integers(0, 30, m) * rng.random(m))
        weights = weights / weights.sum()
        sums = np.zeros(m)
        for lot in lots:
            chosen, kept = np.full(n, -1), np.full(n, np.nan)
            thin(weights, lot, chosen, kept)
            assert (np.diff(chosen, prepend=-1) > 0).all()
            assert abs(kept.sum() - 1) < 1e-12
            sums[chosen] += kept / len(lots)
        assert np.allclose(sums, weights, rtol=0, atol=1.01 / (n * len(lots)))

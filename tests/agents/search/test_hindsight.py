"""What cards gave away adds up to what a deal brought, and agrees with solving every card of every position."""

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import agents
from agents.search.hindsight import GivenAway, given_away
from agents.search.solver import NO_CARD, solve_cards_of
from blot_env import RULESETS, Game, RuleSet, load_rules
from blot_env.actions import ANNOUNCE, SHOW
from blot_env.state import STATE
from tests.played import play, seating
from train.tournament.replay import starts_of


@cache
def rules_of(preset: str) -> RuleSet:
    return load_rules(preset)


def random_deal(rules: RuleSet, seed: int) -> tuple[Game, np.ndarray, np.ndarray]:
    """A deal in which everything is announced and shown: how it ended, its start, and its actions."""
    game, player = Game(rules, seed=seed), agents.make("random", rules)
    start, actions = game.states.copy(), []
    while game.phase != "over":
        mask = game.mask()
        spoken = [action for action in (ANNOUNCE, SHOW) if mask[action]]
        actions.append(spoken[0] if spoken else int(player.act(game.decision(seed=seed))[0]))
        game.take(actions[-1])
    return game, start, np.array([[*actions, -1]], np.int16)


def bidders(game: Game) -> np.ndarray:
    """Which seats play for the contract."""
    sides = np.array([game.rules.side(seat) for seat in range(game.rules.players)])
    return sides == sides[int(game.state.result.bidder)]


def left(away: GivenAway, own: np.ndarray) -> np.ndarray:
    """Card points and match points that the first deal of all comes to when everything given away is taken off."""
    given = away.given[0].sum(axis=1)
    return away.worth[0] - given[own].sum(axis=0) + given[~own].sum(axis=0)


@settings(deadline=None, max_examples=60)
@given(preset=st.sampled_from(RULESETS), seed=st.integers(0, 1 << 40))
@example(preset="bazar", seed=22_189_006_714)  # all tricks of a contract that fails are paid to the others
def test_worth_less_regrets_is_the_result(preset: str, seed: int) -> None:
    game, start, actions = random_deal(rules_of(preset), seed)
    away, result = given_away(game.rules, start, actions, threads=1), game.state.result
    assert (away.given[..., 0] >= 0).all()
    assert away.played[0] == (result.made >= 0)
    if away.played[0]:
        own, sides = bidders(game), game.rules.sides
        cards, points = left(away, own)
        namers = int(game.rules.side(int(result.bidder)))
        assert cards == game.state.public.card_points[namers]
        if sides == 2:
            assert points == result.points[namers] - result.points[1 - namers]


@pytest.mark.parametrize("preset", RULESETS)
def test_a_card_costs_what_a_better_one_would_have_kept(preset: str) -> None:
    rules = rules_of(preset)
    game, start, actions = random_deal(rules, 12)
    away = given_away(rules, start, actions, threads=1)
    again, own, expected = Game(rules, seed=12), bidders(game), np.zeros_like(away.given[0, :, :, 0])
    whole = game.state.public.card_points.sum()
    for action in actions[0, :-1]:
        if again.phase == "play":
            values = solve_cards_of(rules, again.states)[0]
            worth = np.clip(values, 0, whole)
            best = worth[values != NO_CARD].max() if own[again.seat] else worth[values != NO_CARD].min()
            expected[again.seat, again.state.public.trick_number] = abs(best - worth[action])
        again.take(int(action))
    assert (away.given[0, :, :, 0] == expected).all()
    assert expected.any()


@pytest.mark.parametrize(("preset", "boards"), [("bazar", 1), ("duel", 5), ("bela3", 1), ("bazar-classic", 1)])
def test_the_seer_gives_nothing_away(preset: str, boards: int) -> None:
    rules = rules_of(preset)
    played = play(rules, "seer", "random", boards, seed=5)
    away = given_away(rules, starts_of(rules, 5, played), played.actions)
    sides = np.array([rules.side(seat) for seat in range(rules.players)])
    of_seer = seating(rules)[played.table][:, sides] == 0
    assert away.played.any()
    assert not away.given[of_seer].any()
    assert away.given[~of_seer].any()


def test_threads_change_nothing() -> None:
    rules = rules_of("bazar")
    deals = [random_deal(rules, seed) for seed in range(6)]
    starts = np.concatenate([start for _, start, _ in deals])
    actions = np.full((6, 400), -1, np.int16)
    for row, (_, _, taken) in enumerate(deals):
        actions[row, : taken.shape[1]] = taken[0]
    one, three = (given_away(rules, starts, actions, threads) for threads in (1, 3))
    assert (one.given == three.given).all()
    assert (one.worth == three.worth).all()
    assert one.given.any()


def test_no_deals_are_no_work() -> None:
    assert given_away(rules_of("bazar"), np.zeros(0, STATE), np.zeros((0, 0), np.int16)).given.shape == (0, 4, 8, 2)

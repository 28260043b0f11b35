"""Match points of a solved deal: from any moment of its play they are those that the deal brings when it ends so."""

from collections.abc import Iterator

import numpy as np
import pytest

import agents
from agents.search.payoff import payoff, settle
from blot_env import RULESETS, BatchEnv, Game, RuleSet, load_rules
from blot_env.actions import ANNOUNCE, SHOW
from blot_env.state import ANNOUNCING, PLAY, SHOWING, STATE
from tests.tables import table

WIN = 37.0  # any number that no deal brings
States = np.ndarray


def value_of(rules: RuleSet, result: np.record) -> int:
    """The solver's value of a deal that ended so."""
    side = rules.record.side[result.bidder]
    if result.tricks[side] == 0:
        return -1
    return int(result.card_points[side]) + (1000 if result.tricks[side] == rules.hand_size else 0)


def gains(rules: RuleSet, result: np.record) -> list[float]:
    """What the result brings each side: its points minus the mean of the others', and its part of the match."""
    points, found = result.points[: rules.sides].tolist(), []
    for side in range(rules.sides):
        others = points[:side] + points[side + 1 :]
        gain = points[side] - sum(others) / len(others)
        if result.match_winner >= 0:
            gain += WIN if result.match_winner == side else -WIN / len(others)
        found.append(gain)
    return found


def payoffs(rules: RuleSet, state: np.record, result: np.record) -> list[float]:
    """What a moment of the play promises each side when it ends as it did."""
    scratch = np.zeros(1, STATE)
    whole = settle(rules.record, state, scratch)
    value = value_of(rules, result)
    return [payoff(rules.record, state, scratch[0], whole, value, seat, WIN) for seat in range(rules.sides)]


def deals(rules: RuleSet, tables: int, seed: int) -> Iterator[tuple[States, np.record]]:
    """Deals of random calls and cards, in which all is announced and shown: the states of the play, and the result."""
    env, random = BatchEnv(rules, tables, seed=seed, random_scores=True), agents.make("random", rules)
    _, mask, _ = env.reset()
    states: list[States] = []
    open_deals = np.ones(tables, bool)
    while open_deals.any():
        actions = random.act(env.decisions())
        for spoken in (ANNOUNCE, SHOW):
            actions[mask[:, spoken] == 1] = spoken
        states.append(env.states.copy())
        _, mask, _, _, done = env.step(actions)
        for deal in np.flatnonzero(done & open_deals):
            moments = np.array([moment[deal] for moment in states], STATE)
            in_play = np.isin(moments["public"]["phase"], (ANNOUNCING, SHOWING, PLAY))
            if env.results["bidder"][deal] >= 0 and in_play.any():
                yield moments[in_play], env.results[deal].copy()
        open_deals &= ~done


@pytest.mark.parametrize("preset", RULESETS)
def test_payoffs_are_what_the_deal_brings(preset: str) -> None:
    rules, seen = load_rules(preset), 0
    for moments, result in deals(rules, 40, seed=5):
        tricks = result.tricks[: rules.sides]
        if rules.sides == 3 and (not tricks.all() or result.match_winner >= 0):
            continue  # which of the two others took a trick, or reached the target, nobody can know before
        sides = [rules.record.side[result.bidder]] if rules.sides == 3 else [0, 1]  # of three the namer alone is sure
        for state in moments[[0, len(moments) // 3, -1]]:
            found, expected = payoffs(rules, state, result), gains(rules, result)
            for side in sides:
                assert found[side] == pytest.approx(expected[side]), (state.public.trick_number, result)
            seen += 1
    assert seen > 50


def ended(game: Game) -> tuple[States, np.record]:
    """Play a game on, lowest cards first, all announced and shown; return a few states of its play and the result."""
    moments = []
    while game.phase != "over":
        moments.append(game.states.copy())
        game.take(int(np.flatnonzero(game.mask())[0 if game.phase == "play" else -1]))
    return np.concatenate(moments[::7]), game.state.result.copy()


SPADES = "JS 9S AS TS KS QS 8S 7S"


@pytest.mark.parametrize(
    ("preset", "calls", "tricks"),
    [
        ("bazar", "capotS pass pass pass", 8),
        ("bazar", "capotS contra pass pass", 8),
        ("bazar", "9S contra recontra", 8),
        ("bazar", "pass 9S pass pass pass pass", 0),
        ("bazar-classic", "12Scapot pass pass pass", 8),
        ("bazar-classic", "pass 9S pass pass contra pass pass", 0),
        ("hayblot", "25S pass pass pass", 8),
        ("hayblot", "8S pass pass pass", 8),
        ("bazar-alltrump", "8S pass pass pass", 8),
    ],
)
def test_payoffs_of_all_tricks_and_none(preset: str, calls: str, tricks: int) -> None:
    game = table(SPADES, preset=preset)
    for call in calls.split():
        game.play(call)
    moments, result = ended(game)
    assert result.tricks[game.rules.record.side[result.bidder]] == tricks
    for state in moments:
        assert payoffs(game.rules, state, result) == pytest.approx(gains(game.rules, result))


@pytest.mark.nojit
def test_those_against_a_lone_namer_share_the_rest() -> None:
    rules, seen = load_rules("bela3"), 0
    for moments, result in deals(rules, 4, seed=5):
        for state in moments[[0, len(moments) // 2]]:
            scratch, taken = np.zeros(1, STATE), state.public.card_points[:3]
            whole, namer = settle(rules.record, state, scratch), rules.side(int(result.bidder))
            value = int(taken[namer])
            payoff(rules.record, state, scratch[0], whole, value, 0, WIN)
            points = scratch[0].public.card_points[:3]
            assert points[namer] == value
            assert points.sum() == whole
            assert (points >= taken).all()
            seen += 1
    assert seen > 3

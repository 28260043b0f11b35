"""PIMC: exact where nothing is hidden, blind to what is, the same whatever is decided together."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
from agents.search.payoff import settle
from agents.search.pimc import PIMCPlayer, best
from agents.search.solver import NO_CARD, solve_cards_of
from agents.search.weighing import Room, weigh_cards
from agents.spec import SpecError
from blot_env import RULESETS, BatchEnv, Game, load_rules
from blot_env.state import PLAY
from tests.agents.test_information import SETTINGS, assert_blind
from tests.positions import Position, positions
from tests.tables import WHOLE_SUITS, play, table

SPEC = "pimc:worlds=3,deals=3"
POSITIONS = Path(__file__).parents[2] / "data" / "positions.jsonl"


def moments(preset: str, tables: int, steps: int, seed: int = 4) -> BatchEnv:
    """Tables some steps into deals of the rule-based player."""
    env, player = BatchEnv(load_rules(preset), tables, seed=seed), agents.make("rules", load_rules(preset))
    env.reset()
    for _ in range(steps):
        env.step(player.act(env.decisions()))
    return env


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize("steps", [1, 14])
def test_a_decision_is_the_same_in_any_batch(preset: str, steps: int) -> None:
    env = moments(preset, 6, steps)
    decisions = env.decisions(seed=7)
    actions = agents.make(SPEC, env.rules).act(decisions)
    assert decisions.masks[np.arange(6), actions].all()
    backwards = np.arange(6)[::-1]
    assert (agents.make(f"{SPEC},threads=2", env.rules).act(decisions[backwards]) == actions[backwards]).all()


BLIND = [SPEC, f"{SPEC},weights=none", f"{SPEC},weights=none,value=cards"]


@settings(max_examples=25, **SETTINGS)
@given(at=st.sampled_from(RULESETS).flatmap(lambda preset: positions(0, 45, preset)))
def test_hidden_cards_change_no_action(at: Position) -> None:
    assert_blind(at, BLIND)


@pytest.mark.slow
@settings(max_examples=500, **SETTINGS)
@given(at=st.sampled_from(RULESETS).flatmap(lambda preset: positions(0, 45, preset)))
def test_hidden_cards_change_no_action_in_many_positions(at: Position) -> None:
    assert_blind(at, BLIND)


@pytest.mark.parametrize("preset", ["bazar", "bela3", "duel"])
def test_cards_of_a_world_are_solved(preset: str) -> None:
    env, room, seen = moments(preset, 30, 16), Room(load_rules(preset)), 0
    rules = env.rules.record
    states = env.states[env.states["public"]["phase"] == PLAY]
    for state, values in zip(states, solve_cards_of(env.rules, states), strict=True):
        public, outcomes = state["public"], np.empty(32)
        weigh_cards(rules, state, False, 0.0, room.table, room.search, room.cards, outcomes)
        whole = settle(rules, state, room.table)
        against = rules.side[public["seat"]] != rules.side[public["bidder"]]
        legal = values != NO_CARD
        assert outcomes[legal] == pytest.approx((-1 if against else 1) * (2 * values[legal] - whole))
        assert (outcomes[~legal] == -np.inf).all()
        seen += 1
    assert seen > 20


def test_a_hand_of_all_trumps_is_bid_for_all_it_is_worth() -> None:
    game = table(*WHOLE_SUITS)
    call = game.rules.actions.text(int(agents.make("pimc", game.rules).act(game.decision())[0]))
    assert call == "capotC" or (call.endswith("C") and int(call[:-1]) >= 20)


def test_the_calm_action_is_left_for_what_is_surely_better() -> None:
    """Three worlds: action 0 is of the best opinion, 1 much better in one of them, 2 a little in all."""
    outcomes = np.array([[0.0, 9.0, 2.0], [1.0, 1.0, 3.0], [2.0, 2.0, 4.0]])
    alike, opinions = np.ones(3), np.array([5.0, 4.0, 4.5])
    assert best(outcomes, alike, opinions, 0.0, 0.0) == 1
    assert best(outcomes, alike, opinions, 0.0, 1.0) == 2  # 3 more on average, with an error of 2.4
    assert best(outcomes, alike, opinions, 100.0, 0.0) == 0
    assert best(outcomes, np.array([0.0, 0.5, 0.5]), opinions, 0.0, 0.0) == 2


def test_equal_cards_need_no_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.search.pimc.weighted_worlds", None)
    game = table("7C 8C AS KS QS TS JS 9S")
    for action in "8S pass pass pass pass AS KS QS TS JS 9S".split():
        while game.phase == "play" and game.seat:
            game.play(game.legal_actions()[0])
        game.play(action)
    while game.seat:
        game.play(game.legal_actions()[0])
    assert game.legal_actions() == ["7C", "8C"]
    assert int(agents.make("pimc", game.rules).act(game.decision())[0]) == 0


def test_it_stops_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds: list[int] = []
    monkeypatch.setattr("agents.search.pimc.weigh_cards", lambda *room: (worlds.append(1), room[-1].fill(0.0)))
    monkeypatch.setattr("agents.search.pimc.perf_counter", lambda: len(worlds) / 1000)  # a millisecond a world
    decision = play(table("7C 8D AS KS QS TH JS 9S"), "8S pass pass pass pass").decision()
    agents.make("pimc:worlds=9,ms=3.5", load_rules("bazar")).act(decision)
    assert len(worlds) == 4
    worlds.clear()
    agents.make("pimc:worlds=9,ms=100", load_rules("bazar")).act(decision)
    assert len(worlds) == 9


def test_its_name_tells_how_it_plays() -> None:
    rules = load_rules("bazar")
    assert PIMCPlayer(rules).name == "pimc:worlds=20@1"
    assert (
        PIMCPlayer(rules, 5, "none", "cards", 3, threads=2).name == "pimc:worlds=5,weights=none,value=cards,deals=3@1"
    )
    assert PIMCPlayer(rules, ms=50).name == "pimc:worlds=20,ms=50@1 (timed)"
    for spec, reason in (
        ("pimc:0", "worlds is '0'"),
        ("pimc:9999", "worlds is '9999'"),
        ("pimc:ms=0", "ms is '0'"),
        ("pimc:weights=all", "weights is"),
    ):
        with pytest.raises(SpecError, match=reason):
            agents.make(spec, rules)


@pytest.mark.nojit
def test_it_plays_without_a_compiler() -> None:
    game = Game(load_rules("duel"), seed=3)
    game.play("nameC" if "nameC" in game.legal_actions() else game.legal_actions()[0])
    while game.state.public.trick_number < 6 or len(game.legal_actions()) < 2:
        game.play(game.legal_actions()[0])
    decision = game.decision()
    assert decision.masks[0, int(PIMCPlayer(game.rules, worlds=2).act(decision)[0])]


@pytest.mark.slow
def test_most_written_positions_are_right() -> None:
    """It need not agree with what is right on principle, but seldom sees it otherwise."""
    right = 0
    positions = [json.loads(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    for at in positions:
        game = Game.from_record(at["record"])
        for action in at["record"]["actions"]:
            game.play(action)
        chosen = game.rules.actions.text(int(agents.make("pimc", game.rules).act(game.decision())[0]))
        right += chosen in at["accept"] if "accept" in at else chosen not in at["reject"]
    assert right >= 0.85 * len(positions)

"""The solver's values are those of plain minimax over the engine, in every game, and agree with one another."""

from typing import Any

import numpy as np
import pytest

from agents.search.solver import NO_CARD, NO_TRICK, solve_cards_of, solve_states
from blot_env import RULESETS, Game, RuleSet, load_rules
from blot_env.cards import AT
from blot_env.state import STATE
from tests.minimax import minimax, random_positions

States = np.ndarray

HOUSE: list[tuple[str, dict[str, Any]]] = [
    ("bazar", {"must_beat": "all"}),
    ("bazar", {"must_trump": "always"}),
    ("bazar", {"cannot_overtrump": "undertrump"}),
    ("bazar", {"must_beat": "all", "must_trump": "always", "cannot_overtrump": "undertrump"}),
    ("bazar", {"all_tricks": 0}),
    ("bazar", {"all_tricks_set": 250}),
    ("bazar", {"last_trick": 0}),
    ("duel", {"last_trick": 0}),
    ("bazar", {"last_trick": 0, "points_nt": [5, 4, 3, 2, 2, 10, 0, 11]}),
    ("bazar-alltrump", {"points_at": [0, 0, 9, 5, 14, 2, 3, 6], "must_beat": "all"}),
    ("bela3", {"must_beat": "all", "must_trump": "unless_partner_wins"}),
    ("bela3", {"cannot_overtrump": "free", "discards": "namer"}),
    ("bela2", {"must_beat": "all", "cannot_overtrump": "free"}),
    ("duel", {"cannot_overtrump": "undertrump"}),
]
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("bela4", {"players": 2, "teams": False, "hand_size": 8, "visible": 8, "face_down": 0, "stock": "out"}),
    ("bela4", {"players": 4, "teams": True, "hand_size": 6, "visible": 6, "face_down": 0, "ranks": "9TJQKA"}),
    (
        "bela3",
        {"players": 4, "teams": False, "hand_size": 5, "visible": 3, "face_down": 2, "stock": "out", "belot": False},
    ),
    ("bela3", {"players": 3, "teams": False, "hand_size": 8, "visible": 8, "face_down": 0, "stock": "out"}),
]


def check(rules: RuleSet, least: int, most: int, n: int, seed: int = 0) -> None:
    """Compare with minimax `n` positions of each strain."""
    for strain in range(len(rules.strains)):
        states = random_positions(rules, strain, least, most, n, seed)
        values, cards = minimax(rules, states)
        assert solve_states(rules, states, threads=1).tolist() == values.tolist()
        assert solve_cards_of(rules, states, threads=1).tolist() == cards.tolist()
        assert NO_TRICK in values or n < 100
        assert values.max() > 162 or n < 100  # all tricks


@pytest.mark.parametrize("preset", RULESETS)
def test_one_to_four_tricks_left(preset: str) -> None:
    check(load_rules(preset), 1, 4, 500)


@pytest.mark.parametrize("preset", RULESETS)
def test_five_tricks_left(preset: str) -> None:
    check(load_rules(preset), 5, 5, 12)


@pytest.mark.parametrize(("preset", "fields"), HOUSE)
def test_house_rules(preset: str, fields: dict[str, Any]) -> None:
    without_last = fields.get("last_trick") == 0  # nothing but the bounds keeps all and no tricks apart
    check(load_rules(preset, **fields), 1, 2 if without_last else 4, 2000 if without_last else 100)


@pytest.mark.parametrize(("preset", "fields"), TABLES)
def test_other_tables(preset: str, fields: dict[str, Any]) -> None:
    check(load_rules(preset, **fields), 1, 4, 99)


@pytest.mark.slow
@pytest.mark.parametrize("preset", RULESETS)
def test_many_positions(preset: str) -> None:
    check(load_rules(preset), 1, 4, 5000, seed=1)
    check(load_rules(preset), 5, 5, 60, seed=2)
    check(load_rules(preset), 6, 6, 1, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "fields"), HOUSE)
def test_house_rules_in_many_positions(preset: str, fields: dict[str, Any]) -> None:
    check(load_rules(preset, **fields), 1, 4, 1000, seed=1)


@pytest.mark.nojit
def test_without_compiling() -> None:
    for preset in ("bazar-alltrump", "bela3"):
        check(load_rules(preset), 1, 2, 3)


def test_what_minimax_leaves_out_does_not_matter() -> None:
    for preset in ("bazar", "bela3", "duel"):
        rules = load_rules(preset)
        states = random_positions(rules, 2, 1, 3, 100, seed=0)
        every, some = minimax(rules, states, cuts=False), minimax(rules, states)
        assert [part.tolist() for part in every] == [part.tolist() for part in some]


@pytest.mark.parametrize(
    ("preset", "fields"),
    [
        ("bazar", {"must_beat": "all"}),
        ("bazar", {"must_trump": "always"}),
        ("bazar", {"cannot_overtrump": "undertrump"}),
        ("bela3", {"cannot_overtrump": "free"}),
        ("bela2", {"must_beat": "all"}),
    ],
)
def test_a_duty_occurs_and_changes_what_a_deal_is_worth(preset: str, fields: dict[str, Any]) -> None:
    usual, house = load_rules(preset), load_rules(preset, **fields)
    states = random_positions(usual, 1, 5, 6, 300, seed=0)
    assert (solve_states(usual, states) != solve_states(house, states)).any()


# Whole deals


def whole_deals(rules: RuleSet, n: int = 24) -> States:
    """Deals about to be played, in all strains."""
    strains = range(len(rules.strains))
    deals = [random_positions(rules, strain, rules.hand_size, rules.hand_size, n, 5) for strain in strains]
    states = np.concatenate(deals)
    return states[states["public"]["trick_size"] == 0][: 2 * n]


def points_of(rules: RuleSet, state: np.void) -> int:
    """What the cards that are played in a deal count, the last trick included."""
    counts = rules.record.points[state["public"]["strain"]]
    held = np.bitwise_or.reduce(state["dealt"][: rules.players])
    return int(sum(counts[card] for card in range(32) if int(held) >> card & 1)) + rules.last_trick


@pytest.mark.parametrize("preset", [name for name in RULESETS if load_rules(name).sides == 2])
def test_the_values_of_both_sides_are_the_points_of_the_deal(preset: str) -> None:
    rules = load_rules(preset)
    states = whole_deals(rules)
    others = states.copy()
    others["public"]["bidder"] = (states["public"]["bidder"] + 1) % rules.players
    for state, own, other in zip(states, solve_states(rules, states), solve_states(rules, others), strict=True):
        whole = points_of(rules, state)
        bonus = rules.all_tricks_set - whole if rules.all_tricks_set else rules.all_tricks
        if NO_TRICK in (own, other):
            assert max(own, other) == whole + bonus
        else:
            assert own + other == whole


def permuted(cards: np.ndarray, order: list[int]) -> np.ndarray:
    """Sets in which suit `order[i]` has become suit `i`."""
    return sum((cards >> 8 * suit & 255) << 8 * place for place, suit in enumerate(order))


@pytest.mark.parametrize("preset", RULESETS)
def test_suits_and_seats_may_change_places(preset: str) -> None:
    rules = load_rules(preset)
    states = whole_deals(rules)
    values = solve_states(rules, states)
    suits = states.copy()
    for state in suits:
        order = np.random.default_rng(int(state["board"])).permutation(4).tolist()
        state["hands"] = permuted(state["hands"], order)
        state["dealt"] = permuted(state["dealt"], order)
        if state["public"]["strain"] < 4:
            state["public"]["strain"] = order.index(state["public"]["strain"])
    assert solve_states(rules, suits).tolist() == values.tolist()
    seats, players = states.copy(), rules.players
    for name in ("hands", "dealt"):
        seats[name][:, :players] = np.roll(states[name][:, :players], 1, axis=1)
    for name in ("dealer", "bidder", "seat", "leader"):
        seats["public"][name] = (states["public"][name] + 1) % players
    assert solve_states(rules, seats).tolist() == values.tolist()


@pytest.mark.parametrize("preset", RULESETS)
def test_best_play_brings_what_was_promised(preset: str) -> None:
    rules = load_rules(preset)
    for state in whole_deals(rules, 12)[:8]:
        game = game_of(rules, state)
        promised = int(solve_states(rules, game.states)[0])
        namers = rules.side(int(state["public"]["bidder"]))
        while game.phase != "over":
            if game.phase in ("announce", "show"):
                game.play("pass")
                continue
            values = solve_cards_of(rules, game.states)[0]
            mine = rules.side(game.seat) == namers
            best = max(values) if mine else min(values[values != NO_CARD])
            assert best == promised == solve_states(rules, game.states)[0]
            assert np.flatnonzero(values != NO_CARD).tolist() == np.flatnonzero(game.mask()).tolist()
            game.take(int(np.flatnonzero(values == best)[0]))
        result = game.result
        assert result
        took = result["tricks"][namers]
        bonus = rules.all_tricks if took == rules.hand_size else 0
        assert promised == (result["card_points"][namers] + bonus if took else NO_TRICK)


def game_of(rules: RuleSet, state: np.void) -> Game:
    """A game that stands at a state."""
    game = Game(rules)
    game.states[0] = np.array([state], STATE)[0]
    return game


@pytest.mark.parametrize("preset", ["bazar-alltrump", "bela3", "duel"])
def test_values_depend_on_nothing_but_the_position(preset: str) -> None:
    rules = load_rules(preset)
    strain = len(rules.strains) - 1
    assert preset != "bazar-alltrump" or strain == AT
    few, many = (random_positions(rules, strain, 1, tricks, n, 3) for tricks, n in ((6, 200), (8, 20)))
    states = np.concatenate([few, many])
    values, cards = solve_states(rules, states, threads=1), solve_cards_of(rules, states, threads=1)
    order = np.random.default_rng(0).permutation(len(states))
    for threads in (1, 3):
        assert solve_states(rules, states[order], threads).tolist() == values[order].tolist()
        assert solve_cards_of(rules, states[order], threads).tolist() == cards[order].tolist()

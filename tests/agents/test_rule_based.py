"""The rule-based player: repeatable, better than random, with the statistics of a sound player, in every game.

Single decisions are in `test_positions.py`; that it is blind to hidden cards, in `test_information.py`.
"""

import hashlib

import numpy as np
import pytest
from numpy.lib.recfunctions import repack_fields

import agents
from agents.agent import Agent
from agents.rule_based.evaluate import card_points, extra_points, stops_capot, takes_all
from agents.rule_based.values import values_of
from blot_env import RULESETS, BatchEnv, Game, RuleSet, load_rules
from blot_env.cards import AT, NT, parse_card, set_of
from tests.fuzz import variants
from train.duplicate import play_duplicate

RULES = load_rules("bazar")
VALUES = values_of(RULES)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def cards(text: str) -> int:
    return set_of(parse_card(card) for card in text.split())


def play(agent: Agent, rules: RuleSet, tables: int, deals: int, seed: int = 0) -> np.ndarray:
    """Return the results of deals that an agent plays with itself."""
    env = BatchEnv(rules, tables, seed=seed)
    env.reset()
    found: list[np.ndarray] = []
    while sum(map(len, found)) < deals:
        *_, done = env.step(agent.act(env.decisions()))
        found.append(env.results[done])
    return np.concatenate(found)[:deals]


# One decision, whatever is around it


def test_the_same_decision_gives_the_same_action_in_any_batch(rules: RuleSet) -> None:
    env = BatchEnv(rules, 50)
    mask = env.reset()[1]
    agent, twin = agents.make("rules", rules), agents.make("rules", rules)
    for step in range(80):
        actions = agent.act(env.decisions(seed=step))
        assert mask[np.arange(50), actions].all()
        assert (twin.act(env.decisions(np.arange(20, 30), seed=-step % 7)) == actions[20:30]).all()
        mask = env.step(actions)[1]


@pytest.mark.parametrize("preset", RULESETS)
def test_legal_under_house_rules(preset: str) -> None:
    """An illegal action raises."""
    for fields in variants(preset):
        rules = load_rules(preset, **fields)
        assert len(play(agents.make("rules", rules), rules, 10, 20)) == 20


@pytest.mark.parametrize(
    ("preset", "fields"),
    [
        ("bazar", {"players": 2, "teams": False, "stock": "out"}),
        ("bazar", {"visible": 6, "face_down": 2, "strains": ["C", "D", "H", "S", "NT", "AT"]}),
        ("bazar", {"contra": False, "recontra": False, "max_number": 12, "rounding": "none"}),
        ("bela4", {"teams": False, "failed_to": "nobody"}),
        ("bela4", {"players": 3, "teams": False, "failed_to": "nobody", "stock": "out"}),
        ("bela2", {"hand_size": 1, "visible": 1, "face_down": 0, "belot": False}),
        ("bela3", {"visible": 4, "face_down": 4, "hand_size": 8}),
        ("duel", {"players": 3, "failed_to": "nobody", "undealt_to": "nobody", "visible": 3, "hand_size": 7}),
    ],
)
def test_legal_in_other_shapes_of_game(preset: str, fields: dict) -> None:
    rules = load_rules(preset, **fields)
    assert len(play(agents.make("rules", rules), rules, 50, 200)) == 200


@pytest.mark.nojit
@pytest.mark.parametrize("preset", RULESETS)
def test_a_deal_of_every_game(preset: str) -> None:
    game = Game(load_rules(preset), seed=3)
    agent = agents.make("rules", game.rules)
    while game.phase != "over":
        game.take(int(agent.act(game.decision())[0]))  # an illegal action raises
    assert game.result["bidder"] is not None


# A yardstick must not drift


@pytest.mark.nojit
def test_a_deal_of_rules_1(rules: RuleSet) -> None:
    game = Game(rules, seed=7)
    agent = agents.make("rules", rules)
    while game.phase != "over":
        game.take(int(agent.act(game.decision())[0]))
    assert agent.name == "rules@1"
    assert " ".join(game.record()["actions"]) == (
        "8C 9S pass pass 10C pass pass pass pass JC QC TC 7C AD QD 8D 9D 7D KD 9C TD KH AH 7H TH "
        "TS KC 7S QS AC 8H 8S 8C JD JS 9S JH 9H KS AS QH"
    )


def test_rules_1_plays_as_it_always_did(rules: RuleSet) -> None:
    """Who changes how it plays gives it the next number in its name, and these figures."""
    deals = play(agents.make("rules", rules), rules, 100, 500, seed=1)
    played = repack_fields(deals[["contract", "contra", "bidder", "card_points"]])  # else all other fields come along
    digest = hashlib.sha256(played.tobytes()).hexdigest()
    assert digest.startswith("b8ac99cbc0164a41")


# Strength and statistics


def test_it_beats_random_in_nearly_every_match(rules: RuleSet) -> None:
    env = BatchEnv(rules, 200, episode="match", reward="win")
    seat = env.reset()[2]
    agent, opponent = agents.make("rules", rules), agents.make("random", rules)
    sides = np.arange(200) % 2  # which side the rules play
    won = np.zeros(200)
    playing = np.ones(200, bool)
    while playing.any():
        decisions = env.decisions()
        actions = np.where(seat % 2 == sides, agent.act(decisions), opponent.act(decisions))
        _, _, seat, reward, done = env.step(actions)
        ended = playing & done
        won[ended] = reward[ended, sides[ended]] > 0
        playing &= ~done
    assert won.mean() > 0.98


def assert_sound(deals: np.ndarray) -> None:
    bid = deals["contract"] >= 0
    contra = deals["contra"] > 0
    assert 1 - bid.mean() < 0.25
    assert 0.6 <= (deals["made"][bid] == 1).mean() <= 0.8
    assert contra.mean() > 0.02
    assert (deals["made"][contra] == 0).mean() >= 0.55
    assert (deals["made"][deals["contra"] == 2] == 1).mean() >= 0.55
    assert set(deals["strain"][bid].tolist()) == {CLUBS, DIAMONDS, HEARTS, SPADES, NT}


def test_its_contracts_and_contras_are_sound(rules: RuleSet) -> None:
    assert_sound(play(agents.make("rules", rules), rules, 1_000, 3_000))


@pytest.mark.slow
def test_its_contracts_and_contras_are_sound_in_many_deals(rules: RuleSet) -> None:
    assert_sound(play(agents.make("rules", rules), rules, 2_000, 10_000, seed=2))


@pytest.mark.parametrize("preset", RULESETS)
def test_it_plays_every_game_well(preset: str) -> None:
    """Contracts are made more often than not, but are no gifts; boards seldom pass out; random is far behind."""
    rules = load_rules(preset)
    agent, opponent = agents.make("rules", rules), agents.make("random", rules)
    deals = play(agent, rules, 500, 1_500)
    named = deals["bidder"] >= 0
    assert named.mean() > 0.9
    made = (deals["made"][named] == 1).mean()
    margins = play_duplicate(rules, agent, opponent, 300, seed=5).margins
    error = 1.96 * margins.std(ddof=1) / len(margins) ** 0.5
    print(f"{preset}: made {made:.1%}, {margins.mean():.1f} ± {error:.1f} match points a board against random")
    assert 0.55 <= made <= 0.9
    assert margins.mean() - error > (20 if rules.record.unit == 1 else 4)
    if rules.numbered:
        assert set(deals["strain"][named].tolist()) == set(range(len(rules.strains)))


def test_it_announces_and_shows_what_it_holds() -> None:
    """Combinations are worth as much as where all are announced without being asked."""
    chosen, automatic = (
        play(agents.make("rules", rules), rules, 500, 3_000)["combinations"].sum()
        for rules in (load_rules("bazar-classic"), load_rules("bazar-classic", announce="automatic"))
    )
    assert chosen > 0.9 * automatic


# What a hand is worth


def test_values_of_hands() -> None:
    strong, weak = cards("JH 9H AH 7H AC TC AD 8S"), cards("7H 8H 9C 8C 9D QS 8S 7D")
    assert card_points(VALUES, HEARTS, strong) > 130
    assert card_points(VALUES, HEARTS, weak) < 75
    assert card_points(VALUES, HEARTS, strong) > card_points(VALUES, SPADES, strong)
    assert card_points(VALUES, NT, cards("AC TC AD TD AH 7H AS 8S")) > 130
    assert card_points(VALUES, AT, cards("JC 9C JD 9D JH 7H AS 8S")) > 180


@pytest.mark.parametrize(
    ("hand", "strain", "own", "other"),
    [
        ("7C 9C JD KD 8H TH QS AS", HEARTS, 4, 11),
        ("7C 8C 9C KD 8H TH QS AS", HEARTS, 15, 6),
        ("7C 8C 9C TC 8H TH QS AS", HEARTS, 50, 1),
        ("JC JD JH JS KH QH 8S 7S", HEARTS, 240, 1),
        ("KH QH 8C 7C 9D JD 9S AS", HEARTS, 24, 11),
        ("KH QH 8C 7C 9D JD 9S AS", NT, 4, 11),
        ("JC JD JH JS KC QC 8S 7S", NT, 220, 1),
    ],
)
def test_points_of_combinations_and_blot(hand: str, strain: int, own: float, other: float) -> None:
    assert extra_points(RULES.record, VALUES, strain, cards(hand)) == (own, other)


@pytest.mark.parametrize(
    ("hand", "strain", "leads", "sure"),
    [
        ("JH 9H AH TH KH AC TC AS", HEARTS, True, True),
        ("JH 9H AH TH KH AC TC AS", HEARTS, False, True),
        ("JH 9H AH TH AC TC KC AS", HEARTS, False, False),  # a ruff would cost a trump that is needed
        ("JH 9H AH TH AC TC KC AS", HEARTS, True, True),
        ("JH 9H AH 7H AC TC KC AS", HEARTS, True, False),  # five trumps are out, three are drawn
        ("JH 9H AH TH AC KC QC AS", HEARTS, True, False),  # the ten of clubs is out
        ("AC TC KC QC AD TD AH AS", NT, True, True),
        ("AC TC KC QC AD TD AH AS", NT, False, False),
        ("AC TC KC QC JC 7C AH AS", NT, True, True),  # two clubs are out and fall
    ],
)
def test_a_capot_is_called_when_sure(hand: str, strain: int, leads: bool, sure: bool) -> None:
    assert takes_all(strain, cards(hand), leads) == sure


@pytest.mark.parametrize(
    ("hand", "strain", "leads", "stops"),
    [
        ("JH 7C 8C 9C 7D 8D 9D 7S", HEARTS, False, True),
        ("9H 7H 8C 9C 7D 8D 9D 7S", HEARTS, False, True),
        ("9H 7C 8C 9C 7D 8D 9D 7S", HEARTS, False, False),
        ("TH 7H 8H KH 7D 8D 9D 7S", HEARTS, False, True),
        ("AH 7H AC TC AD TD AS TS", HEARTS, True, False),  # all of them may be ruffed
        ("AH 7H 8C 9C 7D 8D 9D 7S", NT, True, True),
        ("AH 7H 8C 9C 7D 8D 9D 7S", NT, False, False),
        ("AH 7H AC 9C 7D 8D 9D 7S", NT, False, True),
    ],
)
def test_what_stops_a_capot(hand: str, strain: int, leads: bool, stops: bool) -> None:
    assert stops_capot(strain, cards(hand), leads) == stops

"""A seat's message holds all that the seat needs to decide, and wrong messages are answered with what is wrong."""

import copy
import json

import numpy as np
import pytest
from hypothesis import assume, given

from blot_env import RecordError, decision_from_message, load_rules
from tests.positions import positions
from tests.tables import play, table

RULES = load_rules("bazar", target=301)

HANDS = (  # seat 0: four queens and J-Q-K of hearts; nobody else has a combination
    "QC QD QH QS JH KH 7C 8D",
    "KC AC 9D JD 8H TH 8S KS",
    "TC JC TD KD 7H AH 9S JS",
    "8C 9C 7D AD 9H 7S TS AS",
)
# Seat 1 to call over 8 spades; then, seat 2 having taken the first trick and led, seat 3 to follow.
CALLING = play(table(*HANDS, target=301), "8S").message()
PLAYING = play(table(*HANDS, target=301), "8S pass pass pass pass JH TH AH 9H JS").message()


@given(positions(0, 45))
def test_a_message_tells_all_that_the_seat_knows(at):
    assume(at.game.phase != "over")
    message = json.loads(json.dumps(at.game.message()))
    rules = load_rules("bazar", target=message["target"])
    decision, own = decision_from_message(rules, message), at.game.decision()
    assert decision.views.tobytes() == own.views.tobytes()
    np.testing.assert_array_equal(decision.observations, own.observations)
    np.testing.assert_array_equal(decision.masks, own.masks)


def test_messages_in_full():
    assert {
        "rules": "bazar",
        "target": 301,
        "scores": [0, 0],
        "dealer": 3,
        "seat": 1,
        "hand": HANDS[1],
        "actions": ["8S"],
        "announced": [None, None, None, None],
        "shown": None,
    } == CALLING
    assert PLAYING["seat"] == 3
    assert PLAYING["hand"] == HANDS[3]  # as dealt
    assert PLAYING["announced"] == [["terz", "four"], [], [], []]
    assert [set(cards.split()) for cards in PLAYING["shown"]] == [
        {"QC", "QD", "QH", "QS", "JH", "KH"},
        set(),
        set(),
        set(),
    ]


def test_a_seed_may_be_given():
    assert decision_from_message(RULES, CALLING | {"seed": 7}).seeds == [7]
    assert decision_from_message(RULES, CALLING).seeds == decision_from_message(RULES, CALLING).seeds


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (None, "NoneType"),
        ([], "list"),
        (CALLING | {"hands": "7C"}, "hands"),
        (CALLING | {"rules": "bela4"}, "bela4"),
        (CALLING | {"target": 0}, "target"),
        (CALLING | {"scores": [1]}, "scores"),
        (CALLING | {"scores": None}, "scores"),
        (CALLING | {"dealer": 9}, "dealer"),
        (CALLING | {"seat": 4}, "seat"),
        (CALLING | {"seat": "1"}, "seat"),
        (CALLING | {"seat": 2}, "turn of seat 1"),
        (CALLING | {"hand": "7C"}, "hand.*8"),
        (CALLING | {"hand": None}, "hand"),
        (CALLING | {"hand": "7C 7C 8C 9C TC JC QC KC"}, "7C"),
        (CALLING | {"actions": "8S"}, "actions"),
        (CALLING | {"actions": ["8S", 9]}, "actions"),
        (CALLING | {"actions": ["7S"]}, "7S"),
        (CALLING | {"actions": ["8S", "pass"]}, "turn of seat 2"),
        (CALLING | {"actions": ["8S", "8H"]}, r"action 1 \('8H'\)"),
        (CALLING | {"actions": ["pass"] * 4}, "over"),
        (CALLING | {"actions": ["pass"] * 5}, r"action 4 \('pass'\)"),
        (CALLING | {"seed": -1}, "seed"),
        (CALLING | {"seed": "x"}, "seed"),
        (PLAYING | {"actions": [*PLAYING["actions"], "AS"]}, "turn of seat 0"),
        (PLAYING | {"actions": [*PLAYING["actions"], "KS"]}, "KS"),  # not in hand
        (PLAYING | {"actions": [*PLAYING["actions"][:-1], "AS"]}, "AS"),  # in the own hand, not seat 2's
        (PLAYING | {"actions": [*PLAYING["actions"][:-1], "JH"]}, "JH"),  # played already
        (PLAYING | {"announced": None}, "announced"),
        (PLAYING | {"announced": [["terz"], [], []]}, "announced"),
        (PLAYING | {"announced": [["terz"], [], [], None]}, "announced"),
        (PLAYING | {"announced": [["trez"], [], [], []]}, "announced"),
        (PLAYING | {"announced": [["terz", "four"], [], [], ["terz"]]}, "announced"),  # the own hand has none
        (PLAYING | {"shown": None}, "shown"),
        (PLAYING | {"shown": ["", "", ""]}, "shown"),
        (PLAYING | {"shown": ["QC QD QH QS JH KH", "", "", "7D"]}, "shown"),
        (PLAYING | {"shown": ["JH QH KH", "", "", ""]}, "shown"),  # less than announced
        (PLAYING | {"shown": ["AC AD AH AS", "", "", ""]}, "shown"),  # of which seat 3 holds two
    ],
)
def test_wrong_messages(message, reason):
    before = copy.deepcopy(message)
    with pytest.raises(RecordError, match=reason):
        decision_from_message(RULES, message)
    assert message == before


@pytest.mark.parametrize(
    ("announced", "shown", "reason"),
    [
        ([["terz", "four"], [], [], []], ["", "", "", ""], "somebody must show"),
        ([["hundred", "hundred"], [], [], []], PLAYING["shown"], "at once"),
        ([["terz", "four"], ["four"], [], []], ["", "", "", ""], "somebody must show"),
        ([["terz"], ["four"], [], []], ["JH QH KH", "", "", ""], "better combination"),
        ([["terz", "four"], [], ["fifty"], []], PLAYING["shown"], "seat 2 announced, so it shows too"),
    ],
)
def test_impossible_combinations(announced, shown, reason):
    with pytest.raises(RecordError, match=reason):
        decision_from_message(RULES, PLAYING | {"announced": announced, "shown": shown})


def test_the_reason_is_the_one_of_the_table():
    with pytest.raises(RecordError, match=r"action 1 \('8H'\): a bid must be higher than 8"):
        decision_from_message(RULES, CALLING | {"actions": ["8S", "8H"]})

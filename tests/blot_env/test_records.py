"""Records that are wrong, and what is said about them (docs/records.md)."""

import copy
import json

import pytest

from blot_env import Game, RecordError, load_rules, replay
from tests import vectors

PLAYED = vectors.load("bazar")[3][0]  # nine calls, 32 cards


def changed(**fields):
    return copy.deepcopy(PLAYED) | fields


def with_action(index, action):
    actions = list(PLAYED["actions"])
    actions[index] = action
    return changed(actions=actions)


def with_hand(seat, hand):
    hands = list(PLAYED["hands"])
    hands[seat] = hand
    return changed(hands=hands)


def without(key):
    record = copy.deepcopy(PLAYED)
    del record[key]
    return record


def test_the_record_is_right_to_begin_with():
    assert PLAYED["actions"][:9] == ["9NT", "pass", "11H", "pass", "13D", "pass", "pass", "pass", "pass"]
    assert replay(PLAYED).record() == PLAYED


def test_ten_may_be_written_in_two_ways():
    hands = [hand.replace("T", "10") for hand in PLAYED["hands"]]
    actions = PLAYED["actions"][:9] + [action.replace("T", "10") for action in PLAYED["actions"][9:]]
    assert replay(changed(hands=hands, actions=actions)).record() == PLAYED


def test_a_record_may_end_anywhere():
    for length in range(len(PLAYED["actions"])):
        record = replay(changed(actions=PLAYED["actions"][:length], result=None)).record()
        assert record["actions"] == PLAYED["actions"][:length]
        assert record["result"] is None


def test_any_positive_target():
    assert replay(changed(target=1)).rules.target == 1


@pytest.mark.parametrize(
    ("index", "action", "reason"),
    [
        (0, "7H", "between 8 and 80"),
        (0, "contra", "contra"),
        (0, "AS", "AS"),
        (0, "Pass", "Pass"),
        (0, 9, "text"),
        (0, None, "text"),
        (2, "9H", "9"),  # not higher than the standing bid
        (8, "contra", "keep"),  # the last word
        (9, "pass", "card"),  # the auction is over
        (9, "ZZ", "ZZ"),
        (9, "7D", "hold"),  # in another hand
        (10, "8D", "hold"),  # played already
        (13, "QC", "hold"),  # out of turn: it lies in the hand of seat 1, and seat 0 leads
        (14, "AH", "Follow suit"),
        (16, "AC", "trump|hold"),
    ],
)
def test_a_wrong_action_is_named(index, action, reason):
    with pytest.raises(RecordError, match=reason) as error:
        replay(with_action(index, action))
    assert (error.value.index, error.value.action) == (index, action)
    assert str(index) in str(error.value)
    assert repr(action) in str(error.value)


def test_actions_after_the_end():
    with pytest.raises(RecordError, match="over") as error:
        replay(changed(actions=[*PLAYED["actions"], "pass"]))
    assert error.value.index == len(PLAYED["actions"])
    over = vectors.load("bazar")[1][0]
    assert over["actions"] == ["pass"] * 4
    with pytest.raises(RecordError, match="over") as error:
        replay(over | {"actions": ["pass"] * 5})
    assert error.value.index == 4


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (without("rules"), "rules"),
        (changed(rules="bazzar"), "bazar"),
        (changed(rules=5), "rules"),
        (without("target"), "target"),
        (changed(target=0), "target"),
        (changed(target=-5), "target"),
        (changed(target="151"), "target"),
        (changed(target=True), "target"),
        (changed(target=151.5), "target"),
        (without("scores"), "scores"),
        (changed(scores=[0]), "scores"),
        (changed(scores=[0, 0, 0]), "scores"),
        (changed(scores=["0", "0"]), "scores"),
        (changed(scores=5), "scores"),
        (changed(scores=[0, 10**30]), "scores"),
        (without("dealer"), "dealer"),
        (changed(dealer=4), "dealer"),
        (changed(dealer=-1), "dealer"),
        (changed(dealer=None), "dealer"),
        (without("hands"), "hands"),
        (changed(hands="7C"), "hands"),
        (changed(hands=PLAYED["hands"][:3]), "hands"),
        (changed(hands=[*PLAYED["hands"], ""]), "hands"),
        (with_hand(1, 7), r"hands\[1\]"),
        (with_hand(0, "9D 8C AS 7C JD JS JC"), r"hands\[0\].*8 cards.*7"),  # a card is missing
        (with_hand(0, "9D 8C AS 7C JD JS JC TD KH"), r"hands\[0\].*8 cards.*9"),
        (with_hand(0, "9D 8C AS 7C JD JS JC JC"), "JC"),  # twice in one hand
        (with_hand(0, "9D 8C AS 7C JD JS JC KH"), "KH"),  # also in the hand of seat 1
        (with_hand(0, "9D 8C AS 7C JD JS JC 1D"), r"hands\[0\].*1D"),
        (changed(stock="7C"), "stock"),
        (changed(stock=None), "stock"),
        ([], "list"),
        (None, "NoneType"),
        ("record", "str"),
    ],
)
def test_a_wrong_board_is_named(record, reason):
    with pytest.raises(RecordError, match=reason):
        Game.from_record(record)
    with pytest.raises(RecordError, match=reason):
        replay(record)


@pytest.mark.parametrize("actions", [None, "pass", 5, {"0": "pass"}])
def test_actions_must_be_a_list(actions):
    with pytest.raises(RecordError, match="actions"):
        replay(changed(actions=actions))


def test_from_record_applies_no_action():
    game = Game.from_record(PLAYED)
    assert game.record() == changed(actions=[], result=None)


def test_records_are_json():
    assert json.loads(json.dumps(replay(PLAYED).record())) == PLAYED


def test_a_house_rule_stays_in_the_record():
    game = Game(load_rules("bazar", last_word=False, target=77), seed=3)
    for call in ("8H", "pass", "pass", "pass"):
        game.play(call)
    assert game.phase == "play"
    again = replay(json.loads(json.dumps(game.record())))
    assert (again.phase, again.rules) == ("play", game.rules)


def test_keys_that_nobody_reads_are_refused():
    with pytest.raises(RecordError, match="feilds"):
        replay(changed(feilds={"must_beat": "all"}))
    with pytest.raises(RecordError, match="preset"):
        replay(changed(fields={"preset": 1}))


def test_the_result_must_be_that_of_the_actions():
    result = PLAYED["result"]
    with pytest.raises(RecordError, match="result: raw"):
        replay(changed(result=result | {"raw": [1, 2]}))
    with pytest.raises(RecordError, match="not over"):
        replay(changed(actions=PLAYED["actions"][:-1]))
    assert replay(changed(result=None)).result == result

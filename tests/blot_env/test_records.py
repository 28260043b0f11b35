"""Records that are wrong, and what is said about them (docs/records.md)."""

import copy
import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blot_env import RULESETS, Game, RecordError, load_rules, replay
from tests import vectors
from tests.positions import position, positions
from tests.reference.cards import DECK

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


# All games


@pytest.mark.parametrize("preset", RULESETS)
@given(data=st.data())
@settings(max_examples=25)
def test_there_and_back_in_every_game(preset, data):
    at = data.draw(positions(0, 60, preset))
    record = json.loads(json.dumps(at.game.record()))
    assert record == at.record  # the reference writes the same
    again = replay(record)
    assert again.record() == record
    assert again.states.tobytes() == at.game.states.tobytes()


@pytest.mark.nojit
@pytest.mark.parametrize("preset", RULESETS)
def test_there_and_back_a_few(preset):
    for steps in (0, 4, 60):
        record = position(6, steps, preset).record
        assert replay(record).record() == record


def played_out(preset):
    """A record of a deal with cards played to the end."""
    records = (position(seed, 400, preset).record for seed in itertools.count())
    return next(record for record in records if record["result"]["made"] is not None)


SAMPLE = {preset: played_out(preset) for preset in RULESETS}


def sample(preset, **fields):
    return copy.deepcopy(SAMPLE[preset]) | fields


def first_card(preset):
    """The index of the first card to be played."""
    game = Game.from_record(SAMPLE[preset])
    for index, action in enumerate(SAMPLE[preset]["actions"]):
        if game.phase == "play":
            return index
        game.play(action)
    raise AssertionError(preset)


@pytest.mark.parametrize(
    ("preset", "hand", "stock", "reason"),
    [
        ("duel", 5, 13, "stock: 14 cards are wanted, not 13"),
        ("duel", 5, 0, "stock: 14 cards are wanted, not 0"),
        ("duel", 4, 14, r"hands\[0\]: 5 cards are wanted, not 4"),
        ("bela3", 10, 1, "stock: 2 cards are wanted, not 1"),
        ("bela3", 9, 2, r"hands\[0\]: 10 cards are wanted, not 9"),
        ("bela2", 10, 11, "stock: 12 cards are wanted, not 11"),
        ("bela2", 6, 12, r"hands\[0\]: 10 cards are wanted, not 6"),
        ("bela4", 6, 0, r"hands\[0\]: 8 cards are wanted, not 6"),
    ],
)
def test_other_numbers_of_cards(preset, hand, stock, reason):
    hands = list(SAMPLE[preset]["hands"])
    hands[0] = " ".join(hands[0].split()[:hand])
    cards = " ".join(SAMPLE[preset]["stock"].split()[:stock])
    with pytest.raises(RecordError, match=reason):
        replay(sample(preset, hands=hands, stock=cards))


def test_cards_of_another_pack():
    hands = SAMPLE["duel"]["hands"]
    wrong = hands[0].split()[:4] + ["7C"]
    with pytest.raises(RecordError, match="7C is not in this game's pack, 9TJQKA of each suit"):
        replay(sample("duel", hands=[" ".join(wrong), hands[1]]))


@pytest.mark.parametrize("preset", ["duel", "bela3", "bela2"])
def test_a_card_of_the_stock_that_is_in_a_hand(preset):
    stock = SAMPLE[preset]["stock"].split()
    twice = SAMPLE[preset]["hands"][1].split()[0]
    with pytest.raises(RecordError, match=f"{twice} is dealt twice"):
        replay(sample(preset, stock=" ".join([*stock[:-1], twice])))


@pytest.mark.parametrize("preset", RULESETS)
def test_a_missing_hand_or_score(preset):
    rules = load_rules(preset)
    with pytest.raises(RecordError, match=f"hands: a list of {rules.players} hands is wanted"):
        replay(sample(preset, hands=SAMPLE[preset]["hands"][:-1]))
    with pytest.raises(RecordError, match=f"scores: {rules.sides} entries are wanted, not {rules.sides + 1}"):
        replay(sample(preset, scores=[0] * (rules.sides + 1)))
    with pytest.raises(RecordError, match=f"dealer: a whole number of 0 to {rules.players - 1} is wanted"):
        replay(sample(preset, dealer=rules.players))


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize(
    "action", ["swap", "show", "announce", "recontra", "8X", "nameX", "capotX", "10T", "", "Pass", "🂡"]
)
def test_an_action_out_of_place_is_named(preset, action):
    index = first_card(preset)
    actions = list(SAMPLE[preset]["actions"])
    actions[index] = action
    with pytest.raises(RecordError) as error:
        replay(sample(preset, actions=actions))
    assert (error.value.index, error.value.action) == (index, action)
    assert str(error.value).startswith(f"action {index} ({action!r}): ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("preset", RULESETS)
def test_a_card_of_another_hand_and_one_too_many(preset):
    actions = SAMPLE[preset]["actions"]
    index = first_card(preset)
    game = replay(sample(preset, actions=actions[:index], result=None))
    other = next(card for card in game.hands[(game.seat + 1) % game.rules.players].split())
    with pytest.raises(RecordError) as error:
        replay(sample(preset, actions=[*actions[:index], other, *actions[index + 1 :]]))
    assert error.value.index == index
    with pytest.raises(RecordError, match="over") as error:
        replay(sample(preset, actions=[*actions, actions[-1]]))
    assert error.value.index == len(actions)


def test_a_discard_that_is_not_held():
    actions = list(SAMPLE["bela3"]["actions"])
    game = replay(sample("bela3", actions=actions[:1], result=None))
    assert game.phase == "discard"
    for wrong in (game.hands[(game.seat + 1) % 3].split()[0], "pass"):
        with pytest.raises(RecordError) as error:
            replay(sample("bela3", actions=[actions[0], wrong, *actions[2:]]))
        assert (error.value.index, error.value.action) == (1, wrong)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"blot": -1}, "blot"),
        ({"last_wrod": False}, "did you mean 'last_word'"),
        ({"contra": False}, "recontra: there is no recontra without contra"),
        ({"target": 5}, "fields: the target stands beside them"),
        ([], "fields: an object of rule fields is wanted"),
        ({1: 2}, "fields: an object of rule fields is wanted"),
        (None, "fields: an object of rule fields is wanted"),
    ],
)
def test_house_rules_that_cannot_be(fields, reason):
    with pytest.raises(RecordError, match=reason):
        Game.from_record(changed(fields=fields))


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize(
    "key", ["tricks", "card_points", "raw", "combinations", "blot", "made", "points", "bidder", "contra"]
)
def test_each_part_of_the_result_is_checked(preset, key):
    with pytest.raises(RecordError, match=f"result: {key}: the actions give .* the record says 'wrong'"):
        replay(sample(preset, result=SAMPLE[preset]["result"] | {key: "wrong"}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(DECK),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(RULESETS), st.sampled_from([*PLAYED, "fields"]), JSON)
@settings(max_examples=150)
def test_any_value_of_a_key_is_read_or_refused(preset, key, value):
    _read_or_refused(sample(preset, **{key: value}))


@given(st.sampled_from(RULESETS), st.integers(0, 50), JSON | st.sampled_from(["pass", "10D", "nameC", "8H", "swap"]))
@settings(max_examples=150)
def test_any_action_is_taken_or_refused(preset, index, value):
    actions = list(SAMPLE[preset]["actions"])
    actions[index % len(actions)] = value
    _read_or_refused(sample(preset, actions=actions))


@given(JSON)
def test_any_json_is_refused(value):
    _read_or_refused(value)


def _read_or_refused(record):
    try:
        game = replay(record)
    except RecordError as refused:
        reason = str(refused)
    else:
        assert replay(game.record()).record() == game.record()
        return
    assert len(reason) > 10
    assert len(reason) < 600

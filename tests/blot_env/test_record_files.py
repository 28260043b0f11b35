"""Records from files that anybody may have written: what is wrong is said in one line, with its place and a remedy."""

import json
import os
import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from blot_env import Game, RecordError, replay
from blot_env.record_files import MAX_BYTES, load_record, parse_record
from tests import vectors

PLAYED = {
    preset: [record for record, _ in vectors.load(preset) if record["result"]["made"] is not None]
    for preset in vectors.PRESETS
}
RECORDS = [record for records in PLAYED.values() for record in records[:2]]
TEXT = json.dumps(RECORDS[0])
CARDS = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]


def refusal(file: Path, content: bytes | str, line: int | None = None) -> str:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(RecordError) as error:
        load_record(file, line)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(str(file))
    assert len(str(error.value)) < 400
    return str(error.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        (TEXT[:100], "the text ends in the middle of the record"),
        (TEXT[:1], "the text ends in the middle"),
        (TEXT + "x", f"line 1, column {len(TEXT) + 1}: the record has ended here; delete the rest"),
        (TEXT + "\n" + TEXT + "\n", "there are 2 records, one a line: name one with --line"),
        (TEXT.replace('"', "'"), "line 1, column 2: this is no JSON: expecting property name"),
        ("AS KS QS", "line 1, column 1: this is no JSON"),
        ("\0" * 50, "line 1, column 1: this is no JSON"),
        (TEXT.encode("utf-16"), "byte 0: this is no UTF-8; save it in that encoding"),
        ('{"rules": "bäzar"}'.encode("latin-1"), "byte 12: this is no UTF-8"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ('{"target": ' + "9" * 5000 + "}", "a number of thousands of digits"),
        ('{"target": NaN}', "NaN is no JSON"),
        ('{"dealer": 1, "dealer": 2}', "the key 'dealer' is there twice"),
        ("[]", "a record is a JSON object, not list"),
        ("null", "a record is a JSON object"),
        ('{"rules": "basar", "target": 151}', "no preset is named 'basar' (did you mean 'bazar'?)"),
        ('{"rules": "own.toml", "target": 151}', "rules: the name of a preset is wanted, not 'own.toml'"),
        ('{"rules": "bazar", "targat": 151}', "'targat': there is no such key"),
    ],
    ids=range(21),
)
def test_what_is_no_record(content, reason, tmp_path):
    assert reason in refusal(tmp_path / "deal.json", content)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["rules"])
def test_what_is_wrong_in_a_record(record, tmp_path):
    def wrong(**changes):
        return refusal(tmp_path / "deal.json", json.dumps(record | changes))

    first, *others = record["hands"]
    assert "cards are wanted" in wrong(hands=[first[3:], *others])
    assert "cards are wanted" in wrong(hands=[f"{first} {others[0][:2]}", *others])
    assert "there twice" in wrong(hands=[f"{first[:-2]}{first[:2]}", *others])
    assert "dealt twice" in wrong(hands=[f"{first[:-2]}{others[0][:2]}", *others])
    assert "hands is wanted" in wrong(hands=others)
    assert "is no card" in wrong(hands=[f"{first[:-2]}1X", *others])
    actions = record["actions"]
    assert "action 0 ('Q'): 'Q' is no call" in wrong(actions=["Q", *actions])
    assert f"action {len(actions)} ('pass')" in wrong(actions=[*actions, "pass"])
    assert "action 1 (5): an action is a text" in wrong(actions=[actions[0], 5])
    assert "result: points" in wrong(result=record["result"] | {"points": [7, 7, 7]})
    assert "result: the deal is not over" in wrong(actions=actions[:-1])
    played = Game.from_record(record)
    while played.phase != "play":
        played.play(actions[len(played.actions)])
    early, other = len(played.actions), played.hands[played.seat - 1].split()[0]  # of the seat before the leader
    out_of_turn = wrong(actions=[*actions[:early], other], result=None)
    assert f"action {early} ('{other}'): {other}: You do not hold {other}" in out_of_turn


def test_a_file_of_50_megabytes_is_refused_before_it_is_read(tmp_path):
    file = tmp_path / "big.json"
    with file.open("wb") as big:
        big.truncate(50_000_000)
    with pytest.raises(RecordError, match=r"big.json: this is more than 16 MiB"):
        load_record(file)
    assert MAX_BYTES == 16 << 20


def test_hundreds_of_thousands_of_cards_or_keys_are_refused_at_once(tmp_path):
    start = time.perf_counter()
    hands = ["JC " * 300_000, *RECORDS[0]["hands"][1:]]
    assert "JC is there twice" in refusal(tmp_path / "hand.json", json.dumps(RECORDS[0] | {"hands": hands}))
    keys = "".join(f'"{number}":0,' for number in range(300_000))
    assert "the key '7' is there twice" in refusal(tmp_path / "keys.json", f'{{{keys}"7":0}}')
    assert time.perf_counter() - start < 10


def test_what_is_no_ordinary_file_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(RecordError, match="this is no ordinary file"):
            load_record(tmp_path / name)
    with pytest.raises(RecordError, match="null"):
        load_record("deal\0.json")


def test_a_line_ends_where_a_file_of_lines_does(tmp_path):
    file = tmp_path / "deals.jsonl"
    file.write_text('{"rules": "\u2028\x85"}\n' + TEXT, encoding="utf-8")
    assert load_record(file, 2).record() == RECORDS[0]


def test_lines_are_numbered_from_1(tmp_path):
    file = tmp_path / "deals.jsonl"
    file.write_text("\n".join(map(json.dumps, RECORDS)))
    for line, record in enumerate(RECORDS, 1):
        assert load_record(file, line).record() == record
    content = file.read_bytes()
    assert f"deals.jsonl, line 99: there is no such line; there are {len(RECORDS)}" in refusal(file, content, 99)
    assert "line 2: the file is empty" not in refusal(file, b"{}\n{", 2)


def test_a_file_with_a_byte_order_mark_and_one_over_many_lines(tmp_path):
    file = tmp_path / "deal.json"
    file.write_bytes(json.dumps(RECORDS[0], indent=4).encode("utf-8-sig"))
    assert load_record(file).record() == RECORDS[0]


def answered(text: str) -> None:
    """A text is a record that can be replayed, or it is refused in a line."""
    reason = ""
    try:
        replay(parse_record(text))
    except RecordError as error:
        reason = str(error)
    assert "\n" not in reason
    assert len(reason) < 500


@given(st.text(max_size=300))
@example('{"rules": "\\ud800"}')
@example("\ud800")
def test_any_text_is_answered(text):
    answered(text)


@given(st.sampled_from(RECORDS), st.randoms(use_true_random=False), st.integers(1, 3))
@settings(max_examples=400)
def test_a_damaged_text_is_answered(record, rng: random.Random, edits):
    text = json.dumps(record)
    for _ in range(edits):
        place = rng.randrange(len(text) + 1)
        length = rng.choice([0, 1, 2, 30])
        text = text[:place] + rng.choice(["", '"', "}", "]", ",", "\0", "9", "é", "{", "null"]) + text[place + length :]
    answered(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(CARDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(RECORDS), st.data())
@settings(max_examples=400)
def test_a_record_with_any_other_value_is_answered(record, data):
    changed = json.loads(json.dumps(record))
    key = data.draw(st.sampled_from(sorted(changed)))
    value = changed[key]
    if isinstance(value, list) and value and data.draw(st.booleans()):
        value[data.draw(st.integers(0, len(value) - 1))] = data.draw(JSON | st.sampled_from(["pass", "contra", "show"]))
    elif isinstance(value, dict) and data.draw(st.booleans()):
        value[data.draw(st.sampled_from(sorted(value)))] = data.draw(JSON)
    else:
        changed[key] = data.draw(JSON)
    answered(json.dumps(changed))

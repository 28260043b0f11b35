"""Loading rule sets, from presets and files, and what is said when that fails."""

import itertools
import os
import random
import re
from pathlib import Path

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blot_env import RULESETS, Game, RulesError, RuleSet, load_rules
from blot_env.rules import SECTIONS
from blot_env.rules_text import title
from tests import vectors
from tests.reference import PRESETS
from tests.rule_sets import TABLES, VALUES, play_out, random_fields


def test_presets():
    assert set(RULESETS) == set(PRESETS) == {*vectors.PRESETS, "blotstar"}
    assert RULESETS[0] == "bazar"


@pytest.mark.parametrize("preset", RULESETS)
def test_each_preset_loads_with_its_first_target(preset):
    rules = load_rules(preset)
    assert rules.name == preset
    assert rules.target == rules.targets[0]
    assert rules.changes == {}


@pytest.mark.parametrize("preset", RULESETS)
def test_presets_are_those_of_the_reference(preset):
    """Two people read the rules: all fields of the one are those of the other."""
    own, other = load_rules(preset), PRESETS[preset]
    for field in RuleSet.model_fields:
        if field not in ("name", "target"):
            theirs = getattr(other, field)
            assert getattr(own, field) == (tuple(theirs) if isinstance(theirs, list) else theirs), field


def test_every_field_is_described_and_in_one_section():
    fields = [field for section in SECTIONS.values() for field in section]
    assert sorted(fields) == sorted(set(RuleSet.model_fields) - {"name"})
    for field in fields:
        assert str(RuleSet.model_fields[field].description).endswith("."), field


@pytest.mark.parametrize(
    ("preset", "sides", "dealt", "stock"),
    [("bazar", 2, 8, 0), ("duel", 2, 5, 14), ("bela4", 2, 8, 0), ("bela3", 3, 10, 2), ("bela2", 2, 10, 12)],
)
def test_tables(preset, sides, dealt, stock):
    rules = load_rules(preset)
    assert (rules.sides, rules.dealt, rules.stock_size) == (sides, dealt, stock)


def test_bazar():
    rules = load_rules("bazar", target=301)
    assert (rules.target, rules.players, rules.teams, rules.sides) == (301, 4, True, 2)
    assert (rules.min_number, rules.max_number, rules.hand_size) == (8, 80, 8)
    assert rules.strains == ("C", "D", "H", "S", "NT")
    assert [rules.side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [rules.partner(seat) for seat in range(4)] == [2, 3, 0, 1]


def test_a_rule_set_is_frozen():
    with pytest.raises(pydantic.ValidationError):
        load_rules("bazar").target = 5


# What is said of a wrong one


@pytest.mark.parametrize(
    ("preset", "fields", "message"),
    [
        ("bazzar", {}, "did you mean 'bazar'"),
        ("Bazar", {}, "did you mean 'bazar'"),
        ("bela5", {}, "did you mean 'bela"),
        ("zzz", {}, "there are bazar, duel.* or give a TOML file"),
        ("bazar", {"targt": 151}, "no field 'targt' .did you mean 'target'"),
        ("bazar", {"last_wrod": True}, "did you mean 'last_word'"),
        ("bazar", {"name": "duel"}, "no field 'name'"),
        ("bazar", {"target": 0}, "target: .*greater than 0, not 0"),
        ("bazar", {"target": "much"}, "target: .*'much'"),
        ("bazar", {"target": 10**30}, "target"),
        ("bazar", {"targets": []}, "targets"),
        ("bazar", {"targets": [151, 0]}, "targets"),
        ("bazar", {"redeal": "never"}, "redeal: .*'same'.*'next'.*'never'"),
        ("bazar", {"points_trump": (1, 2)}, "points_trump"),
        ("bazar", {"points_trump": (0, 0, 0, 0, 0, 0, 0, -1)}, "points_trump: points lie between 0 and 1000"),
        ("bazar", {"fours": (0, 0, 0, 0, 0, 0, 0, 2000)}, "fours: points lie between 0 and 1000"),
        ("bazar", {"multiplier": (1, 2, 0)}, "multiplier: factors lie between 1 and 100"),
        ("bazar", {"last_word": 1}, "last_word: true or false is wanted, not 1"),
        ("bazar", {"last_word": "false"}, "last_word: true or false is wanted, not 'false'"),
        ("bazar", {"target": True}, "target: true is no value for it"),
        ("bazar", {"blot": 1.5}, "blot"),
        ("bazar", {"blot": None}, "blot"),
    ],
)
def test_a_wrong_field_is_named_and_what_would_be_right(preset, fields, message):
    with pytest.raises(RulesError, match=message):
        load_rules(preset, **fields)
    assert issubclass(RulesError, ValueError)


@pytest.mark.parametrize(
    ("preset", "fields", "reason"),
    [
        ("bazar", {"min_number": 30, "max_number": 20}, "min_number: 30 is above max_number"),
        ("bazar", {"recontra": True, "contra": False}, "recontra: there is no recontra without contra"),
        ("bazar", {"strains": ["H", "C"]}, "strains: give C D H S, then NT"),
        ("duel", {"strains": ["C", "D", "H", "S", "NT"]}, "strains: give C D H S"),
        ("bazar", {"ranks": "JQKA"}, "ranks: the pack is 789TJQKA, or it begins with 8 or with 9"),
        ("bazar", {"players": 3}, "teams: partners need four players"),
        ("bazar", {"teams": False}, "auction: numbers are bid by two sides"),
        ("bazar", {"visible": 9}, "players: 4 hands of 9 cards are more than the pack holds"),
        ("bazar", {"visible": 6}, "stock: 8 cards are left over: say what becomes of them"),
        ("bazar", {"stock": "namer"}, "stock: no card is left over"),
        ("bela4", {"auction": "turned"}, "auction: a card is turned from a stock, and there is none"),
        ("bela4", {"last_word": True}, "last_word: the last word is about a numbered bid"),
        ("bela4", {"contra": True}, "contra: contra is said to a numbered bid"),
        ("bela4", {"capot": "call"}, "capot: capot is a numbered bid"),
        ("bela4", {"made_by": "raw"}, "made_by: numbered bids by raw or rounded, others by more"),
        ("bela4", {"adds_bid": True}, "adds_bid: there is no number to add"),
        ("bela4", {"teams": False}, "failed_to: with 4 sides no other can take it all: say nobody"),
        ("bela4", {"swap_seven": True}, "swap_seven: a turned card that nobody draws"),
        ("bela4", {"undealt_to": "winner"}, "undealt_to: no card stays undealt"),
        ("bela4", {"discards": "namer"}, "discards: nobody discards"),
        ("bela3", {"failed_to": "opponents"}, "failed_to: with 3 sides no other can take it all: say nobody"),
        ("bela3", {"tars_kapout_wins": True}, "tars_kapout_wins: with more than two sides nobody wins by it"),
        ("bela2", {"ranks": "9TJQKA", "hand_size": 8, "face_down": 2}, "swap_seven: there are no sevens in the pack"),
        (
            "duel",
            {"hand_size": 10, "visible": 1, "players": 4},
            "hand_size: 20 cards are left for 4 hands of 1 to draw",
        ),
        ("duel", {"belot": True, "hand_size": 5, "visible": 4}, "belot: no hand holds a whole suit"),
        ("bazar-classic", {"capot_min": 7}, "capot_min: a capot bid's number lies between min_number and max_number"),
        ("hayblot", {"max_number": 24}, "capot_min: a capot bid's number lies between min_number and max_number"),
        ("bazar", {"stock": "out"}, "stock: no card is left over"),
        ("bazar", {"runs": [50, 20, 100]}, "runs: a longer run is worth no less than a shorter one"),
        ("blotstar", {"failed_cards": [0, 25]}, "failed_cards: both numbers are at least 1"),
        ("bazar", {"last_trick": "10"}, "last_trick: a whole number is wanted, not '10'"),
        ("bazar", {"hand_size": 8.0}, "hand_size: a whole number is wanted, not 8.0"),
        ("bazar", {"runs": [True, 50, 100]}, "runs: whole numbers are wanted, not true"),
        ("bazar-classic", {"blot_compared": True}, "blot_compared: a blot is not announced by choice"),
        ("bazar", {"bluff": True}, "bluff: there is nothing to choose"),
        ("blotstar", {"failed_cards": [16]}, "failed_cards: none, or two numbers"),
        ("blotstar", {"failed_to": "nobody"}, "failed_cards: they go to the opponents"),
    ],
)
def test_contradictions_are_refused_with_a_reason(preset, fields, reason):
    with pytest.raises(RulesError, match=reason):
        load_rules(preset, **fields)


# Files


def house(folder: Path, text: str | bytes, name: str = "house.toml") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_a_file_is_a_preset_too(tmp_path):
    path = house(tmp_path, '# ours\npreset = "bela4"\ntargets = [501, 1001]\nmust_beat = "all"\nblot = 30\n')
    rules = load_rules(path)
    assert (rules.name, rules.target, rules.must_beat, rules.blot) == ("bela4", 501, "all", 30)
    assert rules == load_rules("bela4", targets=[501, 1001], must_beat="all", blot=30)
    assert rules.changes == {"targets": [501, 1001], "must_beat": "all", "blot": 30}
    assert load_rules(path, blot=20, target=1001).blot == 20  # what is given beside it counts more
    assert Game(path, seed=2).record()["fields"] == rules.changes


def test_a_file_starts_from_bazar_unless_it_says_otherwise(tmp_path):
    assert load_rules(house(tmp_path, "last_word = false")) == load_rules("bazar", last_word=False)
    assert load_rules(house(tmp_path, "")) == load_rules("bazar")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('prset = "duel"', "no field 'prset' .did you mean 'preset'|no field 'prset'"),
        ('preset = "duell"', "no preset is named 'duell' .did you mean 'duel'"),
        ("preset = 5", "no preset is named 5"),
        ('preset = "other.toml"', "no preset is named 'other.toml'"),
        ("last_wrod = true", "no field 'last_wrod' .did you mean 'last_word'"),
        ("last_word = 1", "last_word: true or false is wanted, not 1"),
        ("contra = false", "recontra: there is no recontra without contra"),
        ("blot = -1", "blot: .*not -1"),
        ("blot = 20.5", "blot: .*not 20.5"),
        ("blot = nan", "blot"),
        ("blot = 2024-01-01", "blot"),
        ("[blot]\nvalue = 20", "blot"),
        ("points_trump = [0, 0, 14, 10, 20, 3, 4]", "points_trump"),
        ("blot = 20\nblot = 30", "this is no TOML: Cannot overwrite a value"),
        ("blot 20", "this is no TOML: .*line 1"),
        ("blot = ", "this is no TOML"),
        ("blot = 20\n".encode("utf-16"), "byte 0: this is no UTF-8"),
        ("# der K\xf6nig\n".encode("latin-1"), "byte 7: this is no UTF-8"),
        (b"\x00\xff\xfe", "byte 1: this is no UTF-8"),
        ("target = " + "9" * 5000, "a number of thousands of digits"),
        ("target = 0x" + "f" * 5000, "target: .*not so large a number"),
        ("runs = " + "[" * 10_000, "nested too deeply"),
        ("a = " + "{a=" * 5000, "nested too deeply"),
        ("target" + ".a" * 5000 + " = 1", "target: .*not what is nested so deeply"),
        ("preset" + ".a" * 5000 + " = 1", "no preset is named what is nested so deeply"),
        ("a." * 50_000 + "a = 1", "this is more than 32 KiB"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, text, message):
    path = house(tmp_path, text)
    with pytest.raises(RulesError, match=message) as error:
        load_rules(path)
    assert path in str(error.value)
    assert "\n" not in str(error.value)


def test_a_byte_order_mark_is_no_rule(tmp_path):
    path = house(tmp_path, "# Ours.\nblot = 30\n".encode("utf-8-sig"))
    assert load_rules(path) == load_rules("bazar", blot=30)
    assert title(path) == "Ours"


def test_a_file_that_is_not_there_or_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(RulesError, match="pipe.toml: this is no ordinary file"):
        load_rules(str(tmp_path / "pipe.toml"))
    with pytest.raises(RulesError, match="null"):
        load_rules("house\0.toml")
    with pytest.raises(RulesError, match="none.toml: No such file"):
        load_rules(str(tmp_path / "none.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(RulesError, match="folder.toml: "):
        load_rules(str(tmp_path / "folder.toml"))
    with pytest.raises(RulesError, match="no preset is named.*or give a TOML file"):
        load_rules(house(tmp_path, "", "house.txt"))


# Any combination of fields either is refused with a reason, or can be played


def test_all_fields_are_tried():
    assert set(VALUES) == set(RuleSet.model_fields) - {"name"}


@pytest.mark.parametrize("field", VALUES)
def test_each_field_in_some_preset(field):
    """Each has a value that makes a preset another one, and that can be played."""
    tables = [fields for fields in TABLES if field not in fields] or [{}]
    for value, preset, fields in itertools.product(VALUES[field], RULESETS, tables):
        rules = _loaded(preset, fields | {field: value})
        if rules and rules != _loaded(preset, fields):
            play_out(rules, random.Random(1), deals=1)
            return
    assert field in ("players", "teams"), "these go together"


@given(st.integers(0, 2**32))
@settings(max_examples=150)
def test_fields_that_load_can_be_played(seed):
    rng = random.Random(seed)
    rules = _loaded(*random_fields(rng))
    if rules:
        play_out(rules, rng)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_many_fields_that_load_can_be_played(part):
    loaded = 0
    for number in range(500):
        rng = random.Random(f"{part} {number}")
        if rules := _loaded(*random_fields(rng)):
            play_out(rules, rng)
            loaded += 1
    assert loaded > 100


@pytest.mark.nojit
def test_a_few_fields_that_load_can_be_played():
    rng = random.Random(4)
    found = [rules for _ in range(30) if (rules := _loaded(*random_fields(rng)))]
    assert len(found) > 5
    for rules in found[:5]:
        play_out(rules, rng, deals=1)


def _loaded(preset: str, fields: dict) -> RuleSet | None:
    """The rules, None when they are refused: then with the field and the reason."""
    try:
        return load_rules(preset, **fields)
    except RulesError as refused:
        reason = str(refused)
    field = re.fullmatch(r"rules: (\w+)(\.\d+)?: .{10,}", reason)
    assert field, reason
    assert field[1] in VALUES, reason
    return None

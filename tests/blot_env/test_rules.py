"""Loading rule sets, and what is said when that fails."""

import pydantic
import pytest

from blot_env import RULESETS, RulesError, load_rules
from tests import vectors


def test_presets():
    assert "bazar" in RULESETS
    assert set(vectors.PRESETS) <= set(RULESETS)


@pytest.mark.parametrize("preset", RULESETS)
def test_each_preset_loads_with_its_first_target(preset):
    rules = load_rules(preset)
    assert rules.name == preset
    assert rules.target == rules.targets[0]


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


@pytest.mark.parametrize(
    ("preset", "fields", "message"),
    [
        ("bazzar", {}, "'bazar'"),
        ("Bazar", {}, "'bazar'"),
        ("zzz", {}, "bazar"),
        ("bazar", {"targt": 151}, "'target'"),
        ("bazar", {"last_wrod": True}, "'last_word'"),
        ("bazar", {"target": 0}, "target"),
        ("bazar", {"target": "much"}, "target.*'much'"),
        ("bazar", {"redeal": "never"}, "redeal.*'never'"),
        ("bazar", {"points_trump": (1, 2)}, "points_trump"),
        ("bazar", {"min_number": 30, "max_number": 20}, "min_number"),
        ("bazar", {"recontra": True, "contra": False}, "recontra"),
    ],
)
def test_errors_name_what_is_wrong_and_what_would_be_right(preset, fields, message):
    with pytest.raises(RulesError, match=message):
        load_rules(preset, **fields)
    assert issubclass(RulesError, ValueError)


def test_true_is_no_number():
    with pytest.raises(RulesError, match="target"):
        load_rules("bazar", target=True)

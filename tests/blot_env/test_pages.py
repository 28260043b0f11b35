"""The pages of docs/rules are made from the presets, say everything that the presets say, and are up to date."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from blot_env import RULESETS, RulesError, RuleSet, load_rules, replay
from blot_env.pages import games_table, page, pages
from blot_env.prose import chapters
from blot_env.rules import SECTIONS
from blot_env.rules_text import FIELDS, differences, house_rules, title, value_text

ROOT = Path(__file__).parents[2]
EXAMPLES = {name: json.loads((ROOT / "docs" / "rules" / f"{name}.json").read_text()) for name in RULESETS}


def test_the_pages_are_as_they_would_be_made_now():
    for path, text in pages(ROOT).items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"{path}: run python -m blot_env.pages"


def test_every_game_has_its_page_and_example():
    folder = ROOT / "docs" / "rules"
    assert {path.stem for path in folder.glob("*.md")} == {*RULESETS, "README"}
    assert {path.stem for path in folder.glob("*.json")} == set(RULESETS)


@pytest.mark.parametrize("preset", RULESETS)
def test_the_example_is_a_finished_deal_of_the_game(preset):
    game = replay(EXAMPLES[preset])
    assert (game.rules.name, game.rules.changes) == (preset, {})
    assert game.record() == EXAMPLES[preset]
    assert game.result["made"] is not None


@pytest.mark.parametrize("preset", RULESETS)
def test_a_page_names_all_that_differs(preset):
    rules = load_rules(preset)
    text = page(rules, EXAMPLES[preset])
    for field in differences(rules, load_rules("bazar")):
        assert f"| `{field}` | {value_text(getattr(rules, field))} |" in text
    assert ("Where it differs" in text) == (preset != "bazar")


def test_the_table_has_every_game():
    rows = games_table("docs/rules/").splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(RULESETS)
    for name, row in zip(RULESETS, rows, strict=True):
        assert f"(docs/rules/{name}.md) | {title(name)} | {load_rules(name).players}" in row


# What a field says stands in the prose of the games that it matters in

WITH_IT = {  # what has to change together with a field
    "players": {"failed_to": "nobody"},
    "teams": {"failed_to": "nobody", "must_trump": "always"},
    "visible": {"face_down": 3},
    "face_down": {"visible": 7},
    "recontra": {"recontra_by": "side"},
    "contra": {"recontra": False},
}


def others(rules: RuleSet, field: str) -> Iterator[Any]:
    """Other values of a field."""
    value = getattr(rules, field)
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1, value + 7)
    elif field == "ranks":
        yield from ("89TJQKA", "9TJQKA")
    elif field == "strains":
        yield from (["C", "D", "H", "S"], ["C", "D", "H", "S", "NT"], ["C", "D", "H", "S", "NT", "AT"])
    elif isinstance(value, str):
        yield from get_args(RuleSet.model_fields[field].annotation)
    else:
        yield from ([number + 1 for number in value], [16, 25])


def houses(field: str) -> Iterator[tuple[RuleSet, RuleSet]]:
    """Presets, and the same with another value of a field."""
    for preset in RULESETS:
        rules = load_rules(preset)
        for value in others(rules, field):
            for together in ({}, WITH_IT.get(field, {})):
                try:
                    house = load_rules(preset, **together | {field: value})
                except RulesError:
                    continue
                if getattr(house, field) != getattr(rules, field):
                    yield rules, house


@pytest.mark.parametrize("field", FIELDS)
def test_another_value_of_a_field_reads_otherwise(field):
    changed = [(rules, house) for rules, house in houses(field) if chapters(house) != chapters(rules)]
    assert changed


def test_all_fields_are_in_a_section():
    assert set(FIELDS) == RuleSet.model_fields.keys() - {"name"}
    assert len(FIELDS) == sum(map(len, SECTIONS.values()))


def test_house_rules_are_told():
    assert house_rules(load_rules("bazar", target=301)) == ""
    assert house_rules(load_rules("bazar", runs=(20, 40, 90), last_word=False)) == "last_word false, runs 20 40 90"


def test_the_title_of_a_file_is_its_first_comment(tmp_path):
    file = tmp_path / "house.toml"
    file.write_text("# Ours. As my grandmother plays it.\npreset = 'bela4'\n")
    assert title(str(file)) == "Ours"
    file.write_text("preset = 'bela4'\n")
    assert title(str(file)) == ""

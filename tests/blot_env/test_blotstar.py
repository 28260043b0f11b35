"""Twenty deals of `blotstar` worked by hand: what differs from `bazar-classic`, each scored line by line."""

import re
from typing import Any

import pytest

from blot_env import Game, load_rules, replay
from blot_env.game import IllegalAction
from tests import vectors
from tests.reference import REFERENCES

DEALS = [pytest.param(note, record, id=note["shows"]) for record, note in vectors.worked()]


def test_there_are_twenty():
    assert len(DEALS) == 20


@pytest.mark.parametrize(("note", "record"), DEALS)
def test_the_engine_scores_them_so(note, record):
    assert replay(record).record() == record


@pytest.mark.parametrize(("note", "record"), DEALS)
def test_the_reference_scores_them_so(note, record):
    deal = REFERENCES["blotstar"](record)
    for action in record["actions"]:
        deal.play(action)
    assert deal.record() == record


@pytest.mark.parametrize(("note", "record"), DEALS)
def test_the_explanations_add_up(note, record):
    sums = [line for line in note["why"] for line in re.findall(r"\d+(?: \+ \d+)+ = \d+", line)]
    for line in sums:
        parts, total = line.split(" = ")
        assert sum(map(int, parts.split(" + "))) == int(total)
    tricks = [line for line in note["why"] if line.startswith("Trick ")]
    cards = [card for line in tricks for card in re.findall(r"\b[789TJQKA][CDHS]\b", line)]
    assert cards == record["actions"][-len(cards) :] if tricks else not record["result"]["contract"]
    taken = [0, 0]
    for line in tricks:
        points, seat = map(int, re.search(r"= (\d+) for seat (\d)", line).groups())
        taken[seat % 2] += points
    if tricks:
        taken[seat % 2] += 10
        points = next(line for line in note["why"] if line.startswith("Points:"))
        assert {str(side) for side in record["result"]["points"]} <= set(re.findall(r"\d+", points))
    assert taken == record["result"]["card_points"]


def outcome(record: dict[str, Any], **fields: Any) -> list[Any]:
    """What a player meets in a deal under other rules: whose turn, what may be done, and the result."""
    game = Game.from_record(record | {"fields": fields})
    met: list[Any] = []
    for action in record["actions"]:
        met.append((game.seat, game.phase, game.legal_actions()))
        try:
            game.play(action)
        except IllegalAction:
            return met
    return [*met, game.result]


@pytest.mark.parametrize(("note", "record"), DEALS)
def test_other_rules_would_take_them_another_way(note, record):
    for field, value in note["differs"].items():
        if field != "redeal":
            assert outcome(record, **{field: value}) != outcome(record)


def test_four_passes_are_dealt_again_by_the_same_dealer():
    game = replay(next(record for record, _ in vectors.worked() if not record["result"]["contract"]))
    dealer = game.dealer
    game.next_deal()
    assert game.dealer == dealer


def test_every_difference_from_bazar_classic_is_shown():
    own, classic = (load_rules(preset).model_dump() for preset in ("blotstar", "bazar-classic"))
    differences = {field for field, value in own.items() if value != classic[field]} - {"name", "target", "targets"}
    assert differences <= {field for _, note in vectors.worked() for field in note["differs"]}

"""The referee tells every seat what it sees, asks in turn, refuses what may not be, and counts."""

import io
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blot_env import Game, load_rules, replay
from blot_env.events import Listener
from train.referee import Referee, referee


def played(table: Referee, seed: int) -> Iterator[dict[str, Any]]:
    """The states of a match at random."""
    rng, state = random.Random(seed), table.state()
    yield state
    while state["turn"]:
        state = table.answer(json.dumps({"action": rng.choice(state["turn"]["actions"])}))
        yield state


@pytest.mark.parametrize("preset", ["bazar", "bela3", "duel", "bela2"])
def test_seats_know_what_they_are_told(preset: str) -> None:
    """A seat that hears its events, and nothing else, has the decision that the engine gives it."""
    rules = load_rules(preset, target=30)
    seats = [Listener(rules, seat) for seat in range(rules.players)]
    deals = []
    for state in played(Referee(rules, 5), 1):
        for listener, told in zip(seats, state["events"], strict=True):
            for event in told:
                listener.hear(json.loads(json.dumps(event)))
        deals += [state["record"]] if state["record"] else []
        if turn := state["turn"]:
            decision = seats[turn["seat"]].decision(phase=turn["phase"])
            legal = [rules.actions.text(int(action)) for action in np.flatnonzero(decision.masks[0])]
            assert sorted(legal) == turn["actions"]
            assert turn["message"]["hand"]
            assert "hands" not in json.dumps(turn)
    assert deals[-1]["result"]["match_winner"] == state["winner"] is not None
    assert state["won"] == [int(side == state["winner"]) for side in range(rules.sides)]
    for deal in deals:
        assert replay(deal).result == deal["result"]


def test_a_match_has_the_cards_of_its_seed() -> None:
    rules = load_rules("duel", target=20)
    table = Referee(rules, 5)
    for match in range(2):
        hand = table.state()["events"][0][0]["hand"]
        assert hand == Game(rules, seed=5, board=match).message(0)["hand"]
        *_, last = played(table, match)
        assert (last["match"], last["turn"], sum(last["won"])) == (match, None, match + 1)
        assert "match is over" in table.answer('{"action": "pass"}')["error"]
        begun = table.answer('{"next_match": true}')
        assert (begun["match"], begun["winner"], begun["record"]) == (match + 1, None, None)
    assert begun["scores"] == [0, 0]


WRONG = {
    "": "the line is no JSON",
    "[" * 100_000: "the line is no JSON",
    "[]": '{"action": "9H"} is wanted',
    '{"action": "pass", "colour": 1}': '{"action": "9H"} is wanted',
    '{"next_match": true}': "this match is not over",
    '{"action": "pass", "seat": 1}': "seat: it is the turn of seat 0, not of seat 1",
    '{"action": "contra"}': "contra: Contra needs an opponents' bid",
    '{"action": 7}': "7: an action is a text",
    '{"action": "jump"}': "jump",
}


@pytest.mark.parametrize("line", WRONG, ids=lambda line: line[:30])
def test_what_may_not_be_changes_nothing(line: str) -> None:
    table = Referee(load_rules("bazar"), 1)
    before = json.dumps(table.state())
    refused = table.answer(line)
    assert set(refused) == {"error"}
    assert WRONG[line] in refused["error"]
    assert json.dumps(table.state()) == before


def test_every_line_is_answered_by_one() -> None:
    out = io.StringIO()
    referee(load_rules("bazar"), 1, [b'{"action": "8H"}\n', b"\xff", b'{"action": "contra"}\n'], out)
    first, bid, error, contra = map(json.loads, out.getvalue().splitlines())
    assert [state["turn"]["seat"] for state in (first, bid, contra)] == [0, 1, 0]
    assert "error" in error
    assert contra["turn"]["actions"] == ["pass", "recontra"]
    assert contra["events"][3] == [{"type": "action", "seat": 1, "action": "contra"}]


def test_the_transcript_of_the_documentation_is_true() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosts.md").read_text(encoding="utf-8")
    transcript = re.search(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert transcript
    table = Referee(load_rules("duel"), 7)
    first, *lines = transcript[1].splitlines()
    assert json.loads(first[2:]) == table.state()
    assert len(lines) == 4
    for request, answer in zip(lines[::2], lines[1::2], strict=True):
        assert (request[0], answer[0]) == (">", "<")
        assert table.answer(request[2:]) == json.loads(answer[2:])


@pytest.mark.parametrize("seat", [True, 1.0, "1", [1]])
def test_a_seat_is_a_whole_number(seat: object) -> None:
    table = Referee(load_rules("bazar"), 1)
    assert "error" not in table.answer('{"action": "8H", "seat": 0}')
    assert "it is the turn of seat 1" in table.answer(json.dumps({"action": "pass", "seat": seat}))["error"]
    assert "error" not in table.answer('{"action": "pass", "seat": 1}')


def test_a_next_match_that_is_false_is_none() -> None:
    assert "is wanted" in Referee(load_rules("bazar"), 1).answer('{"next_match": false}')["error"]

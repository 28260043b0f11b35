"""The log: what is read is what was played, and what cannot have been played is refused."""

import json
from dataclasses import fields, replace
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blot_env import RULESETS, load_rules, replay
from tests.played import record_of
from tests.train.tournament.meetings import meet
from train.tournament.log import LogError, check_whole, read, written
from train.tournament.played import Fault, Played


def same(one: Played, other: Played) -> bool:
    return all(np.array_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(one)[:6]) and (
        (one.faults, one.seconds) == (other.faults, other.seconds)
        and all((own.counts == its.counts).all() for own, its in zip(one.clocks, other.clocks, strict=True))
    )


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


@given(
    preset=st.sampled_from(RULESETS),
    play=st.sampled_from(["boards", "matches"]),
    boards=st.sets(st.integers(0, 1 << 40), min_size=1, max_size=2),
    seed=st.integers(0, (1 << 63) - 1),
    duplicate=st.booleans(),
    alone=st.booleans(),
)
@settings(max_examples=15, deadline=None)
def test_what_is_read_is_what_was_played(preset: str, play: str, boards: set[int], seed: int, **options: bool) -> None:
    rules = load_rules(preset)
    played = meet(rules, ["random", "random:uniform"], sorted(boards), seed, play=play, **options)
    assert same(read(rules, seed, through_json(written(rules, played))), played)


def test_faults_and_tables_without_a_deal_are_kept() -> None:
    rules = load_rules("bazar")
    played = meet(rules, ["random", "rules"], [3, 5])
    kept = np.array([False, True, True, True])
    columns = {name: getattr(played, name)[kept] for name in ("board", "table", "deal", "results", "actions")}
    forfeited = replace(played, **columns, faults=(Fault(3, 0, 0, 2, 1, "ValueError: no, “thanks”"),))
    assert same(read(rules, 4, through_json(written(rules, forfeited))), forfeited)


@pytest.mark.parametrize("play", ["boards", "matches"])
@pytest.mark.parametrize("preset", ["bazar", "duel", "bela3", "bazar-classic"])
def test_a_record_replays_to_the_result_of_its_row(preset: str, play: str) -> None:
    rules = load_rules(preset)
    played = meet(rules, ["random", "rules"], [6, 7], play=play)
    scores = np.zeros(rules.sides, np.int64)
    for row, result in enumerate(played.results):
        if played.deal[row] == 0:
            scores[:] = 0
        record = record_of(rules, 4, played, row)
        assert record["scores"] == scores.tolist()
        assert replay(through_json(record)).result == record["result"]
        assert record["result"]["points"] == result["points"][: rules.sides].tolist()
        scores += result["points"][: rules.sides]


def damaged(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Ways to damage a chunk of a match, each as JSON, with what is said of it."""
    texts = [deal[3].split() for deal in data["deals"]]

    def deal(row: int, *values: Any) -> dict[str, Any]:
        deals = list(data["deals"])
        deals[row : row + 1] = [list(values)] if values else []
        return {**data, "deals": deals}

    def first(text: str) -> dict[str, Any]:
        return deal(0, 6, 0, 0, text)

    fault = {"board": 6, "table": 0, "deal": 0, "seat": 0, "entrant": 0, "reason": "no"}
    return [
        ([], "boards: Input should be a valid dictionary"),
        ({**data, "boards": []}, "boards: List should have at least 1 item"),
        ({**data, "boards": [6, 6]}, "boards: they do not rise"),
        ({**data, "boards": [6, 8]}, "a board has not been played at all tables"),
        ({**data, "boards": [7]}, "a board or table is none of this meeting"),
        ({**data, "boards": ["6"]}, "boards.0: Input should be a valid integer"),
        ({**data, "more": 1}, "more: Extra inputs"),
        ({**data, "clocks": [[]]}, "clocks: 1 entrants cannot share 2 sides"),
        ({**data, "clocks": [[[180, 1]], []]}, "clocks.0.0.0: Input should be less than 180"),
        ({**data, "clocks": [[[0, 1 << 61]], []]}, "clocks.0.0.1: Input should be less than"),
        ({**data, "seconds": float("inf")}, "seconds: Input should be a finite number"),
        ({**data, "seconds": "soon"}, "seconds: Input should be a valid number"),
        ({**data, "faults": [{**fault, "entrant": 2}]}, "there is no entrant 2"),
        ({**data, "faults": [{**fault, "seat": 4}]}, "there is no entrant 0 in seat 4"),
        ({**data, "faults": [{**fault, "table": 2}]}, "a board or table is none of this meeting"),
        ({**data, "faults": [{**fault, "seat": "0"}]}, "faults.0.seat: Input should be a valid integer"),
        (deal(1), "board 6, table 0, deal 2 is out of order"),
        (deal(0), "board 6, table 0, deal 1 is out of order"),
        (deal(0, 6, 0, 0, 17), "deals.0.3: Input should be a valid string"),
        (first(""), "board 6, table 0, deal 0: it is not over"),
        (first(" ".join(texts[0][:-1])), "board 6, table 0, deal 0: it is not over"),
        (first(" ".join([*texts[0], "7C"])), f"board 6, table 0, deal 0: '7C' cannot be action {len(texts[0])}"),
        (first(" ".join(["contra", *texts[0]])), "board 6, table 0, deal 0: 'contra' cannot be action 0"),
        (first(" ".join(["nothing", *texts[0]])), "board 6, table 0, deal 0: 'nothing' cannot be action 0"),
    ]


def test_what_cannot_have_been_played_is_named() -> None:
    rules = load_rules("bazar")
    data = through_json(written(rules, meet(rules, ["random", "rules"], [6], play="matches")))
    assert len(data["deals"]) > 3
    read(rules, 4, data)
    for wrong, message in damaged(data):
        with pytest.raises(LogError, match=message):
            read(rules, 4, wrong)
    with pytest.raises(LogError, match="cannot be action|not over"):
        read(rules, 5, data)


@pytest.mark.parametrize("duplicate", [True, False])
@pytest.mark.parametrize("play", ["boards", "matches"])
@pytest.mark.parametrize("preset", ["bazar", "bela3"])
def test_what_is_cut_is_noticed(preset: str, play: Literal["boards", "matches"], duplicate: bool) -> None:
    """Whichever deal is missing, the boards are not all that was to be played; a forfeit may have ended a table."""
    rules = load_rules(preset)
    data = through_json(
        written(rules, meet(rules, ["random", "rules"], [6, 7], play=play, duplicate=duplicate, alone=False))
    )

    def check(data: dict[str, Any], first: int = 6, play: Literal["boards", "matches"] = play) -> None:
        check_whole(rules, 4, read(rules, 4, data), first, 2, play, duplicate)

    check(data)
    deals = data["deals"]
    for row, (board, table, deal, _) in enumerate(deals):
        if row + 1 < len(deals) and deals[row + 1][2]:
            continue  # not the last of its match
        cut = {**data, "deals": deals[:row] + deals[row + 1 :]}
        with pytest.raises(LogError):
            check(cut)
        fault = {"board": board, "table": table, "deal": deal, "seat": 0, "entrant": 0, "reason": "no"}
        check({**cut, "faults": [fault]})
        later = {**data, "faults": [{**fault, "deal": deal + 1}]}
        for wrong in ({**data, "faults": [fault]}, later, {**cut, "faults": [{**fault, "deal": deal + 1}]}):
            with pytest.raises(LogError, match="has not been played to its end"):
                check(wrong)
    for first in (5, 7):
        with pytest.raises(LogError, match="they are not those from"):
            check(data, first)
    if play == "matches":
        with pytest.raises(LogError, match="has not been played to its end"):
            check(data, play="boards")
    if not duplicate:
        tables = 2 if rules.sides == 2 else 6
        other = [[board, (table + 1) % tables, *rest] for board, table, *rest in deals]
        with pytest.raises(LogError, match="not been played to its end"):
            check({**data, "deals": other})


def test_nothing_is_played_after_the_end_of_a_match() -> None:
    rules = load_rules("bazar")
    data = written(rules, meet(rules, ["random", "rules"], [6], play="matches"))
    last = max(number for number, deal in enumerate(data["deals"]) if deal[1] == 0)
    more = [
        *data["deals"][: last + 1],
        [6, 0, data["deals"][last][2] + 1, "pass pass pass pass"],
        *data["deals"][last + 1 :],
    ]
    with pytest.raises(LogError, match=f"deal {data['deals'][last][2] + 1}: it is not over"):
        read(rules, 4, {**data, "deals": more})

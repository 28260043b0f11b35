"""`blot solve`: the worth of each card where a record stands, and of a whole deal in each strain."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.search.solver import NO_CARD, NO_TRICK, NotSolvable, solve_cards_of, strain_table
from blot_env import RULESETS, Game, replay
from blot_env.cards import card_name
from blot_env.records import RecordError
from tests import vectors
from tests.tables import WHOLE_SUITS, board, play, table
from tests.train.test_cli import blot
from train.drawing import Screen
from train.solve import SolveError, solve_file

Record = dict[str, Any]


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    return tmp_path / "deal.json"


def solved(path: Path, record: Record, capsys: pytest.CaptureFixture[str], **options: Any) -> str:
    """What is shown of a record."""
    path.write_text(json.dumps(record))
    solve_file(path, None, Screen(plain=True), **options)
    return capsys.readouterr().out


def rows(shown: str, title: str) -> list[list[str]]:
    """The cells of the table with a title."""
    lines = shown.partition(title)[2].partition("\n\n")[0].splitlines()[2:]
    return [re.split(r"\s{2,}", line.strip()) for line in lines]


def stopped(preset: str, actions: int) -> Record:
    """A recorded deal of a preset that stops so many actions before its end."""
    record = next(record for record, _ in vectors.load(preset) if sum((record["result"] or {})["tricks"]) > 6)
    return record | {"actions": record["actions"][:-actions], "result": None}


@pytest.mark.parametrize("preset", vectors.PRESETS)
@pytest.mark.parametrize("left", [5, 11])
def test_every_card_has_its_points(
    preset: str, left: int, record_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = stopped(preset, left)
    game = replay(record)
    values = solve_cards_of(game.rules, game.states)[0]
    mine = game.rules.side(game.seat) == game.rules.side(int(game.state.public.bidder))
    best = max(values) if mine else min(values[values != NO_CARD])
    worth = rows(solved(record_file, record, capsys), "Worth of the cards")
    assert {row[0].strip("*") for row in worth} == {card_name(int(card)) for card in np.flatnonzero(values != NO_CARD)}
    for row in worth:
        value = values[[card_name(card) for card in range(32)].index(row[0].strip("*"))]
        assert int(re.match(r"\d+", row[1])[0]) == max(value, 0)  # type: ignore[index]
        assert ("no trick" in row[1]) == (value == NO_TRICK)
        assert row[0].endswith("*") == (value == best)
    assert worth[0][0].endswith("*")


@pytest.mark.parametrize("preset", vectors.PRESETS)
def test_before_the_last_card_the_deal_is_worth_what_it_then_brings(
    preset: str, record_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for record, _ in vectors.load(preset)[::3]:
        result = record["result"]
        if result["made"] is None:
            continue
        early = record | {"actions": record["actions"][:-1], "result": None}
        ((_, points, others, written, fate, *winner),) = rows(solved(record_file, early, capsys), "Worth of the cards")
        namers = result["bidder"] % len(result["points"])
        bonus = result["raw"][namers] - result["combinations"][namers] - result["blot"][namers]
        assert int(points.split(",")[0]) == bonus
        assert ("no trick" in points) == (result["tricks"][namers] == 0)
        assert ("all tricks" in points) == (sum(result["tricks"]) == result["tricks"][namers])
        others_raw = sum(result["raw"]) - sum(result["combinations"]) - sum(result["blot"]) - bonus
        assert int(others) == others_raw
        assert written == f"{result['points'][namers]} : {sum(result['points']) - result['points'][namers]}"
        assert fate == ("made" if result["made"] else "failed")
        assert bool(winner) == (result["match_winner"] is not None)


def test_a_whole_suit_is_worth_all_tricks(record_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = board(*WHOLE_SUITS, actions="8C pass pass pass pass")
    worth = rows(solved(record_file, record, capsys), "Worth of the cards")
    assert [row[:5] for row in worth] == [
        [f"{rank}C*", "252, all tricks", "0", "55 : 0", "made"] for rank in "789TJQKA"
    ]


@pytest.mark.parametrize("preset", RULESETS)
def test_a_whole_deal_in_every_strain(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[2] / "docs" / "rules" / f"{preset}.json"
    solve_file(path, None, Screen(plain=True), whole=True)
    game = replay(json.loads(path.read_text()))
    shown = rows(capsys.readouterr().out, "Card points as bidder")
    points = [[int(cell.split(",")[0]) for cell in row[1:]] for row in shown]
    assert points == np.maximum(strain_table(game.rules, game.state), 0).tolist()
    assert [row[0] for row in shown][:4] == ["clubs", "diamonds", "hearts", "spades"]


def test_a_deal_is_walked_through(record_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = stopped("bazar", 5)
    answers = iter([""] * 2 + ["q"])
    shown = solved(record_file, record, capsys, after=len(record["actions"]) - 3, ask=lambda: next(answers))
    assert shown.count("Worth of the cards") == 3
    assert record["actions"][-3] in shown
    shown = solved(record_file, record, capsys, ask=lambda: "")
    calls = next(place for place, card in enumerate(record["actions"]) if place > 4 and card[0] not in "8p")
    assert shown.count("Worth of the cards") == len(record["actions"]) + 1 - calls
    assert shown.endswith("The deal is not over\n")


def test_where_nothing_can_be_solved(record_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finished = vectors.load("bazar")[9][0]
    for record, options, error in [
        (finished, {}, f"after {len(finished['actions'])} actions the deal is over"),
        (finished, {"after": 0}, "after 0 actions no card can be played yet (auction)"),
        (finished, {"after": 99}, f"--after 99: the record has {len(finished['actions'])} actions"),
        (Game("bela3", seed=1).record(), {"whole": True}, "the namer has yet to discard"),
        (play(table(*WHOLE_SUITS, preset="bela4"), "nameC").record(), {"whole": True}, "a whole suit in one hand"),
        (finished | {"actions": ["8Q"], "result": None}, {}, "8Q"),
    ]:
        with pytest.raises((SolveError, NotSolvable, RecordError), match=re.escape(error)):
            solved(record_file, record, capsys, **options)
        assert capsys.readouterr().out == ""


def test_the_command(record_file: Path, tmp_path: Path) -> None:
    record_file.write_text(json.dumps(stopped("duel", 4)))
    done = blot("solve", "deal.json", "--plain", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Worth of the cards" in done.stdout
    assert "Card points as bidder" in blot("solve", "deal.json", "--deal", folder=tmp_path).stdout
    done = blot("solve", "deal.json", "--step", folder=tmp_path, text="\n\nq\n")
    assert "Enter shows the next action" in done.stdout
    done = blot("solve", "deal.json", "--after", "0", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("blot: after 0 actions no card can be played yet")

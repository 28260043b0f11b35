"""The files of a tournament beside the page, and what the terminal says: the same figures everywhere."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from tests.train.tournament.tournaments import hold
from train.tournament.played import Fault
from train.tournament.report.terminal import print_tournament
from train.tournament.report.writing import write_report
from train.tournament.summary import summary
from train.tournament.tournament import Tournament

NAMES = ["one & <only>", 'two, "quoted"', "three"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def tournament() -> Tournament:
    fault = Fault(2, 0, 0, 1, 1, "crashed: ValueError")
    return hold("bazar", ["random", "rules", "random:uniform"], 6, names=NAMES, faults=[fault], analysed=1)


@pytest.fixture(scope="module")
def found(tournament: Tournament) -> dict[str, Any]:
    return summary(tournament)


@pytest.fixture(scope="module")
def folder(tournament: Tournament, found: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament") / "new"
    written = write_report(tournament, found, folder)
    assert sorted(folder.iterdir()) == sorted(written)
    return folder


def test_results_are_the_summary(folder: Path, found: dict[str, Any]) -> None:
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == found


def test_the_same_tournament_writes_the_same_bytes(
    folder: Path, tournament: Tournament, found: dict[str, Any], tmp_path: Path
) -> None:
    for file in write_report(tournament, found, tmp_path):
        assert file.read_bytes() == (folder / file.name).read_bytes()


def test_standings_and_meetings_have_a_row_each(folder: Path, found: dict[str, Any]) -> None:
    standings = _rows(folder / "standings.csv")
    assert [row["name"] for row in standings] == [entrant["name"] for entrant in found["entrants"]]
    assert [float(row["points.mean"]) for row in standings] == [one["points"]["mean"] for one in found["entrants"]]
    assert [int(row["contracts.bid"]) for row in standings] == [one["contracts"]["bid"] for one in found["entrants"]]
    meetings = _rows(folder / "meetings.csv")
    assert [[row["first"], row["second"]] for row in meetings] == [one["entrants"] for one in found["meetings"]]
    assert [float(row["points.low"]) for row in meetings] == [one["points"]["low"] for one in found["meetings"]]


def test_boards_have_a_row_a_deal_and_one_a_forfeit(folder: Path, tournament: Tournament) -> None:
    rows = _rows(folder / "boards.csv")
    deals = [row for row in rows if not row["forfeited_by"]]
    assert len(deals) == sum(len(played.board) for played in tournament.played) == 3 * 6 * 2 - 1
    results = [result for played in tournament.played for result in played.results]
    for row, result in zip(deals, results, strict=True):
        assert [int(row["points_0"]), int(row["points_1"])] == result["points"][:2].tolist()
        assert row["bidder"] == (str(result["bidder"]) if result["bidder"] >= 0 else "")
    forfeit = next(row for row in rows if row["forfeited_by"])
    assert (forfeit["forfeited_by"], forfeit["board"], forfeit["table"]) == (NAMES[1], "2", "0")
    boards = {(row["first"], row["second"], row["board"]): float(row["board_margin"]) for row in rows}
    mean = sum(margin for (first, second, _), margin in boards.items() if second == NAMES[1]) / 6
    assert mean == pytest.approx(next(one["points"]["mean"] for one in summary(tournament)["meetings"]))


def test_the_picture_shows_every_entrant_with_its_interval(folder: Path, found: dict[str, Any]) -> None:
    picture = ElementTree.parse(folder / "standings.svg").getroot()
    texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    dots = [float(dot.attrib["cx"]) for dot in picture.iter(f"{SVG}circle")]
    spans = [line for line in picture.iter(f"{SVG}line") if line.attrib["class"] == "span"]
    assert dots == sorted(dots, reverse=True)
    for entrant, dot, span in zip(found["entrants"], dots, spans, strict=True):
        assert entrant["name"] in texts
        assert float(span.attrib["x1"]) <= dot <= float(span.attrib["x2"])
    reach = [float(span.attrib["x2"]) - float(span.attrib["x1"]) for span in spans]
    width = [one["points"]["high"] - one["points"]["low"] for one in found["entrants"]]
    assert [one / reach[0] for one in reach] == pytest.approx([one / width[0] for one in width], abs=0.02)


def test_the_terminal_names_entrants_points_contracts_and_forfeits(found: dict[str, Any]) -> None:
    text = _printed(found)
    best = found["entrants"][0]
    assert f"{best['points']['mean']:+.2f}" in text
    assert f"{best['points']['low']:+.2f} … {best['points']['high']:+.2f}" in text
    assert f"{100 * best['contracts']['rates']['made']:.1f} %" in text
    places = [text.index(entrant["name"]) for entrant in found["entrants"]]
    assert places == sorted(places)
    assert f"Forfeited by {NAMES[1]}: board 2, table 0: crashed: ValueError" in text


def test_the_answer_stands_first(found: dict[str, Any]) -> None:
    assert len(found["verdict"]) > 1
    assert _printed(found).startswith("\n".join(found["verdict"]) + "\n")


def test_games_without_numbers_or_contra_show_no_such_columns() -> None:
    text = _printed(summary(hold("bela3", ["random", "rules"], 3, analysed=1)))
    assert "made" in text
    assert "number" not in text
    assert "contra" not in text.replace("Contracts", "").replace("contracts", "")


def test_the_terminal_tells_which_margin_a_test_found_and_what_auction_and_cards_gained(found: dict[str, Any]) -> None:
    estimate = {"mean": 1.5, "low": 0.25, "high": 2.75, "n": 8}
    parts = dict.fromkeys(("auction", "cards", "together", "whole"), estimate)
    sprt = {"settled": "upper", "margins": [0.0, 0.25]}
    first, *others = found["meetings"]
    text = _printed(found | {"meetings": [first | {"parts": parts, "sprt": sprt}, *others]})
    assert "rather +0.25" in text
    assert text.count("+0.25 … +2.75") == 2
    assert "Auction and cards apart" not in _printed(found)


def _printed(found: dict[str, Any]) -> str:
    file = io.StringIO()
    print_tournament(found, Console(file=file, width=160, markup=False))
    return file.getvalue()


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))

"""The page in a real browser: what it shows is what was played, and it needs nothing but itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from blot_env import Game
from tests.played import record_of
from tests.train.tournament.report.browser import chromium, opened
from tests.train.tournament.tournaments import SEED, hold
from train.tournament.margins import forfeit_of, margins
from train.tournament.played import Fault
from train.tournament.report.boards import pack
from train.tournament.report.page import page as page_of
from train.tournament.report.writing import write_report
from train.tournament.seating import seatings
from train.tournament.summary import summary
from train.tournament.tournament import Tournament

AGENTS = ["random", "random:uniform", "rules"]
NASTY = ["</script><script>alert(1)</script>", '<img src="x" onerror="alert(2)">', 'a & b\'s "bot" $title']
PHONE = {"width": 375, "height": 812}


@dataclass(frozen=True)
class Report:
    """A report that was written."""

    tournament: Tournament
    summary: dict[str, Any]
    file: Path

    def margins(self, meeting: int) -> list[float]:
        """Return the margins of the first of a meeting, by board."""
        tournament, rules = self.tournament, self.tournament.rules
        forfeit = forfeit_of(rules, tournament.config.play)
        found = margins(rules, tournament.played[meeting], seatings(rules.sides, 2), 2, forfeit)
        return found[:, 0].tolist()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def _report(folder: Path, tournament: Tournament) -> Report:
    found = summary(tournament)
    return Report(tournament, found, write_report(tournament, found, folder)[0])


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of many boards."""
    return _report(tmp_path_factory.mktemp("duel"), hold("duel", AGENTS, 300, analysed=3))


@pytest.fixture(scope="module")
def bazar(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of names that are no names, and of a forfeit."""
    fault = Fault(3, 1, 0, 2, 1, "crashed: <b>ValueError</b>")
    tournament = hold("bazar", AGENTS, 12, names=NASTY, faults=[fault], analysed=2)
    return _report(tmp_path_factory.mktemp("bazar"), tournament)


@pytest.fixture(scope="module")
def bela3(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return _report(tmp_path_factory.mktemp("bela3"), hold("bela3", AGENTS[:2], 4, analysed=1))


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Report:
    tournament = hold("duel", ["random", "rules"], 3, play="matches", analysed=1)
    return _report(tmp_path_factory.mktemp("matches"), tournament)


def test_standings_stand_in_order_with_their_intervals(browser: Any, duel: Report) -> None:
    with opened(browser, duel.file) as page:
        names = page.locator("#standings tbody th").all_inner_texts()
        assert names == [entrant["name"] for entrant in duel.summary["entrants"]]
        for entrant, row in zip(duel.summary["entrants"], page.locator("#standings tbody tr").all(), strict=False):
            points = entrant["points"]
            assert _written(points["mean"]) in row.inner_text()
            assert f"{_written(points['low'])} … {_written(points['high'])}" in row.inner_text()
            picture = row.locator("svg").get_attribute("aria-label")
            assert f"n = {points['n']}" in picture
        middles = [circle.bounding_box()["x"] for circle in page.locator("#standings circle").all()]
        assert middles == sorted(middles, reverse=True), "the better, the further right"


@pytest.mark.parametrize("kind", ["duel", "bazar"])
def test_the_answer_stands_first(browser: Any, kind: str, duel: Report, bazar: Report) -> None:
    report = {"duel": duel, "bazar": bazar}[kind]
    with opened(browser, report.file) as page:
        first = page.locator("main > section").first
        assert first.get_attribute("aria-label") == "Result"
        assert first.locator("p").all_text_contents() == report.summary["verdict"]


def test_boards_are_sorted_and_filtered(browser: Any, duel: Report) -> None:
    with opened(browser, duel.file) as page:
        everything = [(margin, number) for number in range(3) for margin in duel.margins(number)]
        assert page.locator(".count").inner_text() == "900 boards"
        assert page.locator("tr.board").count() < 60, "only what is in view is drawn"

        page.click("#boards th[data-key=margin] button")
        assert _margins(page)[:5] == [_written(margin) for margin, _ in sorted(everything, reverse=True)[:5]]
        assert page.locator("#boards th[data-key=margin]").get_attribute("aria-sort") == "descending"
        page.click("#boards th[data-key=margin] button")
        assert _margins(page)[:5] == [_written(margin) for margin, _ in sorted(everything)[:5]]
        page.click("#boards th[data-key=size] button")
        assert _margins(page)[0].lstrip("+−") == f"{max(abs(margin) for margin, _ in everything):.2f}"

        page.locator(".controls").get_by_label("Meeting").select_option("1")
        assert page.locator(".count").inner_text() == "300 boards"
        page.locator(".controls").get_by_label("Outcome").select_option("won")
        won = [margin for margin in duel.margins(1) if margin > 0]
        assert page.locator(".count").inner_text() == f"{len(won)} boards"
        page.locator(".controls").get_by_label("Outcome").select_option("all")
        page.locator(".controls").get_by_label("Board", exact=True).fill("17")
        assert page.locator(".count").inner_text() == "1 board"
        assert _margins(page) == [_written(duel.margins(1)[17])]


def test_the_end_of_a_long_list_is_reached_by_scrolling_and_by_keys(browser: Any, duel: Report) -> None:
    with opened(browser, duel.file) as page:
        page.locator(".list").evaluate("list => list.scrollTo(0, list.scrollHeight)")
        page.wait_for_selector("tr.board[data-index='899']")
        page.locator(".list").evaluate("list => list.scrollTo(0, 0)")
        page.wait_for_selector("tr.board[data-index='0']")
        page.locator("tr.board[data-index='0'] button").focus()
        for key in ("End", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        assert page.locator("#replay h2").inner_text() == "Board 299"
        assert page.locator("#replay .replay-head p").inner_text().startswith("random@1 against rules@1")
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Replay board 299"


@pytest.mark.parametrize("kind", ["duel", "bazar", "bela3"])
def test_a_click_replays_all_tables_of_a_board(
    browser: Any, kind: str, duel: Report, bazar: Report, bela3: Report
) -> None:
    report = {"duel": duel, "bazar": bazar, "bela3": bela3}[kind]
    rules, played = report.tournament.rules, report.tournament.played[0]
    tables = len(seatings(rules.sides, 2))
    with opened(browser, report.file) as page:
        page.locator("tr.board", has_text="1").locator("button", has_text="1").first.click()
        assert page.locator("#replay h2").inner_text() == "Board 1"
        assert page.locator("#replay article").count() == tables
        for table in range(tables):
            row = next(i for i in range(len(played.board)) if (played.board[i], played.table[i]) == (1, table))
            record = record_of(rules, SEED, played, row)
            view = page.locator("#replay article").nth(table)
            hands = view.locator(".cards").all_inner_texts()
            assert [set(hand.split()) for hand in hands] == [_cards(hand) for hand in record["hands"]]
            steps = dict(view.locator("[data-step]").evaluate_all(_STEPS))
            told = [steps[str(number)] for number in range(len(steps))]
            assert told == [_action(action) for action in record["actions"]]
            total = view.locator(".total td").all_inner_texts()
            assert [int(points) for points in total] == record["result"]["points"]
        page.keyboard.press("End")
        assert page.locator("#replay .card:not(.gone)").count() == tables * rules.players, "the last trick lies there"
        page.keyboard.press("ArrowLeft")
        assert page.locator("#replay .seat.turn").count() >= 1
        page.locator("#replay [data-step='0']").first.click()
        assert page.locator("#replay output").inner_text().startswith("1 of ")


def test_a_seat_shows_what_it_holds_at_every_step(browser: Any, bela3: Report) -> None:
    rules, played = bela3.tournament.rules, bela3.tournament.played[0]
    record = record_of(rules, SEED, played, 0)
    game = Game.from_record(record)
    with opened(browser, bela3.file) as page:
        page.locator("tr.board button").first.click()
        seats = page.locator("#replay article").first.locator(".seat")
        for action in record["actions"]:
            game.play(action)
            page.keyboard.press("ArrowRight")
            down = [int(cards) for cards in game.state.down[: rules.players]]
            held = seats.evaluate_all(_HELD)
            assert held == [len(hand.split()) + cards.bit_count() for hand, cards in zip(game.hands, down, strict=True)]


def test_a_match_is_replayed_deal_by_deal(browser: Any, matches: Report) -> None:
    played = matches.tournament.played[0]
    with opened(browser, matches.file) as page:
        page.locator("tr.board button").first.click()
        most = max(int(played.deal[i]) for i in range(len(played.deal)) if played.board[i] == 0)
        assert page.locator("#replay").get_by_label("Deal", exact=True).locator("option").count() == most + 1
        page.locator("#replay").get_by_label("Deal", exact=True).select_option("1")
        row = next(
            i for i in range(len(played.deal)) if (played.board[i], played.table[i], played.deal[i]) == (0, 0, 1)
        )
        record = record_of(matches.tournament.rules, SEED, played, row)
        assert f"Score {' : '.join(map(str, record['scores']))}" in page.locator("#replay .state").first.inner_text()
        total = page.locator("#replay article").first.locator(".total td").all_inner_texts()
        assert [int(points) for points in total] == record["result"]["points"]


def test_three_at_a_table_are_all_told(browser: Any, tmp_path: Path) -> None:
    report = _report(tmp_path, hold("bela3", AGENTS, 3, table=3, analysed=0))
    (meeting,) = report.summary["meetings"]
    with opened(browser, report.file) as page:
        rows = page.locator("#meetings tbody tr").all_inner_texts()
        for name, points, row in zip(meeting["entrants"], [meeting["points"], *meeting["others"]], rows, strict=False):
            assert name in row
            assert _written(points["mean"]) in row
        page.locator("tr.board button").first.click()
        seats = page.locator("#replay article").first.locator(".who b").all_inner_texts()
        assert seats == meeting["entrants"], "at the first table they sit in order"


def test_a_board_that_is_not_duplicated_shows_its_one_table(browser: Any, tmp_path: Path) -> None:
    report = _report(tmp_path, hold("duel", ["random", "rules"], 6, duplicate=False, reduce_luck=True, analysed=0))
    played = report.tournament.played[0]
    with opened(browser, report.file) as page:
        assert "of the variance" in page.locator("#meetings").inner_text()
        for board in range(6):
            page.locator(f"tr.board[data-index='{board}'] button").click()
            assert page.locator("#replay h3").all_inner_texts() == [f"Table {played.table[board]}"]
            page.keyboard.press("Escape")


def test_boards_beyond_what_the_page_keeps_are_listed_all_the_same(browser: Any, duel: Report, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page_of(duel.summary, pack(duel.tournament, 3 * 2 * 10 + 3)), encoding="utf-8")
    with opened(browser, file) as page:
        assert page.locator(".count").inner_text() == "900 boards"
        page.locator(".controls").get_by_label("Board", exact=True).fill("9")
        page.locator("tr.board button").first.click()
        assert page.locator("#replay article").count() == 2
        page.keyboard.press("Escape")
        page.locator(".controls").get_by_label("Board", exact=True).fill("10")
        assert _margins(page) == [_written(duel.margins(number)[10]) for number in range(3)]
        page.locator("tr.board button").first.click()
        assert "boards.jsonl" in page.locator("#replay").inner_text()


def test_names_and_reasons_are_text_and_forfeits_are_told(browser: Any, bazar: Report) -> None:
    with opened(browser, bazar.file) as page:
        assert sorted(page.locator("#standings tbody th").all_inner_texts()) == sorted(NASTY)
        assert page.title() == f"bazar: {', '.join(entrant['name'] for entrant in bazar.summary['entrants'])}"
        assert page.locator("img, b b").count() == 0
        assert "crashed: <b>ValueError</b>" in page.locator("#faults").inner_text()
        page.locator(".controls").get_by_label("Outcome").select_option("forfeited")
        assert page.locator(".count").inner_text() == "1 board"
        page.locator("tr.board button").click()
        assert "crashed: <b>ValueError</b>" in page.locator("#replay .fault").inner_text()


def test_light_and_dark_follow_the_system_until_somebody_chooses(browser: Any, bazar: Report) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, bazar.file) as page:
        light = page.evaluate(paper)
    with opened(browser, bazar.file, dark=True) as page:
        dark = page.evaluate(paper)
        page.click("#theme")
        assert page.evaluate(paper) == light
        page.click("#theme")
        assert page.evaluate(paper) == dark != light


@pytest.mark.parametrize("kind", ["duel", "bazar", "bela3", "matches"])
def test_nothing_is_cut_off_on_a_phone(
    browser: Any, kind: str, duel: Report, bazar: Report, bela3: Report, matches: Report
) -> None:
    report = {"duel": duel, "bazar": bazar, "bela3": bela3, "matches": matches}[kind]
    wider = "element => element.scrollWidth - element.clientWidth"
    with opened(browser, report.file, **PHONE) as page:
        assert page.locator("html").evaluate(wider) == 0
        assert min(page.locator("tr.board td:visible, th.name").evaluate_all(_WIDTHS)) > 80
        page.locator("tr.board button").first.click()
        page.keyboard.press("End")
        assert page.locator("html").evaluate(wider) == 0
        assert page.locator(".replay-body").evaluate(wider) == 0
        assert page.locator(".replay-foot").evaluate(wider) == 0


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out_from_what_lies_behind_it(browser: Any, bazar: Report, dark: bool) -> None:
    """WCAG 2.2, 1.4.3: a contrast of 4.5 to 1."""
    with opened(browser, bazar.file, dark=dark) as page:
        assert page.evaluate(_FAINT) == []
        page.locator("tr.board button").first.click()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        assert page.evaluate(_FAINT) == []


def test_everything_that_acts_or_shows_has_a_name(browser: Any, bazar: Report) -> None:
    with opened(browser, bazar.file) as page:
        page.locator("tr.board button").first.click()
        assert (
            page.evaluate("""() => [...document.querySelectorAll("button, select, input")]
            .filter((one) => !(one.ariaLabel || one.labels?.length || one.textContent.trim())).length""")
            == 0
        )
        assert (
            page.evaluate("""() => [...document.querySelectorAll("main svg:not(svg svg)")]
            .filter((one) => !(one.ariaLabel || one.ariaHidden === "true")).length""")
            == 0
        )
        assert page.locator("h1").count() == 1


def _written(value: float) -> str:
    text = f"{value:+.2f}".replace("-", "−")
    return "0.00" if text in ("+0.00", "−0.00") else text


def _margins(page: Any) -> list[str]:
    return page.locator("tr.board td.margin:not(.size)").all_inner_texts()


_SUITS = str.maketrans("CDHS", "♣♦♥♠")


def _card(card: str) -> str:
    return card.replace("T", "10").translate(_SUITS)


def _cards(hand: str) -> set[str]:
    return {_card(card) for card in hand.split()}


def _action(action: str) -> str:
    """Return an action as the page has it: suits as symbols, a named suit alone."""
    if action.startswith("name"):
        return action[4:].translate(_SUITS)
    if action[-1] in "CDHS" and action[:-1] in [*"789TJQKA", "capot", *map(str, range(8, 82))]:
        return _card(action)
    return action


_STEPS = "steps => steps.map((step) => [step.dataset.step, step.innerText.split(' ').at(-1)])"
_WIDTHS = "cells => cells.map((cell) => cell.clientWidth)"
_HELD = "seats => seats.map((seat) => seat.querySelectorAll('.cards .card:not(.gone)').length)"
_FAINT = Path(__file__).with_name("faint.js").read_text(encoding="utf-8")

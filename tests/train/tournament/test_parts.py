"""Auction and card play are compared on the boards of the meeting, each by itself."""

import pytest

from blot_env import load_rules
from tests.train.tournament.meetings import meet_as
from train.tournament.entrants import entrants_of, exchanged
from train.tournament.margins import margins
from train.tournament.parts import report_parts
from train.tournament.played import Played
from train.tournament.seating import seatings


def meetings(preset: str, first: str, second: str, boards: int, parts: int) -> tuple[Played, tuple[Played, Played]]:
    """The meeting, and its first boards with exchanged parts."""
    rules = load_rules(preset)
    one, other = entrants_of(rules, (first, second))
    hybrids = exchanged(calls=one, cards=other), exchanged(calls=other, cards=one)
    auction, cards = (meet_as(rules, (hybrid, other), range(parts), 5) for hybrid in hybrids)
    return meet_as(rules, (one, other), range(boards), 5), (auction, cards)


@pytest.mark.parametrize("preset", ["bazar", "bela3"])
def test_the_parts_add_up_to_the_whole(preset: str) -> None:
    rules = load_rules(preset)
    seating = seatings(rules.sides, 2)
    played, parts = meetings(preset, "rules", "random", boards=12, parts=8)
    report = report_parts(rules, played, parts, seating, forfeit=16)
    means = {name: estimate["mean"] for name, estimate in report.items()}
    assert means["auction"] + means["cards"] + means["together"] == pytest.approx(means["whole"])
    assert means["whole"] == pytest.approx(margins(rules, played, seating, 2, 16)[:8, 0].mean())
    assert means["auction"] == pytest.approx(margins(rules, parts[0], seating, 2, 16)[:, 0].mean())
    assert means["cards"] == pytest.approx(margins(rules, parts[1], seating, 2, 16)[:, 0].mean())
    assert {estimate["n"] for estimate in report.values()} == {8}
    assert 0 not in means.values()


def test_parts_of_an_equal_are_worth_nothing() -> None:
    rules = load_rules("duel")
    played, parts = meetings("duel", "rules", "rules", boards=6, parts=6)
    report = report_parts(rules, played, parts, seatings(2, 2), forfeit=16)
    assert {estimate["mean"] for estimate in report.values()} == {0}

"""Contracts counted deal by deal agree with the histograms, whoever sat where."""

import numpy as np
import pytest

from blot_env import RULESETS, RuleSet, load_rules
from tests.played import play, seating
from tests.train.tournament.meetings import meet
from train.tournament.contracts import Contracts, count_contracts, report_contracts
from train.tournament.played import Played
from train.tournament.seating import seatings


def counted(rules: RuleSet, played: Played, entrant: int) -> dict[str, int]:
    """The same counts, one deal after another."""
    names = "deals passed_out bid made failed capots under_contra defended defeated contras contras_right contras_wrong"
    counts = dict.fromkeys(names.split(), 0)
    for table, result in zip(played.table, played.results, strict=True):
        sides = [side for side in range(rules.sides) if seating(rules)[table][side] == entrant]
        counts["deals"] += 1
        if result["bidder"] < 0:
            counts["passed_out"] += 1
        elif rules.side(int(result["bidder"])) in sides:
            counts["bid"] += 1
            counts["made"] += result["made"] == 1
            counts["failed"] += result["made"] == 0
            counts["capots"] += result["capot"]
            counts["under_contra"] += result["contra"] > 0
        else:
            counts["defended"] += 1
            counts["defeated"] += result["made"] == 0
            counts["contras"] += result["contra"] > 0
            counts["contras_right"] += result["contra"] > 0 and result["made"] == 0
            counts["contras_wrong"] += result["contra"] > 0 and result["made"] == 1
    return {name: int(count) for name, count in counts.items()}


@pytest.mark.parametrize("preset", RULESETS)
def test_counts_are_those_of_the_deals(preset: str) -> None:
    rules = load_rules(preset)
    played = play(rules, "random", "rules", 15, seed=3)
    for entrant in (0, 1):
        report = report_contracts(rules, count_contracts(rules, played, seating(rules), entrant))
        expected = counted(rules, played, entrant)
        assert {name: report[name] for name in expected} == expected
        for parts in ("by_strain", "grid"):
            for name in ("bid", "made", "failed"):
                assert sum(part[name] for part in report[parts]) == report[name]
        assert [part["strain"] for part in report["by_strain"]] == list(rules.strains)
        assert report["rates"]["bid"] == expected["bid"] / expected["deals"]
        assert (report["rates"]["number"] is None) == (not rules.numbered)


def test_what_one_bids_the_other_defends_and_counts_add_up() -> None:
    rules = load_rules("bazar")
    played = play(rules, "random", "rules", 15, seed=3)
    first, second = (count_contracts(rules, played, seating(rules), entrant) for entrant in (0, 1))
    assert (first.own == second.others).all()
    assert (second.own == first.others).all()
    assert first.own.sum() > 0
    twice = report_contracts(rules, first + first)
    assert twice["made"] == 2 * report_contracts(rules, first)["made"]
    assert twice["rates"] == report_contracts(rules, first)["rates"]


def test_a_rate_of_nothing_is_none() -> None:
    rules = load_rules("duel")
    empty = np.zeros((4, 90, 2, 3, 3), np.int64)
    report = report_contracts(rules, Contracts(0, 0, 0, empty, empty))
    assert set(report["rates"].values()) == {None}
    assert report["grid"] == []


def test_three_entrants_bid_every_contract_between_them() -> None:
    rules = load_rules("bela3")
    played = meet(rules, ("random", "rules", "random:uniform"), range(4), 3)
    counts = [count_contracts(rules, played, seatings(3, 3), entrant) for entrant in range(3)]
    assert [count.deals for count in counts] == [24, 24, 24]
    bid = played.results["bidder"] >= 0
    assert sum(count.own.sum() for count in counts) == bid.sum()
    assert sum(count.others.sum() for count in counts) == 2 * bid.sum()
    assert min(count.own.sum() for count in counts) > 0


def test_a_contract_that_a_belot_cut_short_neither_made_nor_failed() -> None:
    rules = load_rules("duel", belot=True)
    played = play(rules, "random", "rules", range(198, 199), 8)
    reports = [report_contracts(rules, count_contracts(rules, played, seating(rules), entrant)) for entrant in (0, 1)]
    assert sum(report["bid"] for report in reports) == 2
    assert {report[outcome] for report in reports for outcome in ("made", "failed", "defeated")} == {0}

"""Regret of an entrant: the sum of what its seats gave away, whoever sat where, and a mean over boards."""

import numpy as np
import pytest

from agents.search.hindsight import GivenAway
from blot_env import RULESETS, RuleSet, load_rules
from tests.played import play, seating
from train.tournament.played import Played
from train.tournament.regret import by_board, look_back, regret_of, report_regret


def meeting(rules: RuleSet, boards: int, matches: bool = False) -> tuple[Played, GivenAway]:
    played = play(rules, "rules", "random", boards, 3, matches)
    return played, look_back(rules, 3, played)


@pytest.mark.parametrize("preset", RULESETS)
def test_regret_is_what_the_seats_of_a_role_gave_away(preset: str) -> None:
    rules = load_rules(preset)
    played, away = meeting(rules, 3)
    assert (away.given[..., 0] >= 0).all()  # whatever was announced or not
    both = [regret_of(rules, played, seating(rules), away, entrant).given for entrant in (0, 1)]
    for deal in range(len(played.board)):
        if not away.played[deal]:
            assert np.isnan([both[0][deal], both[1][deal]]).all()
            continue
        sides = seating(rules)[played.table[deal]]
        namers = rules.side(int(played.results["bidder"][deal]))
        for entrant in (0, 1):
            for role in (0, 1):
                own = [side for side in np.flatnonzero(sides == entrant) if (side != namers) == bool(role)]
                seats = [
                    [away.given[deal, seat] for seat in range(rules.players) if rules.side(seat) == side]
                    for side in own
                ]
                if seats:
                    expected = np.mean([np.sum(side, axis=0) for side in seats], axis=0)
                    assert both[entrant][deal, role] == pytest.approx(expected)
                else:
                    assert np.isnan(both[entrant][deal, role]).all()


def test_exchanging_the_entrants_exchanges_their_regret() -> None:
    rules = load_rules("duel")
    played, away = meeting(rules, 10)
    first = report_regret([regret_of(rules, played, seating(rules), away, 0)])
    assert first == report_regret([regret_of(rules, played, 1 - seating(rules), away, 1)])
    assert first != report_regret([regret_of(rules, played, seating(rules), away, 1)])


def test_a_report_has_a_mean_for_each_trick_and_for_the_deal() -> None:
    rules = load_rules("bazar")
    played, away = meeting(rules, 6)
    report = report_regret([regret_of(rules, played, seating(rules), away, 0)])
    for values in (report, report["match_points"]):
        for role in ("bidder", "defender"):
            assert len(values[role]) == rules.hand_size
            assert sum(trick["mean"] for trick in values[role]) == pytest.approx(values[f"{role}_deal"]["mean"])
            assert values[role][-1]["mean"] == 0  # nobody has a choice in the last trick
    assert report["n"] == away.played.sum() == report["bidder_n"] + report["defender_n"]
    assert report["bidder_deal"]["n"] <= 6


def test_deals_of_a_match_are_one_draw() -> None:
    rules = load_rules("duel")
    played, away = meeting(rules, 3, matches=True)
    report = report_regret([regret_of(rules, played, seating(rules), away, 0)])
    assert report["n"] == away.played.sum() > 20
    assert report["bidder_deal"]["n"] == 3


def test_nothing_analysed_has_no_mean() -> None:
    rules = load_rules("duel")
    played, away = meeting(rules, 1)
    report = report_regret([regret_of(rules, played, seating(rules), away, 7)])
    assert report["n"] == 0
    assert report["bidder_deal"] is None


def test_means_of_boards() -> None:
    assert by_board(np.array([4, 2, 4]), np.array([[1.0], [5.0], [2.0]])).tolist() == [[5.0], [1.5]]


def test_a_belot_leaves_no_card_to_regret() -> None:
    rules = load_rules("duel", belot=True)
    played = play(rules, "random", "rules", range(198, 200), 8)
    belot = (played.results["bidder"] >= 0) & (played.results["made"] < 0)
    assert belot.tolist() == [True, True, False, False]
    away = look_back(rules, 8, played)
    assert (away.played == ~belot).all()
    assert report_regret([regret_of(rules, played, seating(rules), away, 0)])["n"] == 2

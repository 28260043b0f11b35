"""The summary: its figures are those of the parts it is put together from, and JSON takes them."""

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from blot_env import load_rules
from tests.train.tournament.meetings import meet
from tests.train.tournament.tournaments import SEED, hold
from train.tournament.estimates import bootstrap
from train.tournament.margins import forfeit_of, margins
from train.tournament.played import Fault
from train.tournament.seating import seatings
from train.tournament.summary import summary
from train.tournament.tournament import Tournament

SPECS = ("random", "rules", "random:uniform")


@pytest.fixture(scope="module")
def small() -> Tournament:
    return hold("duel", SPECS, 40, parts=10, analysed=6, sprt={"margins": (0.0, 5.0)})


def test_json_takes_it_and_the_same_tournament_says_the_same(small: Tournament) -> None:
    whole = summary(small)
    assert json.loads(json.dumps(whole, allow_nan=False)) == whole
    assert summary(small, threads=1) == whole
    assert (whole["rules"], whole["seed"], whole["bank"], whole["duplicate"]) == ("duel", SEED, None, True)


def test_figures_are_those_of_the_boards(small: Tournament) -> None:
    whole, rules = summary(small), small.rules
    seating, forfeit = seatings(rules.sides, 2), forfeit_of(rules)
    columns: dict[str, list[Any]] = {entrant.name: [] for entrant in small.entrants}
    for found, meeting, played in zip(whole["meetings"], small.meetings, small.played, strict=True):
        own = margins(rules, played, seating, 2, forfeit)
        assert found["entrants"] == [small.entrants[number].name for number in meeting.entrants]
        assert found["points"] == asdict(bootstrap(own[:, 0]))
        signs = [int((np.sign(own[:, 0]) == sign).sum()) for sign in (1, 0, -1)]
        assert [found["won"], found["drawn"], found["lost"]] == signs
        assert sum(found["margins"]["counts"]) == found["boards"] == 40
        assert np.dot(found["margins"]["values"], found["margins"]["counts"]) == pytest.approx(own[:, 0].sum())
        assert found["wins"]["mean"] == pytest.approx((signs[0] + signs[1] / 2) / 40)
        assert found["sprt"]["n"] == 40
        assert found["parts"]["auction"]["n"] == 10
        assert set(found["contracts"]) == set(found["regret"]) == set(found["bidding"]) == set(found["entrants"])
        for place, number in enumerate(meeting.entrants):
            columns[small.entrants[number].name].append(own[:, place])
    ranked = [entrant["points"]["mean"] for entrant in whole["entrants"]]
    assert ranked == sorted(ranked, reverse=True)
    assert whole["entrants"][0]["spec"] == "rules"
    for entrant in whole["entrants"]:
        assert entrant["points"]["mean"] == pytest.approx(np.mean(columns[entrant["name"]]))
        own_meetings = [found for found in whole["meetings"] if entrant["name"] in found["entrants"]]
        deals = [found["contracts"][entrant["name"]]["deals"] for found in own_meetings]
        assert entrant["contracts"]["deals"] == sum(deals) == 160
        assert entrant["rating"]["n"] == 80
        assert entrant["regret"]["n"] == sum(found["regret"][entrant["name"]]["n"] for found in own_meetings)
    assert whole["cycles"] == []


def test_only_time_depends_on_the_machine() -> None:
    tournament = hold("duel", ("random", "rules"), 4, analysed=0)
    played = tournament.played[0]
    slower = replace(played, clocks=tuple(replace(c, counts=np.roll(c.counts, 3)) for c in played.clocks), seconds=9.0)
    before, after = summary(tournament), summary(replace(tournament, played=(slower,)))
    assert before != after
    for whole in (before, after):
        for entrant in whole["entrants"]:
            assert entrant.pop("time")["n"] > 0
            assert entrant["regret"] is None
    assert before == after


def test_an_agent_against_itself_is_exactly_nothing() -> None:
    whole = summary(hold("bazar", ("rules", "rules"), 30, analysed=0))
    for found in (*whole["entrants"], *whole["meetings"]):
        assert found["points"] == {"mean": 0, "low": 0, "high": 0, "sd": 0, "n": 30}
        assert found["wins"]["mean"] == 0.5
    assert [entrant["rating"]["elo"] for entrant in whole["entrants"]] == pytest.approx([0, 0], abs=1e-9)
    assert [entrant["name"] for entrant in whole["entrants"]] == ["rules@1 #1", "rules@1 #2"]


def test_three_at_a_table() -> None:
    whole = summary(hold("bela3", ("random", "random:uniform", "rules"), 12, table=3, analysed=0))
    (found,) = whole["meetings"]
    means = {name: found["contracts"][name]["deals"] for name in found["entrants"]}
    assert set(means.values()) == {72}  # six tables a board
    assert found["points"]["mean"] + sum(other["mean"] for other in found["others"]) == pytest.approx(0)
    assert sum(entrant["points"]["mean"] for entrant in whole["entrants"]) == pytest.approx(0)
    assert sum(entrant["rating"]["elo"] for entrant in whole["entrants"]) == pytest.approx(0, abs=1e-6)


def test_matches_are_counted_whole() -> None:
    whole = summary(hold("duel", ("random", "rules"), 6, play="matches", target=51, analysed=4))
    (found,) = whole["meetings"]
    assert found["boards"] == found["wins"]["n"] == found["won"] + found["drawn"] + found["lost"] == 6
    best = whole["entrants"][0]
    assert best["wins"]["mean"] > 0.5
    assert best["contracts"]["deals"] > 12


def test_luck_is_taken_out_where_that_is_wanted() -> None:
    plain = summary(hold("duel", ("random", "rules"), 120, duplicate=False, analysed=0))["meetings"][0]
    less = summary(hold("duel", ("random", "rules"), 120, duplicate=False, analysed=0, reduce_luck=True))["meetings"][0]
    assert plain["luck"] is None
    assert less["luck"]["raw"] == plain["points"] != less["points"]
    assert less["points"]["sd"] ** 2 / plain["points"]["sd"] ** 2 == pytest.approx(
        1 - less["luck"]["removed"], abs=0.01
    )
    assert less["margins"] == plain["margins"]


def test_single_boards_of_an_agent_against_itself_cover_zero_in_95_percent() -> None:
    rules = load_rules("duel")
    played = meet(rules, ("random:uniform", "random:uniform"), range(200 * 30), SEED, duplicate=False)
    own = margins(rules, played, seatings(2, 2), 2, forfeit_of(rules))[:, 0]
    assert own.any()  # who sits where is no longer evened out
    estimates = [bootstrap(sample) for sample in own.reshape(200, 30)]
    covered = sum(estimate.low <= 0 <= estimate.high for estimate in estimates)  # type: ignore[operator]
    assert 180 <= covered <= 198  # 190 of 200, give or take three standard deviations of the binomial


def test_faults_are_told_with_names() -> None:
    faults = [Fault(board, 1, deal=0, seat=0, entrant=1, reason="crashed: no cards") for board in (3, 1)]
    tournament = hold("duel", SPECS, 6, faults=faults, analysed=2)
    first, guilty, other = (entrant.name for entrant in tournament.entrants)
    whole = summary(tournament)
    assert [(told["board"], told["entrant"], told["reason"]) for told in whole["faults"]] == [
        (1, guilty, "crashed: no cards"),
        (3, guilty, "crashed: no cards"),
    ]
    assert whole["faults"][0]["meeting"] == [first, guilty]
    forfeits = {entrant["name"]: entrant["forfeits"] for entrant in whole["entrants"]}
    assert forfeits == {first: 0, guilty: 2, other: 0}

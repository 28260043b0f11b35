"""The analysis of a tournament: every entrant in every meeting, and all its meetings together."""

import json

import agents
from blot_env import RuleSet, load_rules
from train.tournament.analysis import Analysis, analyse
from train.tournament.config import TournamentConfig
from train.tournament.entrants import entrants_of, exchanged
from train.tournament.played import Meeting, Played
from train.tournament.tables import play_boards
from train.tournament.tournament import Tournament

SPECS = ("rules", "random", "random:uniform")


def tournament(rules: RuleSet, meetings: list[tuple[int, ...]], boards: int, **settings: object) -> Tournament:
    """A round robin of three, the first of whose meetings has its parts exchanged."""
    entrants = entrants_of(rules, SPECS)
    made = {spec: agents.make(spec, rules) for spec in SPECS}
    config = TournamentConfig(agents=SPECS, rules=rules, **settings)

    def played(*meeting: object) -> Played:
        return play_boards(rules, made, meeting, range(boards), 2, play=config.play, alone=True)

    first, second = (entrants[entrant] for entrant in meetings[0][:2])
    parts = played(exchanged(first, second), second), played(exchanged(second, first), second)
    return Tournament(
        config=config,
        rules=rules,
        seed=2,
        entrants=entrants,
        meetings=tuple(map(Meeting, meetings)),
        played=tuple(played(*(entrants[entrant] for entrant in meeting)) for meeting in meetings),
        parts=(parts if config.table == 2 else None, *[None] * (len(meetings) - 1)),
    )


PAIRS = [(0, 1), (0, 2), (1, 2)]


def test_an_entrant_is_all_that_it_did_in_its_meetings() -> None:
    rules = load_rules("duel")
    found = analyse(tournament(rules, PAIRS, 6, analysed=4))
    assert [list(meeting["contracts"]) for meeting in found.meetings] == [
        [agents.make(SPECS[entrant], rules).name for entrant in pair] for pair in PAIRS
    ]
    for entrant, report in enumerate(found.entrants):
        name = agents.make(SPECS[entrant], rules).name
        own = [meeting for pair, meeting in zip(PAIRS, found.meetings, strict=True) if entrant in pair]
        for kind, count in (
            ("contracts", "bid"),
            ("contracts", "deals"),
            ("regret", "n"),
            ("bidding", "n"),
            ("time", "n"),
        ):
            assert report[kind][count] == sum(meeting[kind][name][count] for meeting in own) > 0
        assert report["contracts"]["deals"] == 2 * 2 * 6
        assert report["bidding"]["n"] == 2 * 2 * 4
        assert report["regret"]["bidder_deal"]["n"] <= 4  # meetings share their boards
    assert [meeting["parts"] is None for meeting in found.meetings] == [False, True, True]
    assert found.meetings[0]["parts"]["cards"]["n"] == 6
    json.dumps([found.entrants, found.meetings], allow_nan=False)


def without_time(found: Analysis) -> list[dict[str, object]]:
    return [{key: value for key, value in report.items() if key != "time"} for report in found.entrants]


def test_it_is_the_same_each_time_on_any_number_of_threads() -> None:
    rules = load_rules("bazar")
    found = [analyse(tournament(rules, PAIRS, 2), threads) for threads in (1, 3)]
    assert without_time(found[0]) == without_time(found[1])


def test_three_at_a_table() -> None:
    rules = load_rules("bela3")
    found = analyse(tournament(rules, [(0, 1, 2)], 1, table=3))
    assert [report["contracts"]["deals"] for report in found.entrants] == [6, 6, 6]
    assert sum(report["contracts"]["bid"] for report in found.entrants) == 6
    assert sum(report["regret"]["bidder_n"] for report in found.entrants) <= 6
    assert found.meetings[0]["parts"] is None


def test_matches_are_analysed_to_about_as_many_deals() -> None:
    rules = load_rules("duel")
    found = analyse(tournament(rules, PAIRS, 3, play="matches", analysed=10))
    for report in found.entrants:
        assert report["bidding"]["n"] < report["contracts"]["deals"]


def test_where_nothing_is_analysed_the_rest_is_told() -> None:
    found = analyse(tournament(load_rules("bazar"), PAIRS, 2, analysed=0))
    assert found.entrants[0]["regret"] is found.entrants[0]["bidding"] is None
    assert found.entrants[0]["contracts"]["deals"] == 8

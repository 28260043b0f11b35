"""All figures of a tournament in one object, which `results.json` holds and the report draws.

Only what stands under the key `time` depends on the machine: all else follows from what was played.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from importlib.metadata import version
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from train.tournament.best_bid import Bidding, Solved, bidding_of, judge_calls, report_bidding
from train.tournament.contracts import Contracts, count_contracts, report_contracts
from train.tournament.cycles import find_cycles
from train.tournament.estimates import bootstrap, proportion, ratio
from train.tournament.gate import judge
from train.tournament.luck import without_luck, worth_of_boards
from train.tournament.margins import forfeit_of, margins, wins
from train.tournament.parts import report_parts
from train.tournament.played import Meeting, Played
from train.tournament.regret import Regret, look_back, regret_of, report_regret
from train.tournament.replay import first_deals
from train.tournament.seating import seatings
from train.tournament.sprt import sprt_of
from train.tournament.standings import differences, stand
from train.tournament.times import report_times
from train.tournament.tournament import Tournament
from train.tournament.verdict import verdict

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Met:
    """A meeting seen from all sides; lists are by entrant of the meeting."""

    meeting: Meeting
    played: Played
    raw: Floats  # (boards, entrants) margins as they were played
    margins: Floats  # the same, less the luck of the cards where that is wanted
    wins: Floats
    contracts: list[Contracts]
    regret: list[Regret]  # empty where nothing is compared with double dummy
    bidding: list[Bidding]


def summary(tournament: Tournament, threads: int | None = None) -> dict[str, Any]:
    """Return the figures of a tournament of which every meeting has a board.

    `verdict` says in words what they come to.
    Means come with interval, standard deviation of a board and number of boards: `{"mean", "low", "high", "sd", "n"}`.

    Args:
        tournament: as far as it has been played.
        threads: how many solve deals double dummy; by default one for each core.
    """
    config, rules = tournament.config, tournament.rules
    met = _meet(tournament, threads)
    meetings, own = [each.meeting for each in met], [each.margins for each in met]
    standings = stand(len(tournament.entrants), meetings, own, [each.wins for each in met])
    if config.format == "ladder":  # where points are from others for each
        standings.sort(key=lambda standing: -standing.rating.elo)
    figures = {
        "blot": version("blot"),
        "rules": rules.name,
        **({"fields": rules.changes} if rules.changes else {}),
        "target": rules.target,
        "format": config.format,
        "play": config.play,
        "duplicate": config.duplicate,
        "table": config.table,
        "seed": tournament.seed,
        "bank": config.bank,
        "entrants": [
            {
                **_named(tournament, standing.entrant),
                "points": asdict(standing.points),
                "wins": asdict(standing.wins),
                "rating": asdict(standing.rating),
                **_entrant(tournament, met, standing.entrant),
            }
            for standing in standings
        ],
        "meetings": [_meeting(tournament, each, parts) for each, parts in zip(met, tournament.parts, strict=True)],
        "cycles": [
            {"entrants": _names(tournament, cycle.entrants), "sure": cycle.sure}
            for cycle in find_cycles(differences(meetings, own))
        ],
        "faults": [fault for each in met for fault in _faults(tournament, each)],
    }
    if gate := config.gate:
        figures["gate"] = [asdict(judge(gate, rung, each.wins[:, 0])) for rung, each in enumerate(met)]
    return {"verdict": verdict(figures), **figures}


def _meet(tournament: Tournament, threads: int | None) -> list[_Met]:
    """Look at each meeting; what boards are worth double dummy is asked once for all meetings."""
    config, rules, seed = tournament.config, tournament.rules, tournament.seed
    seating, forfeit = seatings(rules.sides, config.table), forfeit_of(rules, config.play)
    longest = max((played.boards for played in tournament.played), key=len)
    worth = worth_of_boards(rules, seed, longest.tolist(), threads) if config.reduce_luck else None
    solved: Solved = {}
    met = []
    for meeting, played in zip(tournament.meetings, tournament.played, strict=True):
        numbers = range(len(meeting.entrants))
        raw = margins(rules, played, seating, config.table, forfeit)
        less = raw if worth is None else without_luck(raw, seed, played.boards, worth[: len(raw)], seating)
        regret, bidding = [], []
        if config.analysed:
            some = first_deals(played, config.analysed)
            away, calls = look_back(rules, seed, some, threads), judge_calls(rules, seed, some, solved, threads)
            regret = [regret_of(rules, some, seating, away, number) for number in numbers]
            bidding = [bidding_of(some, seating, calls, number) for number in numbers]
        met.append(
            _Met(
                meeting,
                played,
                raw,
                less,
                wins(rules, played, seating, config.table, forfeit, config.play),
                [count_contracts(rules, played, seating, number) for number in numbers],
                regret,
                bidding,
            )
        )
    return met


def _entrant(tournament: Tournament, met: Sequence[_Met], entrant: int) -> dict[str, Any]:
    """Return what an entrant did in all its meetings, and how long it took."""
    own = [(each, each.meeting.entrants.index(entrant)) for each in met if entrant in each.meeting.entrants]
    regrets = [each.regret[number] for each, number in own if each.regret]
    biddings = [each.bidding[number] for each, number in own if each.bidding]
    return {
        "forfeits": sum(fault.entrant == number for each, number in own for fault in each.played.faults),
        "contracts": report_contracts(tournament.rules, reduce(add, (each.contracts[n] for each, n in own))),
        "regret": report_regret(regrets) if regrets else None,
        "bidding": report_bidding(biddings) if biddings else None,
        "time": report_times(each.played.clocks[number] for each, number in own),
    }


def _meeting(tournament: Tournament, met: _Met, parts: tuple[Played, Played] | None) -> dict[str, Any]:
    """Return a meeting: points, wins and distribution are the first entrant's."""
    config, rules = tournament.config, tournament.rules
    names = _names(tournament, met.meeting.entrants)
    shares, even = met.wins[:, 0], 1 / len(names)
    values, counts = np.unique(met.raw[:, 0], return_counts=True)
    return {
        "entrants": names,
        "boards": len(shares),
        "points": asdict(bootstrap(met.margins[:, 0])),
        "won": int((shares > even).sum()),
        "drawn": int((shares == even).sum()),
        "lost": int((shares < even).sum()),
        "wins": asdict(proportion(shares)),
        "others": [asdict(bootstrap(column)) for column in met.margins.T[1:]] if len(names) > 2 else None,
        **({"points_a_deal": _points_a_deal(tournament, met)} if config.play == "matches" else {}),
        "sprt": _test(tournament, met),
        "margins": {"values": values.tolist(), "counts": counts.tolist()},
        "contracts": {name: report_contracts(rules, own) for name, own in zip(names, met.contracts, strict=True)},
        "regret": {name: report_regret([own]) for name, own in zip(names, met.regret, strict=False)} or None,
        "bidding": {name: report_bidding([own]) for name, own in zip(names, met.bidding, strict=False)} or None,
        "parts": parts
        and report_parts(rules, met.played, parts, seatings(rules.sides, 2), forfeit_of(rules, config.play)),
        "luck": _luck(met) if config.reduce_luck else None,
    }


def _test(tournament: Tournament, met: _Met) -> dict[str, Any] | None:
    """Return how the sequential test of a meeting stands, None without one."""
    test = sprt_of(tournament.config)
    if test is None:
        return None
    errors = {"alpha": test.config.alpha, "beta": test.config.beta}
    return {"margins": list(test.config.margins), **errors, **asdict(test.look(met.raw[:, 0]))}


def _points_a_deal(tournament: Tournament, met: _Met) -> dict[str, Any] | None:
    """Return match points a deal of a meeting's matches, None where all were forfeited before a deal was over."""
    played, tables = met.played, len(seatings(tournament.rules.sides, tournament.config.table))
    deals = np.bincount(np.searchsorted(played.boards, played.board), minlength=len(played.boards))
    a_table = deals / (tables if tournament.config.duplicate else 1)
    return asdict(ratio(met.raw[:, 0], a_table)) if deals.any() else None


def _luck(met: _Met) -> dict[str, Any]:
    """Return what taking out the luck did: the points as they were played, and the share of variance that went."""
    before, after = met.raw[:, 0].var(), met.margins[:, 0].var()
    return {"raw": asdict(bootstrap(met.raw[:, 0])), "removed": float(1 - after / before) if before else None}


def _faults(tournament: Tournament, met: _Met) -> list[dict[str, Any]]:
    """Return the forfeits of a meeting, in the order of its boards."""
    names = _names(tournament, met.meeting.entrants)
    return [
        {"meeting": names, **asdict(fault), "entrant": names[fault.entrant]}
        for fault in sorted(met.played.faults, key=lambda fault: (fault.board, fault.table))
    ]


def _named(tournament: Tournament, entrant: int) -> dict[str, str]:
    return {"name": tournament.entrants[entrant].name, "spec": tournament.entrants[entrant].spec}


def _names(tournament: Tournament, entrants: Sequence[int]) -> list[str]:
    return [tournament.entrants[entrant].name for entrant in entrants]

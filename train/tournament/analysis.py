"""Where the differences of a tournament come from: contracts, regret, bidding and time, by entrant and by meeting."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from blot_env import RuleSet
from train.tournament.best_bid import Bidding, Solved, bidding_of, judge_calls, report_bidding
from train.tournament.contracts import Contracts, count_contracts, report_contracts
from train.tournament.margins import forfeit_of
from train.tournament.parts import report_parts
from train.tournament.played import Clock
from train.tournament.regret import Regret, look_back, regret_of, report_regret
from train.tournament.replay import first_deals
from train.tournament.seating import seatings
from train.tournament.times import report_times
from train.tournament.tournament import Tournament

Report = dict[str, Any]


@dataclass(frozen=True)
class Analysis:
    """What is reported, as JSON takes it."""

    entrants: tuple[Report, ...]  # of each `contracts`, `regret`, `bidding` and `time`, from all its meetings
    meetings: tuple[Report, ...]  # of each the same by entrants' names, and `parts`


@dataclass(frozen=True)
class _Sample:
    """What one entrant did in one meeting."""

    contracts: Contracts
    clock: Clock
    regret: Regret | None = None  # None where nothing is compared with double dummy
    bidding: Bidding | None = None


def analyse(tournament: Tournament, threads: int | None = None) -> Analysis:
    """Analyse a tournament; of each meeting `config.analysed` boards are compared with double dummy.

    Args:
        tournament: as far as it was played, one board of each meeting or more.
        threads: how many solve deals; by default one for each core.
    """
    solved: Solved = {}
    own: list[list[_Sample]] = [[] for _ in tournament.entrants]
    meetings = []
    for number, meeting in enumerate(tournament.meetings):
        samples = _samples(tournament, number, solved, threads)
        by_name = {}
        for entrant, sample in zip(meeting.entrants, samples, strict=True):
            own[entrant].append(sample)
            by_name[tournament.entrants[entrant].name] = _report(tournament.rules, [sample])
        kinds = ("contracts", "regret", "bidding", "time")
        by_kind = {kind: {name: report[kind] for name, report in by_name.items()} for kind in kinds}
        meetings.append({**by_kind, "parts": _parts(tournament, number)})
    return Analysis(tuple(_report(tournament.rules, samples) for samples in own), tuple(meetings))


def _samples(tournament: Tournament, meeting: int, solved: Solved, threads: int | None) -> list[_Sample]:
    """Return what each entrant of a meeting did."""
    rules, seed, most = tournament.rules, tournament.seed, tournament.config.analysed
    played, entrants = tournament.played[meeting], range(len(tournament.meetings[meeting].entrants))
    seating = seatings(rules.sides, len(entrants))
    counts = [count_contracts(rules, played, seating, entrant) for entrant in entrants]
    if not most:
        return [_Sample(counts[entrant], played.clocks[entrant]) for entrant in entrants]
    first = first_deals(played, most)
    away, calls = look_back(rules, seed, first, threads), judge_calls(rules, seed, first, solved, threads)
    return [
        _Sample(
            counts[entrant],
            played.clocks[entrant],
            regret_of(rules, first, seating, away, entrant),
            bidding_of(first, seating, calls, entrant),
        )
        for entrant in entrants
    ]


def _report(rules: RuleSet, samples: Sequence[_Sample]) -> Report:
    """Return what an entrant did in one meeting or several."""
    regrets = [sample.regret for sample in samples if sample.regret]
    biddings = [sample.bidding for sample in samples if sample.bidding]
    return {
        "contracts": report_contracts(rules, reduce(add, (sample.contracts for sample in samples))),
        "regret": report_regret(regrets) if regrets else None,
        "bidding": report_bidding(biddings) if biddings else None,
        "time": report_times(sample.clock for sample in samples),
    }


def _parts(tournament: Tournament, meeting: int) -> Report | None:
    parts, rules = tournament.parts[meeting], tournament.rules
    if parts is None:
        return None
    forfeit = forfeit_of(rules, tournament.config.play)
    return report_parts(rules, tournament.played[meeting], parts, seatings(rules.sides, 2), forfeit)

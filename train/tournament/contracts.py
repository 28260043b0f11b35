"""Contracts that an entrant bid, and those it defended against, by strain, number, capot and contra."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet
from train.tournament.played import Played

Counts = NDArray[np.int64]
"""Contracts by (strain, number, capot or not, contra level, outcome), where an outcome is failed, made, or unplayed
because a belot won the match before a card."""
FAILED, MADE = 0, 1


@dataclass(frozen=True)
class Contracts:
    """What an entrant's sides did in some deals; counts add up over meetings.

    Results do not tell who said contra: of three sides all that play against the namer are taken to have said it.
    """

    deals: int  # tables' deals at which the entrant sat
    passed_out: int  # those that nobody bid on
    all_tricks: int  # those in which a side of the entrant took every trick
    own: Counts  # contracts that a side of the entrant named
    others: Counts  # those of the others at its tables

    def __add__(self, other: "Contracts") -> "Contracts":
        return Contracts(
            self.deals + other.deals,
            self.passed_out + other.passed_out,
            self.all_tricks + other.all_tricks,
            self.own + other.own,
            self.others + other.others,
        )


def count_contracts(rules: RuleSet, played: Played, seating: NDArray[np.int64], entrant: int) -> Contracts:
    """Count what one entrant of a meeting did.

    Args:
        seating: who plays each side at each table, shape (tables, sides), indices in the meeting.
        entrant: index in the meeting.
    """
    results = played.results
    seated = seating[played.table] == entrant  # (deals, sides)
    side_of = np.array([rules.side(seat) for seat in range(rules.players)])
    bid = results["bidder"] >= 0
    named = bid & seated[np.arange(len(results)), side_of[results["bidder"]]]
    swept = results["tricks"][:, : rules.sides] == rules.hand_size
    present = seated.any(axis=1)
    return Contracts(
        deals=int(present.sum()),
        passed_out=int((present & ~bid).sum()),
        all_tricks=int((swept & seated).sum()),
        own=_histogram(rules, results[named]),
        others=_histogram(rules, results[present & bid & ~named]),
    )


def _histogram(rules: RuleSet, results: NDArray[Any]) -> Counts:
    numbers = max(rules.max_number, rules.capot_min) + 2  # a capot may be called over the highest number
    counts = np.zeros((len(rules.strains), numbers, 2, 3, 3), np.int64)
    np.add.at(counts, tuple(results[field] for field in ("strain", "number", "capot", "contra", "made")), 1)
    return counts


def report_contracts(rules: RuleSet, contracts: Contracts) -> dict[str, Any]:
    """Return counts and rates by name, as JSON takes them; a rate is None where nothing stands below its line."""
    own, others = contracts.own, contracts.others
    bid, contras = int(own.sum()), int(others[:, :, :, 1:].sum())
    counts = {
        "deals": contracts.deals,
        "passed_out": contracts.passed_out,
        "all_tricks": contracts.all_tricks,
        **_outcomes(own),
        "capots": int(own[:, :, 1].sum()),
        "capots_made": int(own[:, :, 1, :, MADE].sum()),
        "under_contra": int(own[:, :, :, 1:].sum()),
        "under_contra_made": int(own[:, :, :, 1:, MADE].sum()),
        "recontras": int(own[:, :, :, 2].sum()),
        "recontras_right": int(own[:, :, :, 2, MADE].sum()),
        "defended": int(others.sum()),
        "defeated": int(others[..., FAILED].sum()),
        "contras": contras,
        "contras_right": int(others[:, :, :, 1:, FAILED].sum()),
        "contras_wrong": int(others[:, :, :, 1:, MADE].sum()),
    }
    numbers = int((own.sum(axis=(0, 2, 3, 4)) * np.arange(own.shape[1])).sum())
    rates = {
        "bid": _share(bid, contracts.deals),
        "passed_out": _share(contracts.passed_out, contracts.deals),
        "made": _share(counts["made"], bid),
        "failed": _share(counts["failed"], bid),
        "number": _share(numbers, bid) if rules.numbered else None,
        "capots": _share(counts["capots"], bid),
        "under_contra": _share(counts["under_contra"], bid),
        "recontras": _share(counts["recontras"], counts["under_contra"]),
        "defeated": _share(counts["defeated"], counts["defended"]),
        "contras": _share(contras, counts["defended"]),
        "contras_right": _share(counts["contras_right"], contras),
    }
    return {**counts, "rates": rates, "by_strain": _by_strain(rules, contracts), "grid": _grid(rules, own)}


def _outcomes(counts: Counts) -> dict[str, int]:
    return {"bid": int(counts.sum()), "made": int(counts[..., MADE].sum()), "failed": int(counts[..., FAILED].sum())}


def _by_strain(rules: RuleSet, contracts: Contracts) -> list[dict[str, Any]]:
    """Return what was bid in each strain, and what was defended against."""
    return [
        {
            "strain": name,
            **_outcomes(own),
            "capots": int(own[:, 1].sum()),
            "contra": int(own[:, :, 1:].sum()),
            "defended": int(others.sum()),
            "defeated": int(others[..., FAILED].sum()),
            "contras": int(others[:, :, 1:].sum()),
            "contras_right": int(others[:, :, 1:, FAILED].sum()),
        }
        for name, own, others in zip(rules.strains, contracts.own, contracts.others, strict=True)
    ]


def _grid(rules: RuleSet, own: Counts) -> list[dict[str, Any]]:
    """Return the contracts that were bid at all, by strain, number and capot; a number is None where none is bid."""
    return [
        {
            "strain": rules.strains[strain],
            "number": number if rules.numbered else None,
            "capot": bool(capot),
            **_outcomes(own[strain, number, capot]),
        }
        for strain, number, capot in np.argwhere(own.sum(axis=(3, 4))).tolist()
    ]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None

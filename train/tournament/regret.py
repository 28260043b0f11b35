"""Points left on the table: what an entrant's cards gave away against double dummy, as bidder and as defender.

`agents.search.hindsight` says what each card cost the side that played it. Here it is counted by trick for the sides of
an entrant: a side's regret is that of its partners together, and of two sides the mean.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.hindsight import GivenAway, given_away
from blot_env import RuleSet
from train.tournament.estimates import bootstrap
from train.tournament.played import Played
from train.tournament.replay import starts_of

ROLES = ("bidder", "defender")


@dataclass(frozen=True)
class Regret:
    """What an entrant gave away, by deal; NaN where it had no side in that role, or no card was played."""

    board: NDArray[np.int64]  # (deals,)
    given: NDArray[np.float64]  # (deals, roles, tricks, 2) card points and match points a side


def look_back(rules: RuleSet, seed: int, played: Played, threads: int | None = None) -> GivenAway:
    """Solve all deals of a meeting before each card with a choice, by default on all cores."""
    return given_away(rules, starts_of(rules, seed, played), played.actions, threads)


def regret_of(rules: RuleSet, played: Played, seating: NDArray[np.int64], away: GivenAway, entrant: int) -> Regret:
    """Return what one entrant of a meeting gave away.

    Args:
        seating: who plays each side at each table, shape (tables, sides), indices in the meeting.
        away: of the same deals.
        entrant: index in the meeting.
    """
    side_of = np.array([rules.side(seat) for seat in range(rules.players)])
    namers = side_of[played.results["bidder"]]  # of a deal that nobody bid on any side: no card was played
    by_side = np.stack([away.given[:, side_of == side].sum(axis=1) for side in range(rules.sides)], axis=1)
    names = np.arange(rules.sides) == namers[:, None]  # (deals, sides)
    own = (seating[played.table] == entrant) & away.played[:, None]
    sides = np.stack([own & names, own & ~names], axis=1)  # (deals, roles, sides)
    with np.errstate(invalid="ignore"):
        given = np.einsum("drs,dstu->drtu", sides, by_side) / sides.sum(axis=2)[:, :, None, None]
    return Regret(played.board, given)


def report_regret(regrets: Sequence[Regret]) -> dict[str, Any]:
    """Return the regret of an entrant in one meeting or several, as JSON takes it.

    `bidder` and `defender` are card points by trick, `bidder_deal` and `defender_deal` those of a whole deal, and all
    of it again in match points; a mean is over boards. Where there is none it is None, and by trick nothing. `n` counts
    deals.
    """
    board = np.concatenate([regret.board for regret in regrets])
    given = np.concatenate([regret.given for regret in regrets])
    seen = ~np.isnan(given[:, :, 0, 0])  # (deals, roles)
    by_unit: list[dict[str, Any]] = [{}, {}]
    for role, name in enumerate(ROLES):
        means = by_board(board[seen[:, role]], given[seen[:, role], role])  # (boards, tricks, units)
        for unit, report in enumerate(by_unit):
            tricks = range(means.shape[1] if len(means) else 0)
            report[name] = [estimated(means[:, trick, unit]) for trick in tricks]
            report[f"{name}_deal"] = estimated(means[:, :, unit].sum(axis=1))
    counts = {f"{name}_n": int(seen[:, role].sum()) for role, name in enumerate(ROLES)}
    return {"n": int(seen.any(axis=1).sum()), **counts, **by_unit[0], "match_points": by_unit[1]}


def by_board(board: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each board, which is one draw however many deals it has: (deals, …) to (boards, …)."""
    boards, place = np.unique(board, return_inverse=True)
    sums = np.zeros((len(boards), *values.shape[1:]))
    np.add.at(sums, place, values)
    counts = np.bincount(place, minlength=len(boards))
    return sums / counts.reshape(-1, *[1] * (values.ndim - 1))


def estimated(values: NDArray[np.float64]) -> dict[str, Any] | None:
    """Return mean and interval of a value a board, None where there is no board."""
    return asdict(bootstrap(values)) if len(values) else None

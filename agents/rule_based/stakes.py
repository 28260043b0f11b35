"""What a contract is likely to bring: the match points of the rules' scoring, over what the hands may take."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.outlook import OTHERS, OWN, Counsel, Outlook, turned
from blot_env.rules_record import BY_MORE, BY_ROUNDED
from blot_env.scoring import rounded
from blot_env.seats import seat_after

SWING = 10  # tens of raw points, by which the worth of a point in the chance to win is measured
SURE = 1e-9  # chances nearer to nothing or certainty count as these
WIN = 20.0  # what winning the match is worth beyond the points that were missing, where ten points are one


def _normal() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chance of at least 0 and the mean then, of normal variables of spread 1 and mean -4, -3.95 ... 4."""
    z = np.linspace(-4, 4, 161)
    chance = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in z])
    return chance, z + np.exp(-z * z / 2) / math.sqrt(2 * math.pi) / chance


_CHANCE, _MEAN_ABOVE = _normal()


class Prospect(NamedTuple):
    """How a contract may end, as its side sees it."""

    chance: float  # that it is made
    taken: float  # raw points to be expected when it is
    kept: float  # and when it is not
    every: float  # chance of all tricks when it is made
    none: float  # of no trick when it is not


@kernel
def standing_value(
    rules: np.record, values: np.record, public: np.record, me: int, hope: Outlook, level: int, counsel: Counsel | None
) -> float:
    """Return the match points that the standing bid is likely to bring a seat's side at a level of contra."""
    strain, number = public.strain, public.number
    if rules.side[public.bidder] == rules.side[me]:
        return bid_value(rules, values, public, me, hope, strain, number, level, 0.0, counsel, OWN)
    bidder = public.bidder
    return -bid_value(rules, values, public, bidder, turned(hope), strain, number, level, 0.0, counsel, OTHERS)


@kernel(forceinline=True)
def bid_value(
    rules: np.record,
    values: np.record,
    public: np.record,
    seat: int,
    hope: Outlook,
    strain: int,
    number: int,
    level: int,
    risk: float,
    counsel: Counsel | None,
    whose: int,
) -> float:
    """Return the match points, own minus each other side's, that a contract is likely to bring its side.

    `risk` is how often a contra is yet to come when the bid fails. Where each plays alone the others share alike. A
    counsel's promise on the contract, which is `whose`, says more of how it may end than `hope`.
    """
    others = rules.sides - 1
    whole = hope.own + hope.other
    need = 10.0 * number
    if rules.made_by == BY_MORE:
        need = 0.5 * whole
    elif rules.made_by == BY_ROUNDED:
        need -= rules.unit - rules.round_up_at
    prospect = _prospect(hope, need, counsel, strain, whose)
    chance = prospect.chance
    taken = min(prospect.taken, whole)
    undealt = values.undealt[strain]
    everything, bonus_made, bonus_failed = rounded(rules, int(whole + undealt)), 0.0, 0.0
    if counsel is not None:
        bonus = rules.all_tricks + max(rules.all_tricks_set - values.deck[strain], 0.0)
        bonus_made = bonus * prospect.every
        bonus_failed = 0.0 if rules.all_tricks_for_bidders else bonus * prospect.none
    factor = rules.multiplier[strain, level]
    times, bid = (1, factor * number) if rules.adds_bid else (factor, 0)
    if level and rules.contra_takes_all:
        made = _gain(rules, values, public, seat, times * everything + bid, 0, counsel)
    else:
        own, other = rounded(rules, int(taken + undealt + bonus_made)), rounded(rules, int((whole - taken) / others))
        made = _gain(rules, values, public, seat, times * own + bid, times * other, counsel)
    lost = times * everything
    if bonus_failed > 0:
        lost = times * rounded(rules, int(whole + undealt + bonus_failed))
    if not rules.failed_to_opponents:
        kept = max(prospect.kept, 0.0)
        lost = times * rounded(rules, int((whole - kept) / others))
    risked = int(risk * (bid if rules.adds_bid else lost))
    failed = _gain(rules, values, public, seat, 0, lost + bid + risked, counsel)
    return chance * made + (1.0 - chance) * failed


@kernel(forceinline=True)
def _prospect(hope: Outlook, need: float, counsel: Counsel | None, strain: int, whose: int) -> Prospect:
    """Return how a contract that needs so many raw points may end: normally spread, or as a counsel promises it."""
    if counsel is None:
        step = int(min(max(20.0 * (hope.own - need) / hope.spread + 80.0, 0.0), 160.0))
        above, below = hope.spread * _MEAN_ABOVE[step], hope.spread * _MEAN_ABOVE[160 - step]
        return Prospect(_CHANCE[step], need + above, need - below, 0.0, 0.0)
    promise = counsel.promises[strain, whose]
    base = promise.extra + hope.own - promise.own  # `hope` may have been sobered since
    parts = len(promise.reach) - 1
    position = (need - base) * parts / (promise.deck + 1.0)
    chance, points = 1.0, promise.own - promise.extra
    if position > parts:
        chance, points = 0.0, 0.0
    elif position > 0:
        place = min(int(position), parts - 1)
        rest = position - place
        chance = (1.0 - rest) * promise.reach[place] + rest * promise.reach[place + 1]
        points = (1.0 - rest) * promise.taken[place] + rest * promise.taken[place + 1]
    all_points = promise.own - promise.extra
    missed = 1.0 - chance
    return Prospect(
        chance,
        base + points / chance if chance > SURE else need,
        base + (all_points - points) / missed if missed > SURE else need,
        min(promise.reach[parts] / chance, 1.0) if chance > SURE else 0.0,
        min(promise.none / missed, 1.0) if missed > SURE else 0.0,
    )


@kernel(forceinline=True)
def _gain(
    rules: np.record, values: np.record, public: np.record, seat: int, own: int, other: int, counsel: Counsel | None
) -> float:
    """Return what match points are worth: those beyond the target nothing, winning the match something.

    Where a counsel knows the chances to win, they are worth what they change in these.
    """
    side = rules.side[seat]
    own_missing, other_missing = 0, public.target
    for each in range(rules.sides):
        missing = max(public.target - public.scores[each], 0)
        if each == side:
            own_missing = missing
        else:
            other_missing = min(other_missing, missing)
    if counsel is not None:
        odds = counsel.odds
        step = int(values.tenth)  # match points from one place of the table to the next
        here, there = -(-own_missing // step), -(-other_missing // step)
        if rules.sides == 2 and min(here, there) > 0 and max(here, there) < odds.shape[1]:
            now = odds[1 if rules.side[public.dealer] == side else 0]
            later = odds[1 if rules.side[seat_after(rules.players, public.dealer)] == side else 0]
            if own >= own_missing or other >= other_missing:
                chance = 1.0 if own - own_missing > other - other_missing else 0.0
            else:
                chance = later[-(-(own_missing - own) // step), -(-(other_missing - other) // step)]
            swing = min(SWING, here, there)
            point = (now[here - swing, there] - now[here, there - swing]) / (2.0 * swing * step)
            return (chance - now[here, there]) / max(point, SURE)
    value = float(min(own, own_missing) - min(other, other_missing))
    if own >= own_missing or other >= other_missing:
        win = WIN * values.tenth
        value += win if own - own_missing > other - other_missing else -win
    return value

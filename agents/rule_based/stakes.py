"""What a contract is likely to bring: the match points of the rules' scoring, over what the hands may take."""

import math

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.outlook import Outlook, turned
from blot_env.rules_record import BY_MORE, BY_ROUNDED
from blot_env.scoring import rounded

WIN = 20.0  # what winning the match is worth beyond the points that were missing, where ten points are one


def _normal() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chance of at least 0 and the mean then, of normal variables of spread 1 and mean -4, -3.95 ... 4."""
    z = np.linspace(-4, 4, 161)
    chance = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in z])
    return chance, z + np.exp(-z * z / 2) / math.sqrt(2 * math.pi) / chance


_CHANCE, _MEAN_ABOVE = _normal()


@kernel
def standing_value(rules: np.record, values: np.record, public: np.record, me: int, hope: Outlook, level: int) -> float:
    """Return the match points that the standing bid is likely to bring a seat's side at a level of contra."""
    strain, number = public.strain, public.number
    if rules.side[public.bidder] == rules.side[me]:
        return bid_value(rules, values, public, me, hope, strain, number, level, 0.0)
    return -bid_value(rules, values, public, public.bidder, turned(hope), strain, number, level, 0.0)


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
) -> float:
    """Return the match points, own minus each other side's, that a contract is likely to bring its side.

    `risk` is how often a contra is yet to come when the bid fails. Where each plays alone the others share alike.
    """
    others = rules.sides - 1
    whole = hope.own + hope.other
    need = 10.0 * number
    if rules.made_by == BY_MORE:
        need = 0.5 * whole
    elif rules.made_by == BY_ROUNDED:
        need -= rules.unit - rules.round_up_at
    step = int(min(max(20.0 * (hope.own - need) / hope.spread + 80.0, 0.0), 160.0))
    chance = _CHANCE[step]
    taken = min(need + hope.spread * _MEAN_ABOVE[step], whole)
    undealt = values.undealt[strain]
    everything = rounded(rules, int(whole + undealt))
    factor = rules.multiplier[strain, level]
    times, bonus = (1, factor * number) if rules.adds_bid else (factor, 0)
    if level and rules.contra_takes_all:
        made = _gain(rules, values, public, seat, times * everything + bonus, 0)
    else:
        own, other = rounded(rules, int(taken + undealt)), rounded(rules, int((whole - taken) / others))
        made = _gain(rules, values, public, seat, times * own + bonus, times * other)
    lost = times * everything
    if not rules.failed_to_opponents:
        kept = max(need - hope.spread * _MEAN_ABOVE[160 - step], 0.0)
        lost = times * rounded(rules, int((whole - kept) / others))
    risked = int(risk * (bonus if rules.adds_bid else lost))
    failed = _gain(rules, values, public, seat, 0, lost + bonus + risked)
    return chance * made + (1.0 - chance) * failed


@kernel(forceinline=True)
def _gain(rules: np.record, values: np.record, public: np.record, seat: int, own: int, other: int) -> float:
    """Return what match points are worth: those beyond the target nothing, winning the match something."""
    side = rules.side[seat]
    own_missing, other_missing = 0, public.target
    for each in range(rules.sides):
        missing = max(public.target - public.scores[each], 0)
        if each == side:
            own_missing = missing
        else:
            other_missing = min(other_missing, missing)
    value = float(min(own, own_missing) - min(other, other_missing))
    if own >= own_missing or other >= other_missing:
        win = WIN * values.tenth
        value += win if own - own_missing > other - other_missing else -win
    return value

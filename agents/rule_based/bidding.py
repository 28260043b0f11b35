"""What to call. Every call is judged by the match points that it is likely to bring, as if it were the last one."""

import math

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.evaluate import DECK, stops_capot, takes_all
from agents.rule_based.outlook import Outlook, outlook, turned
from blot_env.actions import BIDS, CONTRA, PASS, RECONTRA
from blot_env.combinations import combination_points
from blot_env.scoring import rounded
from blot_env.state import LAST_WORD, OPEN, RECONTRA_ASKED

# How many match points better than the calmer call a call must look.
BID_MARGIN = 4.5
JUMP_MARGIN = 1.0  # further, for more than the lowest number; the last word can still raise
CONTRA_MARGIN = 1.0
RECONTRA_MARGIN = 15.0

CONTRA_RISK = 0.5  # how often a bid that fails will have been contra'd
CONTRA_TELLS = 15.0  # points less that the bidders may expect once they are
WIN = 20.0  # what winning the match is worth beyond the points that were missing


def _normal() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chance of at least 0 and the mean then, of normal variables of spread 1 and mean -4, -3.95 ... 4."""
    z = np.linspace(-4, 4, 161)
    chance = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in z])
    return chance, z + np.exp(-z * z / 2) / math.sqrt(2 * math.pi) / chance


_CHANCE, _MEAN_ABOVE = _normal()


@kernel
def choose_call(rules: np.record, view: np.record) -> int:
    """Return the call of the seat to act."""
    public = view.public
    if public.asking == RECONTRA_ASKED:
        return RECONTRA if _may_recontra(rules, view) else PASS
    if public.capot:
        return CONTRA if _may_contra_capot(rules, view) else PASS
    for strain in range(rules.strains):
        if _may_call_capot(rules, view, strain):
            return int(rules.capots + strain)
    call, value = _pass_or_contra(rules, view)
    return _bid_or(rules, view, call, value)


@kernel
def _pass_or_contra(rules: np.record, view: np.record) -> tuple[int, float]:
    """Return the better one of pass and contra, and what it is worth."""
    public, me = view.public, view.seat
    if not public.number:
        return PASS, 0.0
    hope = outlook(rules, view, public.strain)
    passed = standing_value(rules, public, me, hope, 0)
    theirs = public.bidder % 2 != me % 2
    if theirs and rules.contra and public.asking == OPEN and hope.other < 10.0 * public.number:
        contra = standing_value(rules, public, me, hope, 1)
        if contra > passed + CONTRA_MARGIN:
            return CONTRA, contra
    return PASS, passed


@kernel
def _bid_or(rules: np.record, view: np.record, call: int, value: float) -> int:
    """Return the best bid that is better than a call of some value, or else that call."""
    public = view.public
    lowest = max(public.number + 1, rules.min_number)
    for strain in range(rules.strains):
        hope = outlook(rules, view, strain)
        number = lowest
        while number <= rules.max_number:
            worth = bid_value(rules, public, view.seat, hope, strain, number, 0, CONTRA_RISK) - BID_MARGIN
            if number > lowest and public.asking != LAST_WORD:
                worth -= JUMP_MARGIN
            if worth > value:
                call, value = BIDS + (number - rules.min_number) * rules.strains + strain, worth
            if hope.own < 10.0 * number:
                break
            number += 1
    return call


@kernel
def _may_recontra(rules: np.record, view: np.record) -> bool:
    public = view.public
    hope = outlook(rules, view, public.strain)
    sobered = Outlook(hope.own - CONTRA_TELLS, hope.other + CONTRA_TELLS, hope.spread)
    plain = standing_value(rules, public, view.seat, sobered, 1)
    return standing_value(rules, public, view.seat, sobered, 2) > plain + RECONTRA_MARGIN


@kernel
def _may_contra_capot(rules: np.record, view: np.record) -> bool:
    """A capot that is contra'd and made wins the match, so contra it with a card that stops it, and only then."""
    public = view.public
    theirs = public.bidder % 2 != view.seat % 2
    return bool(theirs and rules.contra and stops_capot(public.strain, view.hand, _leads(view)))


@kernel
def _may_call_capot(rules: np.record, view: np.record, strain: int) -> bool:
    """A sure capot is called unless combinations make a plain number worth more."""
    number = max(rules.capot_min, view.public.number + 1)
    most = DECK + combination_points(rules, strain, view.hand)
    return takes_all(strain, view.hand, _leads(view)) and most < 10.0 * number


@kernel
def _leads(view: np.record) -> bool:
    """Return whether the seat is eldest and leads to the first trick."""
    return bool(view.seat == (view.public.dealer + 1) % 4)


@kernel
def standing_value(rules: np.record, public: np.record, me: int, hope: Outlook, level: int) -> float:
    """Return the match points that the standing bid is likely to bring a seat's side at a level of contra."""
    strain, number = public.strain, public.number
    if public.bidder % 2 == me % 2:
        return bid_value(rules, public, me, hope, strain, number, level, 0.0)
    return -bid_value(rules, public, public.bidder, turned(hope), strain, number, level, 0.0)


@kernel
def bid_value(
    rules: np.record, public: np.record, seat: int, hope: Outlook, strain: int, number: int, level: int, risk: float
) -> float:
    """Return the match points, own minus others', that a bid is likely to bring its side.

    `risk` is how often a contra is yet to come when the bid fails.
    """
    side = seat % 2
    z = (hope.own - 10.0 * number) / hope.spread
    step = int(min(max(20.0 * z + 80.0, 0.0), 160.0))
    chance = _CHANCE[step]
    whole = hope.own + hope.other
    taken = min(10.0 * number + hope.spread * _MEAN_ABOVE[step], whole)
    everything = rounded(rules, int(whole))
    bonus = rules.multiplier[strain, level] * number
    if level:
        made = _gain(public, side, everything + bonus, 0)
    else:
        made = _gain(public, side, rounded(rules, int(taken)) + bonus, rounded(rules, int(whole - taken)))
    failed = _gain(public, side, 0, everything + bonus + int(risk * bonus))
    return chance * made + (1.0 - chance) * failed


@kernel
def _gain(public: np.record, side: int, own: int, other: int) -> float:
    """Return what match points are worth: those beyond the target nothing, winning the match something."""
    own_missing = max(public.target - public.scores[side], 0)
    other_missing = max(public.target - public.scores[1 - side], 0)
    value = float(min(own, own_missing) - min(other, other_missing))
    if own >= own_missing or other >= other_missing:
        value += WIN if own - own_missing > other - other_missing else -WIN
    return value

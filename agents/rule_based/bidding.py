"""What to call. Every call is judged by the match points that it is likely to bring, as if it were the last one."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.evaluate import card_points, extra_points
from blot_env.actions import BIDS, CONTRA, PASS, RECONTRA
from blot_env.cards import NT
from blot_env.scoring import rounded
from blot_env.state import LAST_WORD, OPEN, RECONTRA_ASKED

SPREAD, NT_SPREAD = 26.0, 30.0  # standard deviation of a side's points around what its hand promises
PARTNER_NAMED = 18.0  # what a partner who named the strain adds
OPPONENT_NAMED = 14.0  # and an opponent who did takes away
WIN = 20.0  # match points that winning the match is worth beyond those still missing
BID_MARGIN = 1.5
JUMP_MARGIN = 1.0
CONTRA_MARGIN = 1.0
RECONTRA_MARGIN = 5.0


class Hopes(NamedTuple):
    """Points that a side and its opponents are likely to take in some strain."""

    own: float
    other: float
    spread: float


def _normal() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chance of at least 0 and the mean then, of normal variables of spread 1 and mean -4, -3.95 ... 4."""
    z = np.linspace(-4, 4, 161)
    chance = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in z])
    return chance, z + np.exp(-z * z / 2) / math.sqrt(2 * math.pi) / chance


_CHANCE, _MEAN_ABOVE = _normal()


@kernel
def choose_call(rules: np.record, view: np.record) -> int:
    """Return the call to make."""
    public = view.public
    me = view.seat
    if public.asking == RECONTRA_ASKED:
        return _recontra(rules, view)
    standing = 0.0
    if public.number:
        standing = contract_value(rules, public, me, hopes(rules, view, public.strain), 0)
    best, best_value = PASS, standing
    if public.number and public.asking == OPEN and rules.contra and public.bidder % 2 != me % 2:
        value = contract_value(rules, public, me, hopes(rules, view, public.strain), 1) - CONTRA_MARGIN
        if value > best_value:
            best, best_value = CONTRA, value
    if public.capot:
        return best
    return _best_bid(rules, view, best, best_value)


@kernel
def _best_bid(rules: np.record, view: np.record, best: int, best_value: float) -> int:
    """Return the best bid if one is better than the best other call, else that call."""
    public = view.public
    lowest = max(public.number + 1, rules.min_number)
    for strain in range(rules.strains):
        hope = hopes(rules, view, strain)
        for number in range(lowest, rules.max_number + 1):
            value = bid_value(rules, public, view.seat, hope, strain, number, 0) - BID_MARGIN
            if number > lowest and public.asking != LAST_WORD:
                value -= JUMP_MARGIN
            if value > best_value:
                best, best_value = BIDS + (number - rules.min_number) * rules.strains + strain, value
            if hope.own < 10 * number:
                break
    return best


@kernel
def _recontra(rules: np.record, view: np.record) -> int:
    public = view.public
    hope = hopes(rules, view, public.strain)
    plain = contract_value(rules, public, view.seat, hope, 1)
    raised = contract_value(rules, public, view.seat, hope, 2)
    return RECONTRA if raised > plain + RECONTRA_MARGIN else PASS


@kernel
def hopes(rules: np.record, view: np.record, strain: int) -> Hopes:
    """Return what this hand and the calls so far promise when `strain` is played."""
    public = view.public
    me = view.seat
    cards = card_points(strain, view.hand)
    own, other = extra_points(rules, strain, view.hand)
    for seat in range(4):
        if seat != me and public.highest[seat, strain]:
            cards += PARTNER_NAMED if seat % 2 == me % 2 else -OPPONENT_NAMED
    cards = min(max(cards, 5.0), 157.0)
    return Hopes(cards + own, 162.0 - cards + other, NT_SPREAD if strain == NT else SPREAD)


@kernel
def contract_value(rules: np.record, public: np.record, me: int, hope: Hopes, level: int) -> float:
    """Return the match points that the standing bid is likely to bring when it is played at a level of contra."""
    if public.bidder % 2 == me % 2:
        return bid_value(rules, public, me, hope, public.strain, public.number, level)
    theirs = Hopes(hope.other, hope.own, hope.spread)
    return -bid_value(rules, public, public.bidder, theirs, public.strain, public.number, level)


@kernel
def bid_value(
    rules: np.record, public: np.record, seat: int, hope: Hopes, strain: int, number: int, level: int
) -> float:
    """Return the match points, own minus others', that a seat's bid is likely to bring its side."""
    z = (hope.own - 10.0 * number) / hope.spread
    step = int(min(max(20.0 * z + 80.0, 0.0), 160.0))
    chance = _CHANCE[step]
    whole = hope.own + hope.other
    taken = min(10.0 * number + hope.spread * _MEAN_ABOVE[step], whole)
    bonus = rules.multiplier[strain, level] * number
    all_points = rounded(rules, int(whole))
    if level:
        made = _gain(public, seat % 2, all_points + bonus, 0)
    else:
        made = _gain(public, seat % 2, rounded(rules, int(taken)) + bonus, rounded(rules, int(whole - taken)))
    failed = _gain(public, seat % 2, 0, all_points + bonus)
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

"""What to call in a numbered auction. Every call is judged by the match points that it is likely to bring (`stakes`),
as if it were the last one."""

import numpy as np

from agents.compile import kernel
from agents.rule_based.evaluate import stops_capot, takes_all
from agents.rule_based.outlook import Outlook, outlook
from agents.rule_based.stakes import bid_value, standing_value
from blot_env.actions import CONTRA, PASS, RECONTRA
from blot_env.auction import bid_action, legal_bids, marked_bid
from blot_env.bits import popcount
from blot_env.combinations import combination_points
from blot_env.rules_record import CAPOT_CALL, CAPOT_FROM, CAPOT_MARK
from blot_env.seats import seat_after
from blot_env.state import LAST_WORD, OPEN, RECONTRA_ASKED

CONTRA_MARGIN, RECONTRA_MARGIN = 1.0, 15.0  # how many match points better than a pass they must look
CONTRA_RISK = 0.5  # how often a bid that fails will have been contra'd
CONTRA_TELLS = 15.0  # points less that the bidders may expect once they are


@kernel
def choose_call(rules: np.record, values: np.record, view: np.record) -> int:
    """Return the call of the seat to act."""
    public = view.public
    if public.asking == RECONTRA_ASKED:
        return RECONTRA if _may_recontra(rules, values, view) else PASS
    if public.capot:
        return CONTRA if _may_contra_capot(rules, view) else PASS
    first, stop, capot = legal_bids(rules, public)
    sure = _sure_capot(rules, values, view)
    if first <= sure < stop or sure >= capot:
        return sure
    call, value = _pass_or_contra(rules, values, view)
    return _bid_or(rules, values, view, call, value) if first < stop else call


@kernel
def _pass_or_contra(rules: np.record, values: np.record, view: np.record) -> tuple[int, float]:
    """Return the better one of pass and contra, and what it is worth."""
    public, me = view.public, view.seat
    if not public.number:
        return PASS, 0.0
    hope = outlook(rules, values, view, public.strain, view.hand)
    passed = standing_value(rules, values, public, me, hope, 0)
    theirs = rules.side[public.bidder] != rules.side[me]
    if theirs and rules.contra and public.asking == OPEN and hope.other < 10.0 * public.number:
        contra = standing_value(rules, values, public, me, hope, 1)
        if contra > passed + CONTRA_MARGIN * values.tenth:
            return CONTRA, contra
    return PASS, passed


@kernel
def _bid_or(rules: np.record, values: np.record, view: np.record, call: int, value: float) -> int:
    """Return the best bid that is better than a call of some value, or else that call."""
    public = view.public
    lowest = max(public.number + 1, rules.min_number)
    most = rules.max_number if rules.jump_bids else lowest
    if rules.capot == CAPOT_FROM:
        most = min(most, rules.capot_min - 1)
    for strain in range(rules.strains):
        hope = outlook(rules, values, view, strain, view.hand)
        number = lowest
        while number <= most:
            worth = bid_value(rules, values, public, view.seat, hope, strain, number, 0, CONTRA_RISK)
            worth -= values.bid_margin
            if number > lowest and public.asking != LAST_WORD:
                worth -= values.jump_margin
            if worth > value:
                call, value = bid_action(rules, number, strain), worth
            if hope.own < 10.0 * number:
                break
            number += 1
    return call


@kernel
def _may_recontra(rules: np.record, values: np.record, view: np.record) -> bool:
    public = view.public
    hope = outlook(rules, values, view, public.strain, view.hand)
    sobered = Outlook(hope.own - CONTRA_TELLS, hope.other + CONTRA_TELLS, hope.spread)
    plain = standing_value(rules, values, public, view.seat, sobered, 1)
    return standing_value(rules, values, public, view.seat, sobered, 2) > plain + RECONTRA_MARGIN * values.tenth


@kernel
def _may_contra_capot(rules: np.record, view: np.record) -> bool:
    """A capot that is contra'd and made may win the match, so contra it with a card that stops it, and only then."""
    public = view.public
    theirs = rules.side[public.bidder] != rules.side[view.seat]
    return bool(theirs and rules.contra and stops_capot(public.strain, view.hand, _leads(rules, view)))


@kernel
def _sure_capot(rules: np.record, values: np.record, view: np.record) -> int:
    """Return the capot bid of a hand that takes all tricks, -1 for none; it may be illegal.

    A number that adds to the points is worth more plain than a capot that counts less than the hand is sure of.
    """
    if popcount(view.hand) < rules.hand_size:
        return -1
    lowest = max(rules.capot_min, view.public.number + 1)
    for strain in range(rules.strains):
        if takes_all(strain, view.hand, _leads(rules, view)):
            sure = _sure_points(rules, values, strain, view.hand) // 10
            if sure < lowest and rules.capot_needs_points:
                continue
            if rules.capot == CAPOT_CALL and (sure < lowest or not rules.adds_bid):
                return int(rules.capots + strain)
            if rules.capot == CAPOT_FROM and lowest <= rules.max_number:
                return bid_action(rules, lowest, strain)
            if rules.capot == CAPOT_MARK and lowest <= rules.max_number:
                number = min(max(sure, lowest), rules.max_number)
                return marked_bid(rules, number, strain)
    return -1


@kernel
def _sure_points(rules: np.record, values: np.record, strain: int, hand: int) -> int:
    """Return the points that count for the contract of a hand that takes all tricks."""
    cards = int(rules.all_tricks_set or values.deck[strain])
    bonus = rules.all_tricks if rules.all_tricks_counts else 0
    return cards + bonus + combination_points(rules, strain, hand)


@kernel
def _leads(rules: np.record, view: np.record) -> bool:
    """Return whether the seat is eldest and leads to the first trick."""
    return bool(view.seat == seat_after(rules.players, view.public.dealer))

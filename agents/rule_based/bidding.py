"""What to call in a numbered auction. Every call is judged by the match points that it is likely to bring (`stakes`),
as if it were the last one."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.evaluate import stops_capot, takes_all
from agents.rule_based.options import add
from agents.rule_based.outlook import OWN, Counsel, Outlook, foreseen, whose_bid
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
def call_options(
    rules: np.record, values: np.record, view: np.record, options: NDArray, counsel: Counsel | None
) -> int:
    """Write the calls that the seat to act considers; return how many they are."""
    public = view.public
    if public.asking == RECONTRA_ASKED:
        return _recontra_options(rules, values, view, options, counsel)
    if public.capot:
        return add(options, 0, CONTRA if _may_contra_capot(rules, view) else PASS, 0.0)
    first, stop, capot = legal_bids(rules, public)
    sure = _sure_capot(rules, values, view)
    if first <= sure < stop or sure >= capot:
        return add(options, 0, sure, 0.0)
    count = _word_options(rules, values, view, options, counsel)
    return _bid_options(rules, values, view, options, count, counsel) if first < stop else count


@kernel
def _word_options(
    rules: np.record, values: np.record, view: np.record, options: NDArray, counsel: Counsel | None
) -> int:
    """Write pass, and contra where the bid is expected to fail."""
    public, me = view.public, view.seat
    if not public.number:
        return add(options, 0, PASS, 0.0)
    hope = foreseen(rules, values, view, counsel, public.strain, view.hand, whose_bid(rules, view))
    passed = standing_value(rules, values, public, me, hope, 0, counsel)
    count = add(options, 0, PASS, passed)
    theirs = rules.side[public.bidder] != rules.side[me]
    if theirs and rules.contra and public.asking == OPEN and hope.other < 10.0 * public.number:
        contra = standing_value(rules, values, public, me, hope, 1, counsel)
        count = add(options, count, CONTRA, _beyond(contra, passed, CONTRA_MARGIN * values.tenth))
    return count


@kernel
def _recontra_options(
    rules: np.record, values: np.record, view: np.record, options: NDArray, counsel: Counsel | None
) -> int:
    public, me = view.public, view.seat
    hope = foreseen(rules, values, view, counsel, public.strain, view.hand, whose_bid(rules, view))
    sobered = Outlook(hope.own - CONTRA_TELLS, hope.other + CONTRA_TELLS, hope.spread)
    plain = standing_value(rules, values, public, me, sobered, 1, counsel)
    recontra = standing_value(rules, values, public, me, sobered, 2, counsel)
    count = add(options, 0, PASS, plain)
    return add(options, count, RECONTRA, _beyond(recontra, plain, RECONTRA_MARGIN * values.tenth))


@kernel
def _beyond(value: float, calm: float, margin: float) -> float:
    """Return what a bold call counts that must look better than a calm one by a margin: all of it once it does."""
    return value if value > calm + margin else min(value - margin, calm)


@kernel
def _bid_options(
    rules: np.record, values: np.record, view: np.record, options: NDArray, count: int, counsel: Counsel | None
) -> int:
    """Add in each strain the numbers up to the first one that its side does not expect to make."""
    public = view.public
    lowest = max(public.number + 1, rules.min_number)
    most = rules.max_number if rules.jump_bids else lowest
    if rules.capot == CAPOT_FROM:
        most = min(most, rules.capot_min - 1)
    for strain in range(rules.strains):
        hope = foreseen(rules, values, view, counsel, strain, view.hand, OWN)
        number = lowest
        while number <= most:
            worth = bid_value(rules, values, public, view.seat, hope, strain, number, 0, CONTRA_RISK, counsel, OWN)
            worth -= values.bid_margin
            if number > lowest and public.asking != LAST_WORD:
                worth -= values.jump_margin
            count = add(options, count, bid_action(rules, number, strain), worth)
            if hope.own < 10.0 * number:
                break
            number += 1
    return count


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

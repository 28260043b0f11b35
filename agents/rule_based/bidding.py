"""What to call. Every call is judged by the match points that it is likely to bring, as if it were the last one."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.evaluate import card_points, extra_points, stops_capot, takes_all
from blot_env.actions import BIDS, CONTRA, PASS, RECONTRA
from blot_env.cards import NT
from blot_env.combinations import combination_points
from blot_env.scoring import rounded
from blot_env.state import LAST_WORD, OPEN, RECONTRA_ASKED

SPREAD, NT_SPREAD = 30.0, 33.0  # standard deviation of a side's points around what hand and calls promise
SURER = 0.25  # by how much it falls for each point above the average
PARTNER_NAMED, PARTNER_NUMBER = (
    23.0,
    2.0,
)  # what a partner who named it adds, and by number
OPPONENT_NAMED, OPPONENT_NUMBER = 16.0, 3.0  # what an opponent who named it takes away
UNSUPPORTED = 7.0  # what the others may add when the standing bidder's partner has passed
NAMED_EXTRA = 6.0  # what combinations and blot bring beyond chance to the side that named the strain
DECK = 162.0  # card points of a deal
HIGH = 13  # a number that is seldom called on cards alone
FEW = 88.0  # card points of a side that does not hold the tricks
LEAST, MOST = 5.0, 150.0  # card points that nobody hopes to go beyond
WIN = 20.0  # match points that winning the match is worth beyond those still missing
BID_MARGIN = 4.5
JUMP_MARGIN = 1.0
CONTRA_MARGIN = 1.0
RECONTRA_MARGIN = 15.0
CONTRA_RISK = 0.5  # how often a contract that fails was contra'd, for a bid that is yet to be made
CONTRA_TELLS = 15.0  # points that a contra tells the bidders to expect less


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
    if public.capot:
        return _over_capot(rules, view)
    standing = 0.0
    if public.number:
        standing = contract_value(rules, public, me, hopes(rules, view, public.strain), 0)
    best, best_value = PASS, standing
    if public.number and public.asking == OPEN and rules.contra and public.bidder % 2 != me % 2:
        value = contract_value(rules, public, me, hopes(rules, view, public.strain), 1) - CONTRA_MARGIN
        if value > best_value:
            best, best_value = CONTRA, value
    return _best_bid(rules, view, best, best_value)


@kernel
def _over_capot(rules: np.record, view: np.record) -> int:
    """Contra the opponents' capot with a card that stops it."""
    public = view.public
    leads = view.seat == (public.dealer + 1) % 4
    if rules.contra and public.bidder % 2 != view.seat % 2 and stops_capot(public.strain, view.hand, leads):
        return CONTRA
    return PASS


@kernel
def _best_bid(rules: np.record, view: np.record, best: int, best_value: float) -> int:
    """Return the best bid if one is better than the best other call, else that call."""
    public = view.public
    lowest = max(public.number + 1, rules.min_number)
    leads = view.seat == (public.dealer + 1) % 4
    for strain in range(rules.strains):
        worth = rules.capot_min if public.number < rules.capot_min else public.number + 1
        if takes_all(strain, view.hand, leads) and DECK + combination_points(rules, strain, view.hand) < 10 * worth:
            return rules.capots + strain
    for strain in range(rules.strains):
        hope = hopes(rules, view, strain)
        for number in range(lowest, rules.max_number + 1):
            value = bid_value(rules, public, view.seat, hope, strain, number, 0, CONTRA_RISK) - BID_MARGIN
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
    hope = Hopes(hope.own - CONTRA_TELLS, hope.other + CONTRA_TELLS, hope.spread)
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
    partner = public.highest[(me + 2) % 4, strain]
    if partner:
        cards += PARTNER_NAMED + PARTNER_NUMBER * (min(partner, HIGH) - rules.min_number)
        own += NAMED_EXTRA
    opponent = max(public.highest[(me + 1) % 4, strain], public.highest[(me + 3) % 4, strain])
    if opponent:
        cards -= OPPONENT_NAMED + OPPONENT_NUMBER * (min(opponent, HIGH) - rules.min_number)
        if public.strain == strain and public.passed[(public.bidder + 2) % 4]:
            cards += UNSUPPORTED
        other += NAMED_EXTRA
    cards = min(max(cards, LEAST), MOST)
    own = believing(cards, own, partner)
    other = believing(DECK - cards, other, opponent)
    spread = (NT_SPREAD if strain == NT else SPREAD) - SURER * max(abs(cards - 81.0) - 15.0, 0.0)
    return Hopes(own, other, spread)


@kernel
def believing(cards: float, extra: float, number: int) -> float:
    """Return the points of a side that called a number, of which cards and extras are promised by what else is known.

    A high call is made on combinations, and believed; half so when the tricks are here and it is below what the cards
    of a deal hold.
    """
    called = 10.0 * number
    if number < HIGH or cards + extra >= called:
        return cards + extra
    return called if cards >= FEW or called > DECK else 0.5 * (cards + extra + called)


@kernel
def contract_value(rules: np.record, public: np.record, me: int, hope: Hopes, level: int) -> float:
    """Return the match points that the standing bid is likely to bring when it is played at a level of contra."""
    if public.bidder % 2 == me % 2:
        return bid_value(rules, public, me, hope, public.strain, public.number, level, 0.0)
    theirs = Hopes(hope.other, hope.own, hope.spread)
    return -bid_value(rules, public, public.bidder, theirs, public.strain, public.number, level, 0.0)


@kernel
def bid_value(
    rules: np.record, public: np.record, seat: int, hope: Hopes, strain: int, number: int, level: int, risk: float
) -> float:
    """Return the match points, own minus others', that a seat's bid is likely to bring its side.

    `risk` is how often a contra is yet to come when the contract fails.
    """
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
    failed = _gain(public, seat % 2, 0, all_points + bonus + int(risk * bonus))
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

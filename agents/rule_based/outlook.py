"""What a hand and the calls heard so far promise when a strain is played.

The numbers were fitted to some hundred thousand auctions of this player, broken off anywhere and played out.
"""

from typing import NamedTuple

import numpy as np

from agents.compile import kernel
from agents.rule_based.evaluate import DECK, card_points, extra_points
from blot_env.cards import NT

PARTNER_NAMED, PARTNER_NUMBER = 23.0, 2.0  # points more when the partner named the strain, and for each number above 8
OPPONENT_NAMED, OPPONENT_NUMBER = 16.0, 3.0  # points less when an opponent did
UNSUPPORTED = 7.0  # points more when the partner of the opponent who stands has passed
NAMED_EXTRA = 6.0  # further points for combinations and blot to the side that named the strain
HIGH = 13  # from here on a number is seldom called on cards alone
FEW = 88.0  # a side with fewer card points does not hold the tricks that such a call needs
LEAST, MOST = 5.0, 150.0  # card points beyond which nobody hopes

SPREAD, NT_SPREAD = 30.0, 33.0  # standard deviation of what comes around what was promised
SURE = 15.0  # from so many points off the average on it is less,
SURER = 0.25  # by so much a point


class Outlook(NamedTuple):
    """Raw points that a side and its opponents are likely to make, and the standard deviation of the first."""

    own: float
    other: float
    spread: float


@kernel
def outlook(rules: np.record, view: np.record, strain: int) -> Outlook:
    """Return what a seat may expect for its side when `strain` is played."""
    public, me = view.public, view.seat
    cards = card_points(strain, view.hand)
    own, other = extra_points(rules, strain, view.hand)
    partner = public.highest[(me + 2) % 4, strain]
    if partner:
        cards += PARTNER_NAMED + PARTNER_NUMBER * (min(partner, HIGH) - rules.min_number)
        own += NAMED_EXTRA
    opponent = max(public.highest[(me + 1) % 4, strain], public.highest[(me + 3) % 4, strain])
    if opponent:
        cards -= OPPONENT_NAMED + OPPONENT_NUMBER * (min(opponent, HIGH) - rules.min_number)
        other += NAMED_EXTRA
        if public.strain == strain and public.passed[(public.bidder + 2) % 4]:
            cards += UNSUPPORTED
    cards = min(max(cards, LEAST), MOST)
    spread = (NT_SPREAD if strain == NT else SPREAD) - SURER * max(abs(cards - DECK / 2) - SURE, 0.0)
    return Outlook(_believing(cards, own, partner), _believing(DECK - cards, other, opponent), spread)


@kernel
def turned(hope: Outlook) -> Outlook:
    """Return an outlook as the other side has it."""
    return Outlook(hope.other, hope.own, hope.spread)


@kernel
def _believing(cards: float, extra: float, number: int) -> float:
    """Return the points of a side, of which all but its highest call promises cards and extra points.

    A high call is made on combinations and believed; only half when it could be made on cards and these are not there.
    """
    called = 10.0 * number
    if number < HIGH or cards + extra >= called:
        return cards + extra
    return called if cards >= FEW or called > DECK else 0.5 * (cards + extra + called)

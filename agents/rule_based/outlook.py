"""What a hand and the calls heard so far promise when a strain is played.

The numbers were fitted to some hundred thousand auctions of this player, broken off anywhere and played out. A
`Counsel` takes their place where there is one: outlooks that were learnt elsewhere (`agents.contract_values`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.evaluate import card_points, extra_points
from blot_env.seats import seat_after

PARTNER_NAMED, PARTNER_NUMBER = 23.0, 2.0  # points more when the partner named the strain, and for each number above 8
OPPONENT_NAMED, OPPONENT_NUMBER = 16.0, 3.0  # points less when an opponent did
UNSUPPORTED = 7.0  # points more when the partner of the opponent who stands has passed
NAMED_EXTRA = 6.0  # further points for combinations and blot to the side that named the strain
HIGH = 13  # from here on a number is seldom called on cards alone
FEW = 7.0  # a side without so many card points above the average does not hold the tricks that such a call needs
LEAST, MOST = 5.0, 12.0  # card points of a side, and of the other one, below which nobody need fear to fall

SURE = 15.0  # from so many points off the average on the spread is less,
SURER = 0.25  # by so much a point


OWN, OTHERS = range(2)
"""Whose contract an outlook is on, as the seat that looks sees it."""


def promise_of(parts: int) -> np.dtype:
    """Return the dtype of a promise: what a contract brings, with the card points in so many equal parts."""
    return np.dtype(
        (
            np.record,
            [
                ("own", "f8"),  # raw points to be expected of who plays it
                ("other", "f8"),  # and of the others
                ("extra", "f8"),  # what of `own` is combinations and blot
                ("spread", "f8"),  # standard deviation of the card points
                ("deck", "f8"),  # card points of the deal
                ("reach", "f8", (parts + 1,)),  # chance of so many parts of them or more; of all tricks for the last
                ("taken", "f8", (parts + 1,)),  # card points taken then, times that chance
                ("none", "f8"),  # chance of no trick at all
            ],
        )
    )


class Counsel(NamedTuple):
    """What others than this player know of a decision in the auction."""

    promises: NDArray  # (strains, 2) by strain and whose contract it is, dtype `promise_of`
    odds: NDArray[np.float64]  # (2, n, n) as `agents.match_odds` has them; n is 0 where they are not known


class Outlook(NamedTuple):
    """Raw points that a side and its opponents are likely to make, and the standard deviation of the first."""

    own: float
    other: float
    spread: float


@kernel(forceinline=True)
def outlook(rules: np.record, values: np.record, view: np.record, strain: int, hand: int) -> Outlook:
    """Return what a seat may expect for its side when `strain` is played and it holds `hand`, as far as it is known."""
    public, me = view.public, view.seat
    cards = card_points(values, strain, hand)
    deck = values.deck[strain]
    own, other = extra_points(rules, values, strain, hand)
    partner, opponent = 0, 0
    for turn in range(1, rules.players):
        seat = seat_after(rules.players, me, turn)
        if rules.side[seat] == rules.side[me]:
            partner = public.highest[seat, strain]
        else:
            opponent = max(opponent, public.highest[seat, strain])
    if partner:
        cards += PARTNER_NAMED + PARTNER_NUMBER * (min(partner, HIGH) - rules.min_number)
        own += NAMED_EXTRA
    if opponent:
        cards -= OPPONENT_NAMED + OPPONENT_NUMBER * (min(opponent, HIGH) - rules.min_number)
        other += NAMED_EXTRA
        if public.strain == strain and public.passed[(public.bidder + 2) % 4]:
            cards += UNSUPPORTED
    cards = min(max(cards, LEAST), deck - MOST)
    spread = values.spread[strain] - SURER * max(abs(cards - deck / 2) - SURE, 0.0)
    return Outlook(_believing(deck, cards, own, partner), _believing(deck, deck - cards, other, opponent), spread)


@kernel(forceinline=True)
def foreseen(
    rules: np.record, values: np.record, view: np.record, counsel: Counsel | None, strain: int, hand: int, whose: int
) -> Outlook:
    """Return what a seat may expect for its side of a contract in a strain: its own outlook, if there is no counsel."""
    if counsel is None:
        return outlook(rules, values, view, strain, hand)
    promise = counsel.promises[strain, whose]
    hope = Outlook(promise.own, promise.other, promise.spread)
    return hope if whose == OWN else turned(hope)


@kernel
def whose_bid(rules: np.record, view: np.record) -> int:
    """Return whose contract the standing bid would be."""
    return OWN if rules.side[view.public.bidder] == rules.side[view.seat] else OTHERS


@kernel
def turned(hope: Outlook) -> Outlook:
    """Return an outlook as the other side has it."""
    return Outlook(hope.other, hope.own, hope.spread)


@kernel
def _believing(deck: float, cards: float, extra: float, number: int) -> float:
    """Return the points of a side, of which all but its highest call promises cards and extra points.

    A high call is made on combinations and believed; only half when it could be made on cards and these are not there.
    """
    called = 10.0 * number
    if number < HIGH or cards + extra >= called:
        return cards + extra
    return called if cards >= deck / 2 + FEW or called > deck else 0.5 * (cards + extra + called)

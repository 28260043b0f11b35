"""Worlds of a forgetful seat: the cards that are out for all it remembers, dealt anew.

The cards lie in places: what each other seat still holds, what it has played in forgotten tricks, and what is in no
hand. They are shuffled; then pairs of them are exchanged as long as a card lies where it cannot be, and for a while
longer, so that any lie is as likely as any other (a Metropolis walk over lies). Scores and the points in forgotten
tricks are made to add up.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.worlds.evidence import gather
from agents.search.worlds.imagine import _find_scorer as find_scorer
from agents.tiers.compile import kernel
from blot_env.bits import lowest, popcount
from blot_env.random import absorb, below
from blot_env.rules_record import STOCK_TO_NAMER
from blot_env.scoring import points_of
from blot_env.seats import union

NOBODY = -1
LIE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("places", "i8"),
                ("card", "i8", (32,)),  # by place
                ("seat", "i8", (32,)),  # of a place, or NOBODY
                ("held", "i8", (32,)),  # 1: the seat still holds it, 0: it has played it
                ("owner", "i8", (32,)),  # by card: the seat that is known to have had it, or NOBODY
            ],
            align=True,
        ),
    )
)
"""Where the cards lie that a seat does not see."""

EXCHANGES = 16
"""Exchanges tried for each place, once no card lies where it cannot be: chosen."""
MOST_EXCHANGES = 1 << 12
"""Exchanges tried in all. Should a card still lie where it cannot be, it stays there."""


@kernel
def deal_anew(
    rules: np.record,
    view: np.record,
    recalled: np.record,
    knowledge: np.record,
    seed: int,
    lie: np.record,
    worlds: NDArray,
) -> None:
    """Write worlds as a seat in the play takes them to be possible.

    Args:
        view: what it could know, dtype `VIEW`.
        recalled: what it remembers of that, dtype `RECALLED`.
        knowledge: dtype `KNOWLEDGE`, to work in.
        seed: the worlds follow from it and from what is remembered.
        lie: dtype `LIE`, to work in.
        worlds: dtype `STATE`, shape (n,), zeros; all is written but the order of the deck.
    """
    gather(rules, view, knowledge)
    for number in range(len(worlds)):
        world = worlds[number]
        world.public = view.public
        _lay_places(rules, recalled.seen, lie)
        _shuffle(recalled.seen.public, absorb(seed, number), lie)
        _take_up(rules, recalled.seen, lie, world)
        _share_points(rules, recalled, world)
        find_scorer(rules, world.public, knowledge, world)


@kernel
def _lay_places(rules: np.record, view: np.record, lie: np.record) -> None:
    """Lay out the places, and the unseen cards in their order."""
    public = view.public
    pool = rules.pack & ~(view.dealt | view.aside | public.out | union(public.played))
    lie.places = 0
    lie.owner[:] = NOBODY
    for seat in range(rules.players):
        if seat == view.seat:
            continue
        sure = (public.known[seat] | public.shown[seat]) & pool
        while sure:
            lie.owner[lowest(sure)] = seat
            sure &= sure - 1
        holds = rules.hand_size - public.trick_number - (1 if public.trick[seat] >= 0 else 0)
        for number in range(rules.hand_size - popcount(public.played[seat])):
            lie.seat[lie.places] = seat
            lie.held[lie.places] = 1 if number < holds else 0
            lie.places += 1
    place = 0
    while pool:
        lie.card[place] = lowest(pool)
        pool &= pool - 1
        place += 1
    while lie.places < place:
        lie.seat[lie.places] = NOBODY
        lie.held[lie.places] = 0
        lie.places += 1


@kernel
def _shuffle(public: np.record, key: int, lie: np.record) -> None:
    """Put the cards in a random order in which each lies where it can be."""
    for place in range(1, lie.places):
        _exchange(lie, place, below(key, place, place + 1))
    wrong, left = 0, EXCHANGES * lie.places
    for place in range(lie.places):
        wrong += _is_wrong(public, lie, place, place)
    counter = lie.places
    while counter < MOST_EXCHANGES and (wrong or left):
        one, two = below(key, counter, lie.places), below(key, counter + 1, lie.places)
        before = _is_wrong(public, lie, one, one) + _is_wrong(public, lie, two, two)
        after = _is_wrong(public, lie, one, two) + _is_wrong(public, lie, two, one)
        if one != two and after <= before:
            _exchange(lie, one, two)
            wrong += after - before
        counter += 2
        left -= 0 if wrong else 1


@kernel(forceinline=True)
def _is_wrong(public: np.record, lie: np.record, of: int, place: int) -> int:
    """Return 1 if the card of one place cannot lie in another, else 0."""
    card, seat = lie.card[of], lie.seat[place]
    if lie.owner[card] >= 0 and lie.owner[card] != seat:
        return 1
    return public.excluded[seat] >> card & 1 if lie.held[place] else 0


@kernel(forceinline=True)
def _exchange(lie: np.record, one: int, two: int) -> None:
    card = lie.card[one]
    lie.card[one] = lie.card[two]
    lie.card[two] = card


@kernel
def _take_up(rules: np.record, view: np.record, lie: np.record, world: np.record) -> None:
    """Write who holds, held and has played what, and what is put aside."""
    public = world.public
    for seat in range(4):
        world.hands[seat], world.down[seat] = 0, 0
        public.played[seat] = view.public.played[seat]
    world.hands[view.seat] = view.hand
    nowhere = 0
    for place in range(lie.places):
        card, seat = 1 << lie.card[place], lie.seat[place]
        if seat == NOBODY:
            nowhere |= card
        elif lie.held[place]:
            world.hands[seat] |= card
        else:
            public.played[seat] |= card
    for seat in range(4):
        world.dealt[seat] = world.hands[seat] | public.played[seat]
    hidden_namer = rules.stock == STOCK_TO_NAMER and public.bidder != view.seat
    world.aside = nowhere if hidden_namer else view.aside
    aside, place = world.aside, 0
    while aside:
        world.discards[place] = lowest(aside)
        aside &= aside - 1
        place += 1


@kernel
def _share_points(rules: np.record, recalled: np.record, world: np.record) -> None:
    """Share the points of the cards thought to lie in forgotten tricks as those in them were, and the tricks."""
    public = world.public
    points = 0
    for seat in range(rules.players):
        points += points_of(rules, public.strain, public.played[seat])
        if public.trick[seat] >= 0:
            points -= rules.points[public.strain, public.trick[seat]]
    weights = 0
    for side in range(rules.sides):
        public.card_points[side] -= recalled.points[side]
        points -= public.card_points[side]
        weights += recalled.points[side] + recalled.tricks[side]
    for side in range(rules.sides):
        weight = recalled.points[side] + recalled.tricks[side]
        if weight:
            share = points * weight // weights
            public.card_points[side] += share
            points -= share
            weights -= weight

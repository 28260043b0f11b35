"""Where the cards that a seat has not seen may be (see `knowledge`)."""

import numpy as np

from agents.search.worlds.compile import kernel
from agents.search.worlds.knowledge import NOWHERE
from blot_env.bits import popcount
from blot_env.state import DISCARD, HIDDEN
from blot_env.stock import may_swap, seven


@kernel
def find_boxes(rules: np.record, view: np.record, knowledge: np.record) -> None:
    """Find the boxes, their room, and which cards each may hold, once everybody has taken up all its cards."""
    public = view.public
    unseen = rules.pack & ~(view.dealt | view.aside | public.out)
    boxes = 0
    for seat in range(rules.players):
        if seat != view.seat:
            fixed = public.played[seat] | public.shown[seat] | public.known[seat]
            unseen &= ~fixed
            knowledge.seat[boxes] = seat
            knowledge.fixed[boxes] = fixed
            knowledge.room[boxes] = _hand_size(rules, public, seat) - popcount(fixed)
            boxes += 1
    spare = popcount(unseen)
    for box in range(boxes):
        knowledge.may[box] = unseen & ~public.excluded[knowledge.seat[box]]
        spare -= knowledge.room[box]
    if spare:
        knowledge.seat[boxes] = NOWHERE
        knowledge.fixed[boxes] = 0
        knowledge.room[boxes] = spare
        knowledge.may[boxes] = unseen
        boxes += 1
    knowledge.boxes = boxes
    knowledge.unseen = unseen


@kernel
def _hand_size(rules: np.record, public: np.record, seat: int) -> int:
    """Return how many cards a seat has or has played: a namer that is discarding has more than it will play."""
    if public.phase != DISCARD or seat != public.bidder:
        return int(rules.hand_size)
    discarded = 0
    for place in range(public.length):
        discarded += public.history[place] == HIDDEN
    return int(rules.hand_size + rules.pack_size - rules.players * rules.dealt - discarded)


@kernel
def unseen_seven(rules: np.record, public: np.record, unseen: int) -> int:
    """Return the seven that nobody was asked to swap, which nobody saw in the auction; -1 if there is none unseen."""
    if may_swap(rules, public) and unseen >> seven(public) & 1:
        return seven(public)
    return -1


@kernel
def seven_weight(rules: np.record, seat: int) -> int:
    """Return in how many of its holder's places, of `rules.dealt`, a seven can lie that nobody saw in the auction."""
    return int(rules.dealt if seat == NOWHERE else rules.dealt - rules.visible)


@kernel
def nobody_held_a_suit(rules: np.record, public: np.record) -> bool:
    """Return whether it is known that nobody held a whole suit as play began: it would have won the match."""
    return bool(rules.belot and public.phase != DISCARD)

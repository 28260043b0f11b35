"""Which cards the others may hold, as far as one seat can tell, and whether there is a deal that agrees with it.

The seat is given by `own`, the cards that it held as play began and those that it has discarded.
"""

import numpy as np

from blot_env.bits import popcount
from blot_env.compile import kernel
from blot_env.observing import could_hold
from blot_env.seats import union


@kernel
def unseen(rules: np.record, public: np.record, own: int) -> int:
    """Return the cards that another seat may hold now, or that lie where nobody sees them."""
    return int(rules.pack & ~(own | union(public.played) | public.out))


@kernel
def may_hold(rules: np.record, public: np.record, own: int, seat: int) -> int:
    """Return the cards that another seat may hold now."""
    return int(could_hold(public, unseen(rules, public, own), seat))


@kernel
def without_room(rules: np.record, public: np.record, own: int, seat: int) -> tuple[int, int]:
    """Return unseen cards for which there is no room, and the only places where they may be; none (0) if all can be.

    Places are bits: the other seats, and bit `players` for where nobody sees a card. By Hall's theorem the cards can be
    dealt if no group of places is the only one for more cards than it has room for.
    """
    cards = unseen(rules, public, own)
    nowhere = rules.players
    spare = popcount(cards)
    for other in range(rules.players):
        spare -= 0 if other == seat else _room(rules, public, other)
    for group in range(1, 2 << rules.players):
        if group >> seat & 1:
            continue
        room = spare if group >> nowhere & 1 else 0
        elsewhere = 0 if group >> nowhere & 1 else cards & ~(union(public.known) | union(public.shown))
        for other in range(rules.players):
            if group >> other & 1:
                room += _room(rules, public, other)
            elif other != seat:
                elsewhere |= could_hold(public, cards, other)
        only = cards & ~elsewhere
        if popcount(only) > room:
            return int(only), group
    return 0, 0


@kernel
def _room(rules: np.record, public: np.record, seat: int) -> int:
    """Return how many cards a seat holds in the play."""
    return rules.hand_size - popcount(public.played[seat])

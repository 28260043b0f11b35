"""Announcing and showing combinations (rules, sections 3 and 6)."""

import numpy as np
from numpy.typing import NDArray

from blot_env.actions import ANNOUNCE, SHOW
from blot_env.combinations import (
    SPOKEN,
    announcement,
    best_announcement,
    best_combination,
    best_seat,
    combination_cards,
    combination_points,
)
from blot_env.compile import kernel
from blot_env.seats import allied, seat_after, union
from blot_env.state import ANNOUNCING, PLAY, SHOWING


@kernel
def ask(rules: np.record, state: np.record) -> None:
    """Where players choose: ask the seat about to play whether to announce or to show."""
    public = state.public
    seat = public.seat
    if public.phase != PLAY:
        return
    if public.trick_number == 0 and not public.announced[seat]:
        if rules.bluff or best_combination(rules, public.strain, state.dealt[seat]):
            public.phase = ANNOUNCING
    elif state.claimant == seat:
        public.phase = SHOWING


@kernel
def speak(rules: np.record, state: np.record) -> None:
    """Announce with the first card of the seat to act what it has to, or that it is silent."""
    public = state.public
    seat = public.seat
    if rules.by_choice:
        public.announced[seat] |= SPOKEN
    else:
        public.announced[seat] = announcement(rules, public.strain, state.dealt[seat])


@kernel
def answer(rules: np.record, state: np.record, action: int) -> None:
    """Apply what the seat asked to announce or to show has chosen."""
    public = state.public
    seat = public.seat
    if public.phase == ANNOUNCING:
        public.announced[seat] = SPOKEN
        if action == ANNOUNCE:
            public.announced[seat] = best_announcement(rules, public.strain, state.dealt[seat])
    elif action == SHOW:
        show(rules, public, seat, state.dealt[seat])
        state.scorer = seat
        state.claimant = _claimant(rules, state)
    else:
        public.withheld |= 1 << seat
        state.claimant = _claimant(rules, state)
    public.phase = PLAY


@kernel
def show(rules: np.record, public: np.record, seat: int, cards: int) -> None:
    """Lay open the combinations among the cards of a seat and award them to its side."""
    public.shown[seat] = combination_cards(rules, public.strain, cards)
    public.combinations[rules.side[seat]] += combination_points(rules, public.strain, cards)


@kernel
def after_first_trick(rules: np.record, state: np.record) -> None:
    """Show the combinations that score, or, where players choose, find the claimant."""
    public = state.public
    if rules.by_choice:
        state.claimant = _claimant(rules, state)
        return
    if union(public.announced) == SPOKEN and not rules.blot_compared:
        return
    eldest = seat_after(rules.players, public.dealer)
    best = best_seat(rules, eldest, public.strain, state.dealt)
    state.scorer = best
    if best >= 0:
        for seat in range(rules.players):
            if allied(rules, public, best, seat):
                show(rules, public, seat, state.dealt[seat])


@kernel
def _claimant(rules: np.record, state: np.record) -> int:
    """Return who of those that may be asked to show next announced the best combination, -1 if nobody is left."""
    return best_of(rules, state.public, claimants(rules, state.public), state.dealt)


@kernel
def best_of(rules: np.record, public: np.record, seats: int, dealt: NDArray[np.int64]) -> int:
    """Return which of some seats (bits), who all announced, holds the best combination, -1 if they are none.

    Args:
        dealt: sets of cards by seat as play began, shape (4,).
    """
    eldest = seat_after(rules.players, public.dealer)
    best, holder = -1, -1
    for turn in range(rules.players):
        seat = seat_after(rules.players, eldest, turn)
        if seats >> seat & 1:
            worth = best_combination(rules, public.strain, dealt[seat])
            if worth > best:
                best, holder = worth, seat
    return holder


@kernel
def claimants(rules: np.record, public: np.record) -> int:
    """Return the seats (bits) of which one is asked to show next: the first trick is complete, or a seat has answered.

    Of a side that has shown, the others; otherwise those of the side that did not answer, or else those of the same.
    """
    left = 0
    for seat in range(rules.players):
        asked = public.withheld >> seat & 1 or public.shown[seat]
        too_late = public.trick[seat] >= 0 and not rules.late_claims
        if public.announced[seat] & ~SPOKEN and not asked and not too_late:
            left |= 1 << seat
    shown = union(public.shown)
    if not shown and not public.withheld:
        return left
    own = left & _allies(rules, public, public.seat)
    return own if shown or own == left else left & ~own


@kernel
def _allies(rules: np.record, public: np.record, seat: int) -> int:
    """Return the seats (bits) whose combinations score together with a seat's."""
    seats = 0
    for other in range(rules.players):
        if allied(rules, public, seat, other):
            seats |= 1 << other
    return seats

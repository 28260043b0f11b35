"""One step of a deal, whatever its phase: what is legal, and what an action does.

The legal set of every moment is `(bits, first)`: bits of the actions below 42, and the lowest legal bid, above which
every bid is legal (`rules.actions` where none is).
"""

import numpy as np
from numpy.typing import NDArray

from blot_env.actions import BIDS
from blot_env.auction import call, first_bid, legal_words
from blot_env.bits import nth, popcount
from blot_env.combinations import SPOKEN, announcement, combination_cards, combination_points, scoring_side
from blot_env.compile import kernel
from blot_env.dealing import lay_out, shuffle
from blot_env.playing import legal_cards, play_card
from blot_env.scoring import score
from blot_env.seats import seat_after, union
from blot_env.state import AUCTION, OVER, PLAY


@kernel(forceinline=True)
def legal(rules: np.record, public: np.record, hand: int) -> tuple[int, int]:
    """Return the legal set of the seat to act, which holds `hand`; empty when the deal is over."""
    if public.phase == PLAY:
        return legal_cards(rules, public, hand), int(rules.actions)
    if public.phase == AUCTION:
        return legal_words(rules, public), first_bid(rules, public)
    return 0, int(rules.actions)


@kernel
def is_legal(rules: np.record, bits: int, first: int, action: int) -> bool:
    """Return whether an action is in a legal set."""
    if action < 0 or action >= rules.actions:
        return False
    return bool(action >= first) if action >= BIDS else bool(bits >> action & 1)


@kernel
def legal_count(rules: np.record, bits: int, first: int) -> int:
    """Return how many actions are in a legal set."""
    return popcount(bits) + rules.actions - first


@kernel
def nth_legal(bits: int, first: int, n: int) -> int:
    """Return the action of a legal set with `n` legal actions below it."""
    below_bids = popcount(bits)
    return nth(bits, n) if n < below_bids else first + n - below_bids


@kernel(forceinline=True)
def apply(rules: np.record, state: np.record, action: int) -> None:
    """Apply a legal action by the seat whose turn it is; score the deal when that ends it."""
    public = state.public
    seat = public.seat
    if public.phase == AUCTION:
        remember(public, action)
        call(rules, public, action)
    else:
        if public.trick_number == 0:
            public.announced[seat] = announcement(rules, public.strain, state.dealt[seat])
        state.hands[seat] &= ~(1 << action)
        open_card(rules, public, action)
        if public.trick_number == 1 and public.trick_size == 0:
            show_combinations(rules, public, state.dealt)
    if public.phase == OVER:
        finish(rules, state)


@kernel(forceinline=True)
def open_card(rules: np.record, public: np.record, card: int) -> None:
    """Play a card and write it in the history: all that a card changes on the table but the combinations."""
    remember(public, card)
    play_card(rules, public, card)


@kernel(forceinline=True)
def remember(public: np.record, action: int) -> None:
    """Write an action of the seat to act in the history."""
    public.history[public.length] = action
    public.actors[public.length] = public.seat
    public.length += 1


@kernel
def show_combinations(rules: np.record, public: np.record, dealt: NDArray[np.int64]) -> None:
    """Award the combinations when the first trick is complete; the cards of the side that scores are shown.

    Args:
        dealt: sets of cards by seat as play began, shape (4,).
    """
    if union(public.announced) == SPOKEN:
        return
    eldest = seat_after(rules.players, public.dealer)
    side = scoring_side(rules, eldest, public.strain, dealt)
    for seat in range(rules.players):
        if rules.side[seat] == side:
            public.shown[seat] = combination_cards(rules, public.strain, dealt[seat])
            public.combinations[side] += combination_points(rules, public.strain, dealt[seat])


@kernel
def finish(rules: np.record, state: np.record) -> None:
    """Score a deal that is over and add its points to the match."""
    public = state.public
    score(rules, public, state.result)
    for side in range(rules.sides):
        public.scores[side] += state.result.points[side]


@kernel
def next_deal(rules: np.record, state: np.record) -> None:
    """Deal the next board of a match whose last deal is over; a board that nobody bid on is dealt again."""
    public = state.public
    redealt = state.result.contract < 0
    if not redealt or not rules.redeal_same:
        public.dealer = seat_after(rules.players, public.dealer)
    if redealt:
        state.redeal += 1
    else:
        state.deal += 1
        state.redeal = 0
    shuffle(state)
    lay_out(rules, state)

"""One step of a deal, whatever its phase: what is legal, and what an action does.

The legal set of every moment is `(bits, first, stop, capot)`: bits of the actions below 42, and the legal bids as
`blot_env.auction.legal_bids` has them (all three `rules.actions` where there are none).
"""

import numpy as np

from blot_env.actions import ANNOUNCE, BIDS, NAME, PASS, SHOW, SWAP
from blot_env.auction import begin_play, call, legal_bids, legal_words, no_bids
from blot_env.bits import nth, popcount
from blot_env.claims import after_first_trick, answer, ask, speak
from blot_env.combinations import best_combination
from blot_env.compile import kernel
from blot_env.dealing import lay_out, shuffle
from blot_env.playing import legal_cards, play_card
from blot_env.rules_record import NUMBERED
from blot_env.scoring import score
from blot_env.seats import seat_after
from blot_env.state import ANNOUNCING, AUCTION, DISCARD, HIDDEN, OVER, PLAY, SHOWING
from blot_env.state import SWAP as SWAPPING
from blot_env.stock import after_auction, answer_swap, discard, take_up


@kernel(forceinline=True)
def legal(rules: np.record, public: np.record, hand: int, dealt: int) -> tuple[int, int, int, int]:
    """Return the legal set of the seat to act; empty when the deal is over.

    Args:
        hand: the cards that the seat holds.
        dealt: those it held as play began.
    """
    if public.phase == PLAY:
        bits, (first, stop, capot) = legal_cards(rules, public, hand), no_bids(rules)
    elif public.phase == AUCTION:
        bits, (first, stop, capot) = legal_words(rules, public), legal_bids(rules, public)
    else:
        bits, (first, stop, capot) = legal_answers(rules, public, hand, dealt), no_bids(rules)
    return bits, first, stop, capot


@kernel
def legal_answers(rules: np.record, public: np.record, hand: int, dealt: int) -> int:
    """Return what the seat that is asked to swap, discard, announce or show may do, as bits of actions."""
    if public.phase == SWAPPING:
        return 1 << PASS | 1 << SWAP
    if public.phase == DISCARD:
        return hand
    if public.phase == ANNOUNCING:
        return 1 << PASS | 1 << ANNOUNCE
    if public.phase == SHOWING:
        bluffed = best_combination(rules, public.strain, dealt) == 0
        return 1 << PASS if bluffed else 1 << PASS | 1 << SHOW
    return 0


@kernel
def is_legal(rules: np.record, bits: int, first: int, stop: int, capot: int, action: int) -> bool:
    """Return whether an action is in a legal set."""
    if action < 0 or action >= rules.actions:
        return False
    return bool(first <= action < stop or action >= capot) if action >= BIDS else bool(bits >> action & 1)


@kernel
def legal_count(rules: np.record, bits: int, first: int, stop: int, capot: int) -> int:
    """Return how many actions are in a legal set."""
    return popcount(bits) + stop - first + rules.actions - capot


@kernel
def nth_legal(bits: int, first: int, stop: int, capot: int, n: int) -> int:
    """Return the action of a legal set with `n` legal actions below it."""
    bid = n - popcount(bits)
    if bid < 0:
        return nth(bits, n)
    return first + bid if first + bid < stop else capot + bid - (stop - first)


@kernel(forceinline=True)
def apply(rules: np.record, state: np.record, action: int) -> None:
    """Apply a legal action by the seat whose turn it is; score the deal when that ends it."""
    public = state.public
    if public.phase == PLAY:
        if public.trick_number == 0:
            speak(rules, state)
        state.hands[public.seat] &= ~(1 << action)
        open_card(rules, public, action)
        if public.trick_number == 1 and public.trick_size == 0:
            after_first_trick(rules, state)
    else:
        _apply_word(rules, state, action)
    if rules.by_choice:
        ask(rules, state)
    if public.phase == OVER:
        finish(rules, state)


@kernel
def _apply_word(rules: np.record, state: np.record, action: int) -> None:
    """Apply an action that plays no card."""
    public = state.public
    phase, seat = public.phase, public.seat
    remember(public, HIDDEN if phase == DISCARD else action)
    if phase == AUCTION:
        call(rules, public, action)
        if public.phase == PLAY and rules.prepares:
            after_auction(rules, state)
    elif phase == SWAPPING:
        state.hands[seat] = answer_swap(rules, public, state.hands[seat], action)
        begin_play(rules, public)
        take_up(rules, state)
    elif phase == DISCARD:
        discard(rules, state, action)
    else:
        answer(rules, state, action)


@kernel
def let_stand(rules: np.record, public: np.record, seat: int, strain: int) -> None:
    """End the auction with a seat's lowest bid in a strain, or with the suit that it names."""
    public.seat = seat
    call(rules, public, strain + (BIDS if rules.auction == NUMBERED else NAME))
    begin_play(rules, public)


@kernel
def force_contract(rules: np.record, state: np.record, seat: int, strain: int) -> None:
    """Let a seat's lowest bid in a strain stand, or let it name the suit, and go on after the auction."""
    let_stand(rules, state.public, seat, strain)
    if rules.prepares:
        after_auction(rules, state)
    if rules.by_choice:
        ask(rules, state)


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
def finish(rules: np.record, state: np.record) -> None:
    """Score a deal that is over and add its points to the match."""
    score(rules, state)
    for side in range(rules.sides):
        state.public.scores[side] += state.result.points[side]


@kernel
def next_deal(rules: np.record, state: np.record) -> None:
    """Deal the next board of a match whose last deal is over; a board that nobody bid on is dealt again."""
    public = state.public
    redealt = state.result.bidder < 0
    if not redealt or not rules.redeal_same:
        public.dealer = seat_after(rules.players, public.dealer)
    if redealt:
        state.redeal += 1
    else:
        state.deal += 1
        state.redeal = 0
    shuffle(rules, state)
    lay_out(rules, state)

"""Between auction and play: swapping the seven, taking up hidden cards, discarding (rules, sections 7 and 8)."""

import numpy as np

from blot_env.actions import SWAP
from blot_env.auction import begin_play
from blot_env.bits import popcount
from blot_env.cards import SUIT
from blot_env.compile import kernel
from blot_env.dealing import cards_between
from blot_env.rules_record import STOCK_DRAWN, STOCK_TO_NAMER
from blot_env.seats import seat_after
from blot_env.state import DISCARD, OVER, PLAY
from blot_env.state import SWAP as SWAPPING


@kernel
def after_auction(rules: np.record, state: np.record) -> None:
    """Ask who sees the seven of the turned suit whether to swap it, or else go on."""
    public = state.public
    if may_swap(rules, public):
        for seat in range(rules.players):
            if state.hands[seat] >> seven(public) & 1:
                ask_swap(rules, public, seat)
                return
    take_up(rules, state)


@kernel
def may_swap(rules: np.record, public: np.record) -> bool:
    """Return whether the seven of trump may be swapped by who sees it."""
    return bool(rules.swap_seven and public.turned >> 3 == public.strain)


@kernel
def seven(public: np.record) -> int:
    """Return the seven of the turned suit."""
    return int(public.turned & 24)


@kernel
def ask_swap(rules: np.record, public: np.record, seat: int) -> None:
    """Ask a seat, which so shows that it holds the seven, whether to swap it."""
    public.phase = SWAPPING
    public.seat = seat
    make_known(rules, public, seat, 1 << seven(public))


@kernel
def make_known(rules: np.record, public: np.record, seat: int, cards: int) -> None:
    """Let everyone know that a seat holds some cards."""
    public.known[seat] |= cards
    public.out &= ~cards
    for turn in range(1, rules.players):
        public.excluded[seat_after(rules.players, seat, turn)] |= cards


@kernel
def answer_swap(rules: np.record, public: np.record, hand: int, action: int) -> int:
    """Apply the answer of the seat asked to swap, which holds `hand`; return its new hand."""
    if action != SWAP:
        return hand
    seat, given = public.seat, 1 << seven(public)
    public.known[seat] &= ~given
    make_known(rules, public, seat, 1 << public.turned)
    public.out |= given
    return hand & ~given | 1 << public.turned


@kernel
def take_up(rules: np.record, state: np.record) -> None:
    """Let all take up what lies face down and draw from the stock; the namer who took it all up discards."""
    public = state.public
    namer = public.bidder
    place = rules.players * rules.dealt
    for turn in range(rules.players):
        seat = seat_after(rules.players, namer, turn)
        state.hands[seat] |= state.down[seat]
        state.down[seat] = 0
        if rules.stock == STOCK_DRAWN:
            drawn = rules.hand_size - rules.dealt
            state.hands[seat] |= cards_between(state, place, place + drawn)
            place += drawn
    if rules.stock == STOCK_TO_NAMER:
        state.hands[namer] |= cards_between(state, place, rules.pack_size)
    see_taken(rules, public)
    for seat in range(rules.players):
        state.dealt[seat] = state.hands[seat]
    if public.phase == PLAY:
        look_for_belot(rules, state)


@kernel
def see_taken(rules: np.record, public: np.record) -> None:
    """Let everyone see who takes up the turned card, and let a namer who took up the stock discard."""
    if rules.stock == STOCK_DRAWN and public.turned >= 0:
        make_known(rules, public, public.bidder, 1 << public.turned)
    if rules.stock == STOCK_TO_NAMER:
        public.phase = DISCARD
        public.seat = public.bidder


@kernel
def discard(rules: np.record, state: np.record, card: int) -> None:
    """Put a card of the namer aside; after the last one the play begins."""
    public = state.public
    seat = public.seat
    state.discards[popcount(state.aside)] = card
    state.aside |= 1 << card
    state.hands[seat] &= ~(1 << card)
    state.dealt[seat] = state.hands[seat]
    if popcount(state.hands[seat]) == rules.hand_size:
        begin_play(rules, public)
        look_for_belot(rules, state)


@kernel
def look_for_belot(rules: np.record, state: np.record) -> None:
    """End the match if a hand holds a whole suit."""
    public = state.public
    if rules.belot:
        for turn in range(rules.players):
            seat = seat_after(rules.players, public.leader, turn)
            if public.belot < 0 and holds_suit(rules, state.hands[seat]):
                public.belot = seat
                public.phase = OVER


@kernel
def holds_suit(rules: np.record, hand: int) -> bool:
    """Return whether a hand holds all cards of a suit."""
    suits = 0
    for suit in range(4):
        if hand >> 8 * suit & SUIT == rules.pack >> 8 * suit & SUIT:
            suits += 1
    return suits > 0


@kernel
def undealt(rules: np.record, state: np.record) -> int:
    """Return the set of the stock's cards that nobody took."""
    everyone = 0
    for seat in range(rules.players):
        everyone |= state.dealt[seat]
    return int(rules.pack & ~everyone & ~state.aside)

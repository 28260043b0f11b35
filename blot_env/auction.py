"""The numbered auction (rules, section 4): what may be called, and what a call does to the table."""

import numpy as np

from blot_env.actions import BIDS, CONTRA, PASS, RECONTRA
from blot_env.compile import kernel
from blot_env.seats import seat_after
from blot_env.state import LAST_WORD, OPEN, OVER, PLAY, RECONTRA_ASKED
from blot_env.thermometers import CALLED_BITS


@kernel
def legal_words(rules: np.record, public: np.record) -> int:
    """Return pass, contra and recontra as far as they may be said, as bits of their actions."""
    words = 1 << PASS
    if public.asking == RECONTRA_ASKED:
        return words | 1 << RECONTRA
    opponents_bid = public.number and rules.side[public.bidder] != rules.side[public.seat]
    if public.asking == OPEN and rules.contra and opponents_bid:
        words |= 1 << CONTRA
    return words


@kernel
def first_bid(rules: np.record, public: np.record) -> int:
    """Return the lowest legal bid; every higher one is legal too. `rules.actions` when there is none.

    Bids are numbered by rising number with the capots last, over which only contra goes.
    """
    if public.asking == RECONTRA_ASKED or public.capot:
        return int(rules.actions)
    if not public.number:
        return BIDS
    return min(BIDS + (public.number + 1 - rules.min_number) * rules.strains, rules.capots)


@kernel
def call(rules: np.record, public: np.record, action: int) -> None:
    """Apply a legal call by the seat whose turn it is."""
    seat = public.seat
    if action == PASS:
        _pass(rules, public)
    elif action == CONTRA:
        public.contra = 1
        public.contra_by = seat
        if rules.recontra:
            public.asking = RECONTRA_ASKED
            public.seat = public.bidder
        else:
            begin_play(rules, public)
    elif action == RECONTRA:
        public.contra = 2
        public.recontra_by = seat
        begin_play(rules, public)
    else:
        _bid(rules, public, action)


@kernel
def _bid(rules: np.record, public: np.record, action: int) -> None:
    if action >= rules.capots:
        public.capot = 1
        strain = action - rules.capots
        number = max(rules.capot_min, public.number + 1)
    else:
        strain = (action - BIDS) % rules.strains
        number = rules.min_number + (action - BIDS) // rules.strains
    seat = public.seat
    public.strain, public.number, public.bidder = strain, number, seat
    public.highest[seat, strain] = number
    public.called[seat] |= CALLED_BITS[number] << 8 * strain
    if not public.numbers[seat]:
        public.numbers[seat] = number << 8 * rules.strains
    public.numbers[seat] = public.numbers[seat] & ~(255 << 8 * strain) | number << 8 * strain
    if not public.opening[seat]:
        public.opening[seat] = 2 << strain | public.capot << 7
    public.passes = 0
    public.asking = OPEN
    public.seat = seat_after(rules.players, seat)


@kernel
def _pass(rules: np.record, public: np.record) -> None:
    seat = public.seat
    if public.asking == LAST_WORD:
        begin_play(rules, public)
        return
    if public.asking == RECONTRA_ASKED:
        if seat == public.bidder and rules.recontra_by_side:
            public.seat = seat_after(rules.players, seat, 2)
        else:
            begin_play(rules, public)
        return
    public.passed[seat] += 1
    if not public.opening[seat]:
        public.opening[seat] = 1
    public.passes += 1
    public.seat = seat_after(rules.players, seat)
    if public.number == 0:
        if public.passes == rules.players:
            public.phase = OVER
    elif public.passes == rules.players - 1:
        if rules.last_word and not public.capot:
            public.asking = LAST_WORD
        else:
            begin_play(rules, public)


@kernel
def begin_play(rules: np.record, public: np.record) -> None:
    """End the auction: the standing bid is the contract, and eldest leads."""
    public.phase = PLAY
    public.asking = OPEN
    public.leader = seat_after(rules.players, public.dealer)
    public.seat = public.leader

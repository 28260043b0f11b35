"""The auctions (rules, sections 4, 7 and 8): what may be called, and what a call does to the table."""

import numpy as np

from blot_env.actions import BIDS, CONTRA, NAME, PASS, RECONTRA
from blot_env.compile import kernel
from blot_env.rules_record import CAPOT_CALL, CAPOT_FROM, CAPOT_MARK, ELDEST, NUMBERED, TURNED
from blot_env.seats import seat_after
from blot_env.state import LAST_WORD, OPEN, OVER, PLAY, RECONTRA_ASKED
from blot_env.thermometers import CALLED_BITS

SUITS = 15 << NAME  # naming any suit


@kernel
def legal_words(rules: np.record, public: np.record) -> int:
    """Return what may be said besides bids, as bits of the actions: pass, contra, recontra, naming a suit."""
    words = 1 << PASS
    if rules.auction != NUMBERED:
        return _legal_names(rules, public) | (0 if must_name(rules, public) else words)
    if public.asking == RECONTRA_ASKED:
        return words | 1 << RECONTRA
    opponents_bid = public.number and rules.side[public.bidder] != rules.side[public.seat]
    if public.asking == OPEN and rules.contra and opponents_bid:
        words |= 1 << CONTRA
    return words


@kernel
def _legal_names(rules: np.record, public: np.record) -> int:
    """Return the suits that may be named: of a turned card its own in the first round and the others in the second."""
    if rules.auction != TURNED:
        return SUITS
    own = 1 << NAME + (public.turned >> 3)
    return own if first_round(rules, public) else SUITS & ~own


@kernel
def first_round(rules: np.record, public: np.record) -> bool:
    """Return whether the suit of a turned card is still on offer."""
    return bool(rules.auction == TURNED and public.passes < rules.players)


@kernel
def most_passes(rules: np.record) -> int:
    """Return after how many passes, while nobody has bid or named a suit, the auction is over."""
    return int(2 * rules.players if rules.auction == TURNED else rules.players)


@kernel
def must_name(rules: np.record, public: np.record) -> bool:
    """Return whether the seat to act may not pass: eldest where it names, a dealer who is forced and the last one."""
    last = public.passes == most_passes(rules) - 1
    return bool(rules.auction == ELDEST or (rules.forced_dealer and last))


@kernel
def bid_action(rules: np.record, number: int, strain: int) -> int:
    """Return the action that bids a number in a strain, without a mark."""
    return int(BIDS + (number - rules.min_number) * rules.strains + strain)


@kernel
def marked_bid(rules: np.record, number: int, strain: int) -> int:
    """Return the action that bids a number with the mark of a capot, where there are such bids."""
    return int(rules.capots + (number - rules.capot_min) * rules.strains + strain)


@kernel
def bid_number(rules: np.record, action: int) -> int:
    """Return the number of a bid that is written with one, marked or not."""
    if action < rules.capots:
        return int(rules.min_number + (action - BIDS) // rules.strains)
    return int(rules.capot_min + (action - rules.capots) // rules.strains)


@kernel(forceinline=True)
def no_bids(rules: np.record) -> tuple[int, int, int]:
    """Return what `legal_bids` is where no bid is legal."""
    return int(rules.actions), int(rules.actions), int(rules.actions)


@kernel
def legal_bids(rules: np.record, public: np.record) -> tuple[int, int, int]:
    """Return the legal bids `(first, stop, capot)`: the actions `first <= bid < stop`, and those from `capot` on.

    Bids are numbered by rising number, capot bids after all others (see `blot_env.actions`).
    """
    if rules.auction != NUMBERED or public.asking == RECONTRA_ASKED:
        return no_bids(rules)
    if public.passed[public.seat] and not rules.reenter and public.asking != LAST_WORD:
        return no_bids(rules)
    number = public.number + 1 if public.number else rules.min_number
    first = min(bid_action(rules, number, 0), rules.capots)
    stop = int(rules.capots if rules.jump_bids else min(first + rules.strains, rules.capots))
    if rules.capot == CAPOT_MARK:
        capot = min(marked_bid(rules, max(number, rules.capot_min), 0), rules.actions)
        return (int(first), int(first), int(capot)) if public.capot else (int(first), stop, int(capot))
    if rules.capot == CAPOT_CALL and public.capot:
        return no_bids(rules)
    return int(first), stop, int(rules.capots)


@kernel
def call(rules: np.record, public: np.record, action: int) -> None:
    """Apply a legal call by the seat whose turn it is; the phase is PLAY or OVER when it ends the auction."""
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
    elif action < BIDS:
        public.strain = action - NAME
        public.bidder = seat
        _open(public, seat)
        begin_play(rules, public)
    else:
        _bid(rules, public, action)


@kernel
def _bid(rules: np.record, public: np.record, action: int) -> None:
    if action < rules.capots:
        strain = (action - BIDS) % rules.strains
        number = bid_number(rules, action)
        public.capot = 1 if rules.capot == CAPOT_FROM and number >= rules.capot_min else 0
    else:
        public.capot = 1
        strain = (action - rules.capots) % rules.strains
        if rules.capot == CAPOT_MARK:
            number = bid_number(rules, action)
        else:
            number = max(rules.capot_min, public.number + 1)
    seat = public.seat
    public.strain, public.number, public.bidder = strain, number, seat
    public.highest[seat, strain] = number
    public.called[seat] |= CALLED_BITS[number] << 8 * strain
    if not public.numbers[seat]:
        public.numbers[seat] = number << 8 * rules.strains
    public.numbers[seat] = public.numbers[seat] & ~(255 << 8 * strain) | number << 8 * strain
    _open(public, seat)
    public.passes = 0
    public.asking = OPEN
    public.seat = seat_after(rules.players, seat)


@kernel
def _open(public: np.record, seat: int) -> None:
    """Remember the bid just made if it is the first call of its seat."""
    if not public.opening[seat]:
        public.opening[seat] = 2 << public.strain | public.capot << 7


@kernel
def _pass(rules: np.record, public: np.record) -> None:
    seat = public.seat
    if public.asking == LAST_WORD:
        begin_play(rules, public)
        return
    if public.asking == RECONTRA_ASKED:
        if seat == public.bidder and rules.recontra_by_partner:
            public.seat = seat_after(rules.players, seat, 2)
        else:
            begin_play(rules, public)
        return
    public.passed[seat] += 1
    if not public.opening[seat]:
        public.opening[seat] = 1
    public.passes += 1
    public.seat = seat_after(rules.players, seat)
    if public.bidder < 0:
        if public.passes == most_passes(rules):
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

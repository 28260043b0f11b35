"""Shuffling a board and laying it out."""

import numpy as np

from blot_env.compile import kernel
from blot_env.random import below, board_key
from blot_env.rules_record import TURNED
from blot_env.seats import seat_after
from blot_env.state import AUCTION, OPEN


@kernel(forceinline=True)
def shuffle(rules: np.record, state: np.record) -> None:
    """Put the cards of the state's board (seed, board, deal, redeal) in its deck."""
    key = board_key(state.seed, state.board, state.deal, state.redeal)
    deck = state.deck
    for number in range(rules.pack_size):
        place = below(key, number, number + 1)
        deck[number] = deck[place]
        deck[place] = rules.cards[number]


@kernel(forceinline=True)
def lay_out(rules: np.record, state: np.record) -> None:
    """Begin a deal with the cards of the deck; dealer, scores and target stay."""
    for seat in range(rules.players):
        first = seat * rules.dealt
        state.hands[seat] = visible_cards(rules, state, seat)
        state.dealt[seat] = state.hands[seat]
        state.down[seat] = cards_between(state, first + rules.visible, first + rules.dealt)
    state.aside = 0
    state.claimant = -1
    state.scorer = -1
    clear_table(rules, state.public)
    if rules.auction == TURNED:
        turn_up(state.public, int(state.deck[rules.players * rules.dealt]))


@kernel(forceinline=True)
def visible_cards(rules: np.record, state: np.record, seat: int) -> int:
    """Return the cards of the deck that a seat holds in the auction; others may lie face down."""
    return cards_between(state, seat * rules.dealt, seat * rules.dealt + rules.visible)


@kernel(forceinline=True)
def cards_between(state: np.record, start: int, stop: int) -> int:
    """Return the set of the cards at some places of the deck."""
    cards = 0
    for place in range(start, stop):
        cards |= 1 << int(state.deck[place])
    return cards


@kernel(forceinline=True)
def turn_up(public: np.record, card: int) -> None:
    """Turn up a card of the stock."""
    public.turned = card
    public.out = 1 << card


@kernel(forceinline=True)
def clear_table(rules: np.record, public: np.record) -> None:
    """Make the table that of a deal about to begin: eldest to speak, nothing said or played."""
    public.phase = AUCTION
    public.seat = seat_after(rules.players, public.dealer)
    public.asking = OPEN
    public.number = 0
    public.strain = -1
    public.capot = 0
    public.bidder = -1
    public.contra = 0
    public.contra_by = -1
    public.recontra_by = -1
    public.passes = 0
    public.highest[:] = 0
    public.called[:] = 0
    public.numbers[:] = 0
    public.opening[:] = 0
    public.passed[:] = 0
    public.trick_number = 0
    public.leader = -1
    public.trick[:] = -1
    public.trick_size = 0
    public.winner = -1
    public.winning = -1
    public.tricks[:] = 0
    public.card_points[:] = 0
    public.combinations[:] = 0
    public.blot[:] = 0
    public.played[:] = 0
    public.excluded[:] = 0
    public.shown[:] = 0
    public.announced[:] = 0
    public.turned = -1
    public.known[:] = 0
    public.out = 0
    public.withheld = 0
    public.belot = -1
    public.length = 0

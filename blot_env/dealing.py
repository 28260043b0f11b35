"""Shuffling a board and laying it out."""

import numpy as np

from blot_env.compile import kernel
from blot_env.random import below, board_key
from blot_env.seats import seat_after
from blot_env.state import AUCTION, OPEN


@kernel
def shuffle(state: np.record) -> None:
    """Put the cards of the state's board (seed, board, deal, redeal) in its deck."""
    key = board_key(state.seed, state.board, state.deal, state.redeal)
    deck = state.deck
    for card in range(32):
        place = below(key, card, card + 1)
        deck[card] = deck[place]
        deck[place] = card


@kernel
def lay_out(rules: np.record, state: np.record) -> None:
    """Begin a deal with the cards of the deck; dealer, scores and target stay."""
    for seat in range(rules.players):
        cards = 0
        for place in range(seat * rules.hand_size, (seat + 1) * rules.hand_size):
            cards |= 1 << int(state.deck[place])
        state.hands[seat] = cards
        state.dealt[seat] = cards
    clear_table(rules, state.public)


@kernel
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
    public.length = 0

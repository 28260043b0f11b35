"""What a deal is worth by plain minimax over the engine, and random positions of the play to ask it for.

Nothing is clever here: every line of play is followed to its end on copies of the state, and the engine counts.
"""

import numpy as np
from numpy.typing import NDArray

from blot_env.actions import PASS
from blot_env.bits import nth, popcount
from blot_env.compile import kernel
from blot_env.dealing import lay_out, shuffle
from blot_env.engine import apply, force_contract, legal
from blot_env.playing import legal_cards
from blot_env.random import absorb, below
from blot_env.rules import RuleSet
from blot_env.state import OVER, PLAY, STATE

NO_TRICK, NO_CARD = -1, -2
LEAST, MOST = -1000, 10_000  # around all values
AS_PLAYED, BIDDERS_SO_FAR, OTHERS_SO_FAR = range(3)
"""Who has taken the tricks before a position: whoever did, or one side all of them, so that all tricks are at stake."""


def minimax(rules: RuleSet, states: NDArray[np.void], cuts: bool = True) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The bidders' points of each row of `STATE`, shape (n,), and for each card that may be played, shape (n, 32).

    Args:
        cuts: leave out what cannot matter any more (alpha-beta); otherwise every line is followed.
    """
    values, cards = np.empty(len(states), np.int64), np.full((len(states), 32), NO_CARD)
    stack = np.zeros(rules.players * rules.hand_size + 1, STATE)
    _minimax_of_all(rules.records, states, stack, 0, cuts, LEAST, MOST, values, cards)
    return values, cards


@kernel
def _minimax_of_all(records, states, stack, bottom, cuts, least, most, values, cards):  # type: ignore[no-untyped-def]
    rules = records[0]
    for i in range(len(states)):
        public = states[i].public
        mine = rules.side[public.seat] == rules.side[public.bidder]
        values[i] = least if mine else most
        legal = legal_cards(rules, public, states[i].hands[public.seat])
        for card in range(32):
            if legal >> card & 1:
                stack[bottom] = states[i]
                stack[bottom].public.phase = PLAY
                apply(rules, stack[bottom], card)
                cards[i, card] = _minimax(rules, stack, bottom, cuts, least, most)
                values[i] = max(values[i], cards[i, card]) if mine else min(values[i], cards[i, card])


@kernel
def _minimax(rules, stack, depth, cuts, alpha, beta):  # type: ignore[no-untyped-def]
    """The value of the state at `depth` of the stack; those above it are scratch."""
    public = stack[depth].public
    namers = rules.side[public.bidder]
    if public.phase == OVER:
        result = stack[depth].result
        bonus = (
            max(rules.all_tricks, 0 if rules.all_tricks_set else 1) if result.tricks[namers] == rules.hand_size else 0
        )
        return result.card_points[namers] + bonus if result.tricks[namers] else NO_TRICK
    if public.phase != PLAY:
        apply(rules, stack[depth], PASS)
    mine = rules.side[public.seat] == namers
    best = LEAST if mine else MOST
    legal = legal_cards(rules, public, stack[depth].hands[public.seat])
    for card in range(32):
        if legal >> card & 1 and not (cuts and alpha >= beta):
            stack[depth + 1] = stack[depth]
            apply(rules, stack[depth + 1], card)
            value = _minimax(rules, stack, depth + 1, cuts, alpha, beta)
            if mine:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
    return best


def random_positions(
    rules: RuleSet, strain: int, least: int, most: int, n: int, seed: int, plain: bool = False
) -> NDArray[np.void]:
    """Positions with so many tricks left, the current one included, reached by random legal play of random deals.

    Random seats bid; a trick may have begun. In a third of them each, the bidders or the others have taken all tricks
    so far.

    Args:
        plain: no trick has begun, and whoever took them has the tricks so far.
    """
    states = np.zeros(n, STATE)
    _random_positions(rules.records, seed, strain, least, most, plain, states)
    return states


@kernel
def _random_positions(records, seed, strain, least, most, plain, states):  # type: ignore[no-untyped-def]
    rules = records[0]
    for i in range(len(states)):
        state = states[i]
        public = state.public
        deal = 0
        while public.phase == OVER or deal == 0:  # a belot ends a deal before its play
            state.seed, state.board, state.deal = seed, i, deal
            key = absorb(absorb(absorb(seed, strain), i), deal)
            deal += 1
            public.dealer = below(key, 0, rules.players)
            shuffle(rules, state)
            lay_out(rules, state)
            force_contract(rules, state, below(key, 1, rules.players), strain)
            left = least + below(key, 2, most - least + 1)
            begun = 0 if plain else below(key, 3, rules.players)
            counter = 4
            while public.phase != OVER and (
                public.phase < PLAY or public.trick_number < rules.hand_size - left or public.trick_size < begun
            ):
                seat = public.seat
                bits, _, _, _ = legal(rules, public, state.hands[seat], state.dealt[seat])
                apply(rules, state, nth(bits, below(key, counter, popcount(bits))))
                counter += 1
        _give_tricks(rules, public, AS_PLAYED if plain else below(key, counter, 3))


@kernel
def _give_tricks(rules, public, whose):  # type: ignore[no-untyped-def]
    """Let one side have taken all tricks so far, unless they stay as they were played."""
    namers = rules.side[public.bidder]
    taker = namers if whose == BIDDERS_SO_FAR else (namers + 1) % rules.sides
    if whose != AS_PLAYED:
        for side in range(rules.sides):
            if side != taker:
                public.tricks[taker] += public.tricks[side]
                public.card_points[taker] += public.card_points[side]
                public.tricks[side] = 0
                public.card_points[side] = 0

"""What lay open at each moment of a deal: who acted, in which trick, what was taken. The page shows it step by step.

The engine plays the actions once more and notes it, so that the page itself knows no rule.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet
from blot_env.compile import kernel
from blot_env.engine import apply
from blot_env.state import PLAY, STATE
from train.tournament.played import Played
from train.tournament.replay import starts_of


@dataclass(frozen=True)
class Trace:
    """Deals, a row each, step by step; a step is an action. Behind the last one all is -1, or empty."""

    deck: NDArray[np.int8]  # (deals, 32) hands seat by seat, each in the order dealt, then the stock
    dealer: NDArray[np.int8]  # (deals,)
    scores: NDArray[np.int32]  # (deals, 4) match points by side before the deal
    seat: NDArray[np.int8]  # (deals, steps) who acts
    phase: NDArray[np.int8]  # (deals, steps) as in `blot_env.state.PHASES`
    trick: NDArray[np.int8]  # (deals, steps) tricks that are complete
    moved: NDArray[np.uint32]  # (deals, steps, 4) cards by seat that came to a hand or left it, but for the one played
    winner: NDArray[np.int8]  # (deals, tricks) the seat that took the trick
    worth: NDArray[np.int16]  # (deals, tricks) card points of the trick
    shown: NDArray[np.uint32]  # (deals, 4) cards by seat of the combinations that were shown and scored


def trace(rules: RuleSet, seed: int, played: Played) -> Trace:
    """Play deals once more and note what happened.

    Args:
        seed: of the cards.
        played: rows in order of board, table and deal.
    """
    deals, steps = played.actions.shape
    found = _empty(deals, steps, rules)
    columns = (found.deck, found.dealer, found.scores, found.seat, found.phase, found.trick, found.moved)
    work = (rules.records, starts_of(rules, seed, played), played.actions, np.empty(1, STATE))
    _trace(*work, *columns, found.winner, found.worth, found.shown)
    return found


def _empty(deals: int, steps: int, rules: RuleSet) -> Trace:
    return Trace(
        deck=np.full((deals, 32), -1, np.int8),
        dealer=np.zeros(deals, np.int8),
        scores=np.zeros((deals, 4), np.int32),
        seat=np.full((deals, steps), -1, np.int8),
        phase=np.full((deals, steps), -1, np.int8),
        trick=np.full((deals, steps), -1, np.int8),
        moved=np.zeros((deals, steps, 4), np.uint32),
        winner=np.full((deals, rules.hand_size), -1, np.int8),
        worth=np.zeros((deals, rules.hand_size), np.int16),
        shown=np.zeros((deals, 4), np.uint32),
    )


@kernel
def _trace(  # type: ignore[no-untyped-def]
    records, starts, actions, states,
    decks, dealers, scores, seats, phases, tricks, moved, winners, worths, shown,
):  # fmt: skip
    rules, state = records[0], states[0]
    public = state.public
    hands = np.zeros(4, np.int64)
    for deal in range(len(starts)):
        states[0] = starts[deal]
        for place in range(rules.pack_size):
            decks[deal, place] = state.deck[place]
        dealers[deal] = public.dealer
        scores[deal] = public.scores
        for step in range(actions.shape[1]):
            action = int(actions[deal, step])
            if action < 0:
                break
            trick, points = public.trick_number, public.card_points.sum()
            seats[deal, step], phases[deal, step], tricks[deal, step] = public.seat, public.phase, trick
            playing = public.seat if public.phase == PLAY else -1
            for seat in range(rules.players):
                hands[seat] = state.hands[seat] | state.down[seat]
            apply(rules, state, action)
            for seat in range(rules.players):
                change = hands[seat] ^ (state.hands[seat] | state.down[seat])
                moved[deal, step, seat] = change & ~(1 << action) if seat == playing else change
            if public.trick_number > trick:
                winners[deal, trick] = public.leader
                worths[deal, trick] = public.card_points.sum() - points
        for seat in range(4):
            shown[deal, seat] = public.shown[seat]

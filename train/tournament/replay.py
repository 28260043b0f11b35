"""The deals of a meeting played again: cards follow from seed, board and deal, all else from what was done."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env import BatchEnv, RuleSet
from blot_env.compile import kernel
from blot_env.engine import apply, is_legal, legal, next_deal
from blot_env.state import AUCTION, OVER, RESULT, STATE
from train.tournament.played import Played


class ReplayError(ValueError):
    """An action that cannot be taken, or a deal that does not end with its last one.

    Attributes:
        row: of the deal.
        step: of the action; behind the last one where the deal is not over.
    """

    def __init__(self, row: int, step: int) -> None:
        super().__init__(f"deal {row} cannot be played on at action {step}")
        self.row, self.step = row, step


@dataclass(frozen=True)
class Replay:
    """Deals that were played again."""

    starts: NDArray[np.void]  # (deals,) rows of STATE before the first action
    results: NDArray[Any]  # (deals,) rows of RESULT
    actions: NDArray[np.int16]  # (deals, longest) what was done, -1 behind the last


def play_again(
    rules: RuleSet,
    seed: int,
    board: NDArray[np.int64],
    deal: NDArray[np.int64],
    calls: NDArray[np.int16],
    others: NDArray[np.int16],
    lengths: NDArray[np.int64],
) -> Replay:
    """Play deals again, each table's in order.

    Args:
        rules: the game.
        seed: of the cards.
        board, deal: (deals,) as `Played` has them.
        calls, others: (deals, longest) what is done in the auction, and in all else.
        lengths: (deals,) how many actions they have.

    Raises:
        ReplayError: this cannot have been played.
    """
    found = Replay(np.zeros(len(board), STATE), np.zeros(len(board), RESULT), np.full(calls.shape, -1, np.int16))
    if len(board):
        env = BatchEnv(rules, int((deal == 0).sum()), seed=seed)
        env.reset(boards=board[deal == 0])
        done = (deal, calls, others, lengths)
        row, step = _play_again(rules.records, env.states, *done, found.starts, found.results, found.actions)
        if row >= 0:
            raise ReplayError(row, step)
    return found


@kernel
def _play_again(records, states, deals, calls, others, lengths, starts, results, actions):  # type: ignore[no-untyped-def]
    """Write starts, results and actions; return the first deal and action that cannot be, -1 where all can.

    A deal that does not end, or begins after the end of its match, is wrong behind its last action.
    """
    rules = records[0]
    table = -1
    for row in range(len(deals)):
        if deals[row] == 0:
            table += 1
        state = states[table]
        public = state.public
        if deals[row] > 0:
            if state.result.match_winner >= 0:
                return row, lengths[row]
            next_deal(rules, state)
        starts[row] = state
        for step in range(lengths[row]):
            seat = public.seat
            action = calls[row, step] if public.phase == AUCTION else others[row, step]
            bits, first, stop, capot = legal(rules, public, state.hands[seat], state.dealt[seat])
            if not is_legal(rules, bits, first, stop, capot, action):
                return row, step
            apply(rules, state, int(action))
            actions[row, step] = action
        if public.phase != OVER:
            return row, lengths[row]
        results[row] = state.result
    return -1, -1


def first_deals(played: Played, most: int) -> Played:
    """Return the first boards of a meeting, one at least, with no more deals than so many one after another.

    A match has many deals: of matches there are fewer than of boards.
    """
    deals = np.zeros(len(played.boards), np.int64)
    np.maximum.at(deals, np.searchsorted(played.boards, played.board), played.deal + 1)
    return first_boards(played, max(1, int((deals.cumsum() <= most).sum())))


def first_boards(played: Played, most: int) -> Played:
    """Return the first boards of a meeting; clocks and seconds are those of all."""
    boards = played.boards[:most]
    kept = np.isin(played.board, boards)
    return replace(
        played,
        boards=boards,
        board=played.board[kept],
        table=played.table[kept],
        deal=played.deal[kept],
        results=played.results[kept],
        actions=played.actions[kept],
        faults=tuple(fault for fault in played.faults if fault.board in boards),
    )


def starts_of(rules: RuleSet, seed: int, played: Played) -> NDArray[np.void]:
    """Return each deal before its first action, in a match with the scores that it began with: STATE rows, (deals,).

    Raises:
        ReplayError: it was not played by these rules and this seed.
    """
    lengths = (played.actions >= 0).sum(1)
    return play_again(rules, seed, played.board, played.deal, played.actions, played.actions, lengths).starts

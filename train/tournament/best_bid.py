"""What was bid beside the best that double dummy knew: points underbid and overbid, contracts passed up, contra.

`agents.search.hindsight_bids` says what contracts are worth. A side that named a contract is held against the best that
it could have named; one that did not, against the best that it could still have named at its last call, and against
contra. Where each bid ends the auction, every call counts as the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.hindsight_bids import Auctions, Judged, auctions_of, judge
from agents.search.solver import NotSolvable, every_contract, solve_states
from blot_env import RuleSet
from blot_env.state import STATE
from train.tournament.played import Played
from train.tournament.regret import by_board, estimated
from train.tournament.replay import starts_of

Solved = dict[bytes, NDArray[np.int64]]
"""What a side takes in each strain, by hands, leader and bidder: tables and meetings share their boards."""
_AT_ONCE = 1024  # deals held in memory in all their contracts


@dataclass(frozen=True)
class Calls:
    """The calls of some deals, judged; deals that end before a card or cannot be solved are left out."""

    deal: NDArray[np.int64]  # (judged,) row of the deal
    judged: Judged
    bidder: NDArray[np.int64]  # (judged,) the side that named the contract, -1 where nobody did
    contra: NDArray[np.int64]  # (judged,) the side that said contra, or -1


@dataclass(frozen=True)
class Bidding:
    """An entrant's calls held against the best, a value a deal and side of it: NaN where it does not apply."""

    board: NDArray[np.int64]
    underbid: NDArray[np.float64]  # match points below its best contract, with one that makes
    overbid: NDArray[np.float64]  # the same with one that fails
    passed_up: NDArray[np.float64]  # match points by which a contract of its own would have been better than what stood
    contra_missed: NDArray[np.float64]  # match points that a contra would have gained
    contra_lost: NDArray[np.float64]  # match points that its contra gave away
    contra_won: NDArray[np.float64]  # match points that its contra gained


def judge_calls(
    rules: RuleSet, seed: int, played: Played, solved: Solved | None = None, threads: int | None = None
) -> Calls:
    """Judge the calls of all deals of a meeting, by default on all cores.

    Args:
        solved: what is known already; what is solved now is added.
    """
    starts, known = starts_of(rules, seed, played), {} if solved is None else solved
    parts = []
    for first in range(0, max(1, len(starts)), _AT_ONCE):
        heard = auctions_of(rules, starts[first : first + _AT_ONCE], played.actions[first : first + _AT_ONCE])
        part = _judge_some(rules, heard, known, threads)
        parts.append(replace(part, deal=first + part.deal))
    return Calls(
        deal=np.concatenate([part.deal for part in parts]),
        judged=Judged(
            *(np.concatenate([getattr(part.judged, field.name) for part in parts]) for field in fields(Judged))
        ),
        bidder=np.concatenate([part.bidder for part in parts]),
        contra=np.concatenate([part.contra for part in parts]),
    )


def _judge_some(rules: RuleSet, heard: Auctions, solved: Solved, threads: int | None) -> Calls:
    """Judge the calls of some deals, counted from 0."""
    rows, boards = _boards(rules, heard.ends if rules.stock == "namer" else heard.starts)
    heard = Auctions(heard.starts[rows], heard.ends[rows], heard.options[rows])
    values = _values(rules, boards, np.asarray(heard.options.any(axis=2)), solved, threads)
    called = heard.ends["public"]
    sides = np.array([rules.side(seat) for seat in range(rules.players)])
    return Calls(
        deal=rows,
        judged=judge(rules, heard, boards, values, threads),
        bidder=np.where(called["bidder"] >= 0, sides[called["bidder"]], -1),
        contra=np.where(called["contra"] > 0, sides[called["contra_by"]], -1),
    )


def _boards(rules: RuleSet, deals: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.void]]:
    """Return the rows that can be solved, and those deals in each strain with each side as bidder."""
    rows, boards = [], [np.zeros((0, len(rules.strains), rules.sides), STATE)]
    for row in range(len(deals)):
        try:
            boards.append(every_contract(rules, deals[row])[None])
        except NotSolvable:  # a belot
            continue
        rows.append(row)
    return np.array(rows, np.int64), np.concatenate(boards)


def _values(
    rules: RuleSet, boards: NDArray[np.void], calling: NDArray[np.bool_], solved: Solved, threads: int | None
) -> NDArray[np.int64]:
    """Return the values of deals in each strain with each side that had a call as bidder; each is solved once."""
    own = boards.transpose(0, 2, 1)[calling]  # (sides that call, strains)
    hands, leader, bidder = own["hands"], own["public"]["leader"], own["public"]["bidder"]
    keys = [b"".join(part[row].tobytes() for part in (hands, leader, bidder)) for row in range(len(own))]
    new = {key: row for row, key in enumerate(keys) if key not in solved}
    unknown = own[list(new.values())]
    solved.update(zip(new, solve_states(rules, unknown.ravel(), threads).reshape(unknown.shape), strict=True))
    values = np.zeros((len(boards), rules.sides, len(rules.strains)), np.int64)
    values[calling] = np.array([solved[key] for key in keys], np.int64).reshape(own.shape)
    return values.transpose(0, 2, 1)


def bidding_of(played: Played, seating: NDArray[np.int64], calls: Calls, entrant: int) -> Bidding:
    """Return the calls of one entrant of a meeting, held against the best.

    Args:
        seating: who plays each side at each table, shape (tables, sides), indices in the meeting.
        calls: of the same deals.
        entrant: index in the meeting.
    """
    judged = calls.judged
    deal, side = np.nonzero(seating[played.table[calls.deal]] == entrant)
    best, bare, stood, option, gain = (
        values[deal, side] for values in (judged.best, judged.bare, judged.stood, judged.option, judged.contra)
    )
    named, makes = calls.bidder[deal] == side, judged.makes[deal]
    below = np.maximum(best - bare, 0)
    said, could = calls.contra[deal] == side, ~np.isnan(gain) & ~named
    return Bidding(
        board=played.board[calls.deal][deal],
        underbid=np.where(named, np.where(makes, below, 0), np.nan),
        overbid=np.where(named, np.where(makes, 0, below), np.nan),
        passed_up=np.where(named | np.isinf(option), np.nan, np.maximum(option - stood, 0)),
        contra_missed=np.where(could, np.where(said, 0, np.maximum(gain, 0)), np.nan),
        contra_lost=np.where(could, np.where(said, np.maximum(-gain, 0), 0), np.nan),
        contra_won=np.where(could, np.where(said, np.maximum(gain, 0), 0), np.nan),
    )


def report_bidding(biddings: Sequence[Bidding]) -> dict[str, Any]:
    """Return the bidding of an entrant in one meeting or several, as JSON takes it.

    Each kind has the number of deals that it applies to, of those in which anything was lost or won, and match points a
    deal, a mean over boards, None where there is none.
    """
    board = np.concatenate([bidding.board for bidding in biddings])
    report: dict[str, Any] = {"n": len(board)}
    for name in (field.name for field in fields(Bidding) if field.name != "board"):
        values = np.concatenate([getattr(bidding, name) for bidding in biddings])
        seen = ~np.isnan(values)
        points = estimated(by_board(board[seen], values[seen]))
        report[name] = {"n": int(seen.sum()), "deals": int((values[seen] > 0).sum()), "points": points}
    return report

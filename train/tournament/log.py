"""What was played, as a line of JSON keeps it: the actions of each deal as text, and nothing that follows from them.

    {"boards": [0], "deals": [[0, 0, 0, "8H pass pass pass 9C …"], [0, 1, 0, "…"]], "faults": [], "clocks": [[], []], …}

A deal is its board, table, number in the match, and actions. Reading plays them again: what may not be done, or does
not end the deal, is damage.
"""

from dataclasses import asdict
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from blot_env import RuleSet
from blot_env.actions import BIDS, PASS
from train.settings import Seconds
from train.tournament.played import BINS, Clock, Fault, Played
from train.tournament.replay import Replay, ReplayError, play_again
from train.tournament.seating import lot, seatings
from train.tournament.tables import MOST_DEALS

Number = Annotated[int, Field(ge=0, lt=1 << 62, strict=True)]


class LogError(ValueError):
    """Boards that were not played as they are written."""


_Bin = Annotated[Number, Field(lt=BINS)]
_Often = Annotated[Number, Field(lt=1 << 40)]  # so that a sum of them has 64 bits


class _Fault(BaseModel):
    model_config = ConfigDict(extra="forbid")

    board: Number
    table: Number
    deal: Number
    seat: Number
    entrant: Number
    reason: StrictStr


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid")

    boards: Annotated[list[Number], Field(min_length=1)]
    deals: list[tuple[Number, Number, Number, StrictStr]]
    faults: list[_Fault]
    clocks: list[list[tuple[_Bin, _Often]]]  # by entrant the bins that are not empty
    seconds: Seconds


def written(rules: RuleSet, played: Played) -> dict[str, Any]:
    """Return what was played as `read` takes it, ready for JSON."""
    texts = {action: rules.actions.text(action) for action in range(rules.actions.size)}
    rows = zip(played.board.tolist(), played.table.tolist(), played.deal.tolist(), played.actions.tolist(), strict=True)
    return {
        "boards": played.boards.tolist(),
        "deals": [
            [board, table, deal, " ".join(texts[action] for action in actions if action >= 0)]
            for board, table, deal, actions in rows
        ],
        "faults": [asdict(fault) for fault in played.faults],
        "clocks": [
            [[int(bin_), int(clock.counts[bin_])] for bin_ in clock.counts.nonzero()[0]] for clock in played.clocks
        ],
        "seconds": played.seconds,
    }


def read(rules: RuleSet, seed: int, data: Any) -> Played:
    """Return what was played from what `written` returned; results are those that the engine gives.

    Args:
        rules: the game.
        seed: of the cards.
        data: as JSON has it.

    Raises:
        LogError: it is not what `written` returns, or cannot have been played.
    """
    try:
        found = _Written.model_validate(data)
        faults = [Fault(**fault.model_dump()) for fault in found.faults]
        tables = len(seatings(rules.sides, len(found.clocks)))
    except ValidationError as error:
        first = error.errors()[0]
        raise LogError(f"{'.'.join(map(str, first['loc'])) or 'boards'}: {first['msg']}") from None
    except ValueError as error:
        raise LogError(f"clocks: {error}") from None
    columns = np.array([deal[:3] for deal in found.deals], np.int64).reshape(-1, 3)
    board, table, deal = np.ascontiguousarray(columns.T)
    boards = np.array(found.boards, np.int64)
    _check_places(boards, columns, faults, tables)
    for fault in faults:
        if fault.entrant >= len(found.clocks) or fault.seat >= rules.players:
            raise LogError(f"faults: board {fault.board}: there is no entrant {fault.entrant} in seat {fault.seat}")
    again = _replayed(rules, seed, columns, [deal[3].split() for deal in found.deals])
    return Played(
        boards=boards,
        board=board,
        table=table,
        deal=deal,
        results=again.results,
        actions=again.actions,
        faults=tuple(faults),
        clocks=tuple(Clock(_histogram(pairs)) for pairs in found.clocks),
        seconds=found.seconds,
    )


def _check_places(boards: NDArray[np.int64], deals: NDArray[np.int64], faults: list[Fault], tables: int) -> None:
    """Raise LogError unless boards rise, and each has its deals in order at one table or at all of them."""
    if not (np.diff(boards) > 0).all():
        raise LogError("boards: they do not rise")
    places = list(map(tuple, deals.tolist()))
    for before, place in zip([(-1, -1, -1), *places], places, strict=False):
        board, table, deal = place
        if place <= before or deal not in (0, before[2] + 1) or (deal > 0) != (place[:2] == before[:2]):
            raise LogError(f"deals: board {board}, table {table}, deal {deal} is out of order")
    at = {place[:2] for place in places} | {(fault.board, fault.table) for fault in faults}
    seated = np.array(sorted(at), np.int64).reshape(-1, 2)
    if not np.isin(seated[:, 0], boards).all() or (seated[:, 1] >= tables).any() or (seated < 0).any():
        raise LogError("deals: a board or table is none of this meeting")
    count = np.bincount(np.searchsorted(boards, seated[:, 0]), minlength=len(boards))
    if (count != tables).any() and (count != 1).any():
        raise LogError("deals: a board has not been played at all tables")


def check_whole(
    rules: RuleSet,
    seed: int,
    played: Played,
    first: int,
    entrants: int,
    play: Literal["boards", "matches"],
    duplicate: bool,
) -> None:
    """Check that what `read` returned is all that is played of some boards.

    Args:
        rules: the game.
        seed: of the cards.
        played: what it returned.
        first: number of the first board, which others follow without a gap.
        entrants: how many met.
        play, duplicate: as `train.tournament.tables.play_boards` takes them.

    Raises:
        LogError: it is not.
    """
    if not np.array_equal(played.boards, first + np.arange(len(played.boards))):
        raise LogError(f"boards: they are not those from {first} on")
    if len(played.clocks) != entrants:
        raise LogError(f"clocks: {len(played.clocks)} entrants, not {entrants}")
    tables = len(seatings(rules.sides, entrants))
    deals = {(fault.board, fault.table): fault.deal for fault in played.faults}
    last = dict(
        zip(zip(played.board.tolist(), played.table.tolist(), strict=True), range(len(played.deal)), strict=True)
    )
    for board in played.boards.tolist():
        for table in range(tables) if duplicate else [lot(seed, board, tables)]:
            row = last.pop((board, table), None)
            number = 0 if row is None else int(played.deal[row]) + 1
            ended = row is not None and (
                number == 1 if play == "boards" else number == MOST_DEALS or played.results["match_winner"][row] >= 0
            )
            fault = deals.pop((board, table), None)
            if fault != (None if ended else number):
                raise LogError(f"deals: board {board}, table {table} has not been played to its end")
    if deals or last:
        raise LogError("deals: a board has been played at another table than was drawn for it")


def _histogram(pairs: list[tuple[int, int]]) -> NDArray[np.int64]:
    counts = np.zeros(BINS, np.int64)
    for place, count in pairs:
        counts[place] = count
    return counts


def _replayed(rules: RuleSet, seed: int, deals: NDArray[np.int64], texts: list[list[str]]) -> Replay:
    """Play deals again, by what is written; the same text is one action in the auction and another in the play."""
    shape = len(deals), max(map(len, texts), default=0)
    calls, others = np.full(shape, -1, np.int16), np.full(shape, -1, np.int16)
    text_of = rules.actions.text
    call_of = {text_of(action): action for action in range(PASS, rules.actions.size)}
    other_of = {text_of(action): action for action in range(BIDS)}
    for row, words in enumerate(texts):
        calls[row, : len(words)] = [call_of.get(word, -1) for word in words]
        others[row, : len(words)] = [other_of.get(word, -1) for word in words]
    board, _, deal = np.ascontiguousarray(deals.T)
    try:
        return play_again(rules, seed, board, deal, calls, others, np.array(list(map(len, texts)), np.int64))
    except ReplayError as error:
        place = "board {}, table {}, deal {}".format(*deals[error.row].tolist())
        words, step = texts[error.row], error.step
        what = f"{words[step]!r:.20} cannot be action {step}" if step < len(words) else "it is not over"
        raise LogError(f"{place}: {what}") from None

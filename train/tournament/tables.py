"""Tables of a meeting, played in lock-step: one decision at a time, or all that one agent has to take at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from agents import Agent
from blot_env import BatchEnv, RuleSet
from blot_env.state import AUCTION, HISTORY, RESULT
from train.tournament.asking import GIVEN_UP, Asker, Player
from train.tournament.entrants import Entrant
from train.tournament.played import Fault, Played, stacked
from train.tournament.seating import lot, seatings

MOST_DEALS = 1000  # of a match: agents that never bid would play one for ever; nobody wins it

Ask = Callable[[int, NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
"""Given a player, rows of tables and the deals of their matches; returns actions, GIVEN_UP where a table ends."""


@dataclass(frozen=True)
class Deals:
    """Deals that were finished, in order of table and deal."""

    row: NDArray[np.int64]  # (deals,) of the environment
    deal: NDArray[np.int64]  # (deals,) of the match
    results: NDArray[Any]  # (deals,) rows of RESULT
    actions: NDArray[np.int16]  # (deals, longest), -1 behind the last


def play_boards(
    rules: RuleSet,
    agents: Mapping[str, Agent],
    meeting: Sequence[Entrant],
    boards: Sequence[int],
    seed: int,
    *,
    play: Literal["boards", "matches"] = "boards",
    duplicate: bool = True,
    alone: bool = False,
    limit: float | None = None,
    forfeits: Sequence[Fault] = (),
    note: Callable[[Fault], None] | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Played:
    """Play boards, or whole matches, between entrants.

    The cards follow from seed and board, in a match also from the deal, whichever table it is; what agents draw, from
    seed, board, deal, seat and decision. Partners who differ change seats with each board.

    Args:
        rules: the game.
        agents: by spec, all of the entrants'.
        meeting: the entrants: two, or as many as there are sides.
        boards: numbers, rising.
        seed: of cards and agents.
        play: a deal of each board that begins at nil all, or a match to the target.
        duplicate: each board at all seatings; otherwise at one that is drawn by lot.
        alone: ask for one decision at a time, and take the time of each.
        limit: seconds that a decision may take; see `train.tournament.limit` for what happens then.
        forfeits: tables that are given up as soon as the seat has to decide, since it could not before.
        note: is told, before a decision that is asked alone, what the fault would be if the process died of it.
        clock: takes the time of decisions that are asked alone, in seconds.
    """
    start = perf_counter()
    numbers = np.asarray(boards, np.int64)
    seating = seatings(rules.sides, len(meeting))
    tables = len(seating)
    board = np.repeat(numbers, tables)
    table = np.tile(np.arange(tables), len(numbers))
    if not duplicate:
        board, table = numbers, np.array([lot(seed, int(number), tables) for number in numbers])

    specs, who = players_at(rules, meeting, seating[table], board)
    env = BatchEnv(rules, len(board), "deal" if play == "boards" else "match", seed=seed)
    players = [Player(entrant, agents[spec]) for entrant, spec in specs]
    asker = Asker(env, seed, board, table, players, alone, limit, forfeits, note, clock)
    deals = play_tables(env, board, who, asker)
    return Played(
        boards=numbers,
        board=board[deals.row],
        table=table[deals.row],
        deal=deals.deal,
        results=deals.results,
        actions=deals.actions,
        faults=tuple(sorted(asker.faults, key=lambda fault: (fault.board, fault.table))),
        clocks=asker.clocks(),
        seconds=perf_counter() - start,
    )


def players_at(
    rules: RuleSet, meeting: Sequence[Entrant], sitting: NDArray[np.int64], board: NDArray[np.int64]
) -> tuple[list[tuple[int, str]], NDArray[np.int64]]:
    """Return the players and who of them sits where.

    An agent that two entrants share is two players: so it is asked in the same batches whoever else plays, and a
    network's last bits, which depend on them, do not tell an entrant from itself.

    Args:
        rules: the game.
        meeting: the entrants.
        sitting: (tables, sides) the entrant of each side.
        board: (tables,) numbers.

    Returns:
        By player the entrant and the spec; and the player (2, tables, seats) that calls, and that plays the cards.
    """
    seat = np.arange(rules.players)
    of_seat = sitting[:, [rules.side(int(number)) for number in seat]]
    place = seat // rules.sides  # 0 and 1 for partners
    players = [(entrant, spec) for entrant, seated in enumerate(meeting) for spec in seated.agents]
    who = np.zeros((2, len(board), rules.players), np.int64)
    for entrant, seated in enumerate(meeting):
        for part, specs in enumerate((seated.calls, seated.cards)):
            numbers = np.array([players.index((entrant, spec)) for spec in specs])
            partner = numbers[(place + board[:, None]) % len(numbers)]
            who[part] = np.where(of_seat == entrant, partner, who[part])
    return players, who


def play_tables(env: BatchEnv, boards: NDArray[np.int64], who: NDArray[np.int64], ask: Ask) -> Deals:
    """Play one episode at every table.

    Args:
        env: the tables.
        boards: (tables,) numbers.
        who: (2, tables, seats) the player that calls, and that plays the cards.
        ask: asks a player; only where there are two or more legal actions.
    """
    table = np.arange(env.num_envs)
    _, mask, seat = env.reset(boards=boards)
    history = np.full((env.num_envs, HISTORY), -1, np.int16)
    deal = np.zeros(env.num_envs, np.int64)
    playing = np.ones(env.num_envs, bool)
    finished: list[Deals] = []
    while playing.any():
        drawn = env.sample(mask)  # the only action where there is one; tables that are done play on unheeded
        actions = drawn.copy()
        public = env.states["public"]
        choosing = playing & (mask.sum(1) > 1)
        sitting = who[(public["phase"] != AUCTION).astype(np.int64), table, seat]
        for player in np.unique(sitting[choosing]):
            rows = np.flatnonzero(choosing & (sitting == player))
            actions[rows] = ask(int(player), rows, deal[rows])
        playing &= actions != GIVEN_UP
        actions = np.where(playing, actions, drawn)
        history[table, public["length"]] = actions
        _, mask, seat, _, done = env.step(actions)
        over = playing & (env.states["public"]["length"] == 0)  # the next deal lies there already
        rows = np.flatnonzero(over)
        finished.append(Deals(rows, deal[rows], env.results[rows], history[rows]))
        history[env.states["public"]["length"] == 0] = -1
        deal[over] += 1
        playing &= ~done & (deal < MOST_DEALS)
    return _sorted(finished)


def _sorted(parts: Sequence[Deals]) -> Deals:
    parts = [part for part in parts if len(part.row)]
    if not parts:
        nothing = np.zeros(0, np.int64)
        return Deals(nothing, nothing, np.zeros(0, RESULT), np.zeros((0, 0), np.int16))
    row, deal = (np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "deal"))
    actions = stacked([part.actions[:, : int((part.actions >= 0).sum(1).max())] for part in parts])
    order = np.lexsort((deal, row))
    return Deals(row[order], deal[order], np.concatenate([part.results for part in parts])[order], actions[order])

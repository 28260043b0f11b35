"""Deals, played and solved: what seats knew when they called, and what every contract would have brought."""

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from agents.agent import Agent
from agents.checkpoint import write_whole
from agents.contract_shares import BINS
from agents.network import SuitOrder
from agents.rule_based.outlook import OTHERS, OWN
from blot_env import BatchEnv, RuleSet
from blot_env.state import AUCTION
from train.contract_values.labels import label, played_shares
from train.rollout import AgentPlayer, ForcedOpening, Moment, play_deals
from train.tensors import read_tensors

UNPLAYED = 255
HELD_OUT = 10  # one deal of so many is not learnt from


@dataclass(frozen=True)
class Calls:
    """Decisions of the auctions of deals, in any order; m rows."""

    observations: NDArray[np.uint8]  # (m, columns / 8) packed bits
    shares: NDArray[np.uint8]  # (m, strains, 2) bins with all cards seen, of whoever plays the contract: own, others
    extras: NDArray[np.int16]  # (m, strains, 2, 2) combinations and blots, own and others', in the same two cases
    board: NDArray[np.int64]  # (m,) the deal
    last: NDArray[np.bool_]  # (m,) it is the seat's last decision in the auction
    strain: NDArray[np.uint8]  # (m,) of the contract that was played; UNPLAYED
    role: NDArray[np.uint8]  # (m,) who played it, own or others
    solved: NDArray[np.uint8]  # (m,) its bin with all cards seen
    played: NDArray[np.uint8]  # (m,) and as it was played

    def __len__(self) -> int:
        return len(self.board)

    def __getitem__(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "Calls":
        """Return some rows."""
        return Calls(*(getattr(self, field.name)[rows] for field in fields(self)))

    @property
    def seen(self) -> NDArray[np.uint8]:
        """The observations, (m, columns); a layout's columns fill whole bytes."""
        return np.unpackbits(self.observations, axis=1)

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """Which rows are of deals to measure by."""
        return self.board % HELD_OUT == 0

    @property
    def deals(self) -> "Calls":
        """One row for each deal with a contract that was played."""
        _, first = np.unique(self.board, return_index=True)
        rows = self[first]
        return rows[rows.strain != UNPLAYED]

    def save(self, path: Path) -> None:
        """Write them to a file."""
        write_whole(path, save({field.name: np.ascontiguousarray(getattr(self, field.name)) for field in fields(self)}))

    @classmethod
    def load(cls, path: Path, rules: RuleSet, first: int, deals: int) -> "Calls":
        """Read them from a file.

        Args:
            path: of the file.
            rules: the game.
            first: number of the first deal that they may be of.
            deals: how many these are.

        Raises:
            OSError, ValueError, KeyError: there is none, or it is damaged.
        """
        tensors, _ = read_tensors(path)
        found, strains = cls(*(tensors[field.name].numpy() for field in fields(cls))), len(rules.strains)
        for name, row, kind in (
            ("observations", (-(-rules.observation.size // 8),), np.uint8),
            ("shares", (strains, 2), np.uint8),
            ("extras", (strains, 2, 2), np.int16),
            ("board", (), np.int64),
            ("last", (), np.bool_),
            *((name, (), np.uint8) for name in ("strain", "role", "solved", "played")),
        ):
            column = getattr(found, name)
            if (column.shape, column.dtype) != ((len(found), *row), kind):
                raise ValueError(f"{name} has another shape or kind")
        if (
            not ((found.board >= first) & (found.board < first + deals)).all()
            or not ((found.strain < strains) | (found.strain == UNPLAYED)).all()
            or not (found.role <= max(OWN, OTHERS)).all()
            or any((bins >= BINS).any() for bins in (found.shares, found.solved, found.played))
            or found.held_out.all()
        ):
            raise ValueError("these calls cannot be")
        return found


def joined(parts: list[Calls]) -> Calls:
    """Return all rows of some parts."""
    return Calls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Calls)))


class NotedPlayer:
    """An agent whose decisions in the auction are noted."""

    def __init__(self, agent: Agent, seed: int) -> None:
        self._player = AgentPlayer(agent, seed)
        self.rows: list[NDArray[np.int64]] = []  # by moment: tables, seats, bidders, observations
        self.seats: list[NDArray[np.int64]] = []
        self.bidders: list[NDArray[np.int64]] = []
        self.observations: list[NDArray[np.uint8]] = []

    def act(self, moment: Moment, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an action a row."""
        public = moment.env.states["public"]
        calling = rows[public["phase"][rows] == AUCTION]
        self.rows.append(calling)
        self.seats.append(moment.seat[calling])
        self.bidders.append(public["bidder"][calling].copy())
        columns = moment.env.rules.observation.size  # of which the oracle's are more
        self.observations.append(np.packbits(moment.oracle[calling, :columns], axis=1))
        return self._player.act(moment, rows)


class Dealer:
    """Plays and solves deals."""

    def __init__(self, rules: RuleSet, agent: Agent, deals: int, forced: float, seed: int, threads: int | None) -> None:
        """Set up the tables.

        Args:
            rules: the game.
            agent: who plays.
            deals: at once.
            forced: share of them that begins with a forced contract.
            seed: of cards and draws.
            threads: that solve; None: one a core.
        """
        self._rules, self._agent, self._forced, self._seed, self._threads = rules, agent, forced, seed, threads
        self._env, self._order = BatchEnv(rules, deals, seed=seed, random_scores=True), SuitOrder(rules)

    def play(self, number: int) -> Calls:
        """Return the calls of the deals of an iteration."""
        env, rules = self._env, self._rules
        rng = np.random.default_rng((self._seed, number))
        boards = number * env.num_envs + np.arange(env.num_envs)
        env.reset(boards=boards)
        starts = env.states.copy()
        player = NotedPlayer(self._agent, self._seed)
        opening = ForcedOpening(rules, self._order, self._forced, env.num_envs, rng)
        seats = np.zeros((env.num_envs, rules.players), np.int64)
        _, results = play_deals(env, [player], seats, boards, rng, opening)
        return self._calls(player, starts, boards, results)

    def _calls(
        self, player: NotedPlayer, starts: NDArray[np.void], boards: NDArray[np.int64], results: NDArray[np.void]
    ) -> Calls:
        rules = self._rules
        labels = label(rules, starts, self._threads)
        sides = np.array([rules.side(seat) for seat in range(rules.players)])
        table, seat, bidder = (np.concatenate(part) for part in (player.rows, player.seats, player.bidders))
        own, following = sides[seat], (seat + 1) % rules.players
        players = np.stack([seat, np.where((bidder >= 0) & (sides[bidder] != own), bidder, following)], 1)  # (m, 2)
        extras = labels.extras[table[:, None], players]  # (m, 2, strains, sides)
        mine = np.take_along_axis(extras, own[:, None, None, None], 3)[..., 0]
        both = np.stack([mine, extras.sum(3, dtype=np.int16) - mine], 3)  # (m, 2, strains, 2)

        contract = (results["bidder"] >= 0) & (results["made"] >= 0)
        played, solved = np.zeros(len(results), np.int64), np.zeros(len(results), np.int64)
        stood = results[contract]
        played[contract] = played_shares(stood, sides[stood["bidder"]], rules.hand_size)
        solved[contract] = labels.shares[np.flatnonzero(contract), stood["bidder"], stood["strain"]]
        turn = table * rules.players + seat
        last = np.zeros(len(table), np.bool_)
        last[len(turn) - 1 - np.unique(turn[::-1], return_index=True)[1]] = True
        return Calls(
            observations=np.concatenate(player.observations),
            shares=labels.shares[table[:, None], players].swapaxes(1, 2),
            extras=both.swapaxes(1, 2),
            board=boards[table],
            last=last,
            strain=np.where(contract, results["strain"], UNPLAYED).astype(np.uint8)[table],
            role=np.where(sides[results["bidder"]][table] == own, OWN, OTHERS).astype(np.uint8),
            solved=solved.astype(np.uint8)[table],
            played=played.astype(np.uint8)[table],
        )

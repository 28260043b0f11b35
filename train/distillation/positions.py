"""Positions in which a card was to be chosen: noted while deals are played, labelled, and remembered for a while."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from blot_env import RuleSet
from blot_env.state import PLAY
from train.compact import Compact
from train.distillation.labels import Labels
from train.rollout import SCALE, Moment, NetworkPlayer, Turn

_POINTS = 20  # card points that are 1 to the teacher


@dataclass(frozen=True)
class Positions:
    """m labelled positions, suits in canonical order."""

    inputs: NDArray[np.uint8]  # (m, bytes) the oracle's columns as bits
    legal: NDArray[np.bool_]  # (m, 32)
    values: NDArray[np.float16]  # (m, 32) what a card brings more than the mean of the legal ones, in rewards
    points: NDArray[np.float16]  # (m, 32) the same in card points, twenty of which are 1

    def __len__(self) -> int:
        return len(self.inputs)

    def batch(self, columns: int, rows: slice | NDArray[np.int64] = slice(None)) -> tuple[Tensor, ...]:
        """Return some rows as tensors: the oracle's columns (so many), legal cards, values, points."""
        return (
            torch.from_numpy(np.unpackbits(self.inputs[rows], axis=1, count=columns)).float(),
            torch.from_numpy(self.legal[rows]),
            torch.from_numpy(self.values[rows]).float(),
            torch.from_numpy(self.points[rows]).float(),
        )

    def followed_by(self, others: "Positions", most: int) -> "Positions":
        """Return these and others, no more than the last ones."""
        columns = {
            field.name: np.concatenate([getattr(self, field.name), getattr(others, field.name)])[-most:]
            for field in fields(Positions)
        }
        return Positions(**columns)


def no_positions(rules: RuleSet) -> Positions:
    """Return none."""
    inputs = np.zeros((0, -(-rules.oracle.size // 8)), np.uint8)
    nothing = np.zeros((0, 32), np.float16)
    return Positions(inputs, np.zeros((0, 32), np.bool_), nothing, nothing)


def positions_of(rules: RuleSet, columns: Mapping[str, NDArray[Any]]) -> Positions:
    """Return the positions whose columns these are, by name.

    Raises:
        KeyError, TypeError, ValueError: they are none of this game.
    """
    found = Positions(**columns)
    for field in fields(Positions):
        own, like = getattr(found, field.name), getattr(no_positions(rules), field.name)
        if (own.dtype, own.shape) != (like.dtype, (len(found), *like.shape[1:])):
            raise ValueError(f"the {field.name} of positions have another shape or kind")
    if not found.legal.any(1).all():
        raise ValueError("a position has no legal card")
    return found


class Notes:
    """Notes positions as a policy plays, each with the whole deal; what is played there is no part of them."""

    def __init__(self, compact: Compact, shares: Sequence[float], seed: int) -> None:
        """Start empty.

        Args:
            compact: the form of the actions.
            shares: of the positions that are noted, by trick; the last holds for all further tricks.
            seed: of the worlds that may be imagined.
        """
        self._order, self._shares, self._seed = compact.order, np.asarray(shares), seed
        self._states: list[NDArray[np.void]] = []
        self._seeds: list[NDArray[np.int64]] = []
        self._turns: list[tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.int64]]] = []

    def note(self, moment: Moment, turn: Turn, action: Tensor, raised: Tensor, log_probability: Tensor) -> None:
        """Add the cards among some decisions."""
        public = moment.env.states["public"][turn.rows]
        shares = self._shares[np.minimum(public["trick_number"], len(self._shares) - 1)]
        wanted = (public["phase"] == PLAY) & (moment.rng.random(len(shares)) < shares)
        if not turn.is_card or not wanted.any():
            return
        rows, chosen = turn.rows[wanted], torch.from_numpy(wanted).to(turn.code.device)
        self._states.append(moment.env.states[rows])
        self._seeds.append(moment.env.decisions(rows, self._seed).seeds)
        self._turns.append(
            (
                np.packbits(turn.inputs[chosen].cpu().numpy(), axis=1),
                turn.legal[chosen].cpu().numpy(),
                self._order.cards[turn.code[chosen]].cpu().numpy(),
            )
        )

    def labelled(self, rules: RuleSet, labels: Labels, rng: np.random.Generator) -> Positions:
        """Return the positions in random order, without those in which all cards come to the same."""
        if not self._states:
            return no_positions(rules)
        shuffled = rng.permutation(sum(map(len, self._seeds)))  # also shares the dear first tricks out to all threads
        inputs, legal, cards = (np.concatenate(column)[shuffled] for column in zip(*self._turns, strict=True))
        found = labels(np.concatenate(self._states)[shuffled], np.concatenate(self._seeds)[shuffled])
        kept = np.isfinite(found).any((0, 2))
        legal = legal[kept]
        values, points = (centred(np.take_along_axis(kind, cards, 1)[kept], legal) for kind in found)
        in_rewards = (values * (rules.record.unit / SCALE)).astype(np.float16)
        return Positions(inputs[kept], legal, in_rewards, (points / _POINTS).astype(np.float16))


def centred(values: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return values (m, 32) less the mean of the legal ones, which is the luck of the deal; 0 for others."""
    values = np.where(legal, values, 0)
    mean = values.sum(1, keepdims=True) / legal.sum(1, keepdims=True)
    return np.where(legal, values - mean, 0)


class Wanderer:
    """Plays by a policy, but for some cards, which are random."""

    def __init__(self, player: NetworkPlayer, deviations: float) -> None:
        """Play as a player does, with a share of deviations."""
        self._player, self._deviations = player, deviations

    def act(self, moment: Moment, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an action a row."""
        actions = self._player.act(moment, rows)
        play = moment.env.states["public"]["phase"][rows] == PLAY
        astray = np.flatnonzero(play & (moment.rng.random(len(rows)) < self._deviations))
        if len(astray):
            actions[astray] = moment.env.sample(moment.mask[rows[astray]])
        return actions

"""Whole deals at many tables at once, in lock-step.

At each step the tables whose acting seat has a choice are grouped by the player who sits there. Players are the learner
and its past selves, other agents, a teacher, and whoever forces a contract; nobody is replaced in the middle of a deal,
except that the forcing ends after the first bid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agents import Agent, choose
from agents.network import PolicyNetwork, SuitOrder
from blot_env import BatchEnv, RuleSet
from blot_env.actions import BIDS, NAME, PASS
from train.compact import Compact
from train.experience import Experience

SCALE = 200.0  # raw points that count as a reward of 1: 20 match points where those are tens
_LIMIT = 5.0  # rewards are bent softly into ±5: contra'd capots are rare and worth hundreds of match points


@dataclass
class Moment:
    """All tables at one step of a rollout."""

    env: BatchEnv
    mask: NDArray[np.int8]  # (tables, actions)
    seat: NDArray[np.int64]  # (tables,) to act
    oracle: NDArray[np.uint8]  # (tables, oracle columns) seen from there
    step: int
    rng: np.random.Generator


class Player(Protocol):
    """Acts at the tables `rows`: returns legal actions, shape (rows,)."""

    def act(self, moment: Moment, rows: NDArray[np.int64]) -> NDArray[np.int64]: ...


def play_deals(
    env: BatchEnv,
    players: Sequence[Player],
    seats: NDArray[np.int64],
    boards: NDArray[np.int64],
    rng: np.random.Generator,
    opening: "ForcedOpening | None" = None,
) -> tuple[NDArray[np.float32], NDArray[Any]]:
    """Play one deal at every table.

    Args:
        env: the tables.
        players: whoever plays.
        seats: (tables, seats) which player sits where.
        boards: (tables,) numbers of the boards.
        rng: for the players' draws.
        opening: takes the first turns of some tables.

    Returns:
        The rewards, (tables, sides), scaled and bent, and the RESULT rows, (tables,).
    """
    table = np.arange(env.num_envs)
    _, mask, seat = env.reset(boards=boards)
    actions = np.zeros(env.num_envs, np.int64)
    results = np.zeros(env.num_envs, env.results.dtype)
    reward = np.zeros((env.num_envs, env.rules.sides), np.float32)
    playing = np.ones(env.num_envs, bool)
    step = 0
    while playing.any():
        env.sample(mask, actions)  # the only action where there is one; finished tables play on unheeded
        moment = Moment(env, mask, seat, env.oracle(), step, rng)
        choosing = playing & (np.count_nonzero(mask, 1) > 1)
        if opening:
            rows = np.flatnonzero(opening.forces(step))
            actions[rows] = opening.act(moment, rows)
            choosing[rows] = False
        sitting = seats[table, seat]
        for index, player in enumerate(players):
            rows = np.flatnonzero(choosing & (sitting == index))
            if len(rows):
                actions[rows] = player.act(moment, rows)
        _, mask, seat, points, done = env.step(actions)
        ended = playing & done
        reward[ended] = points[ended, : env.rules.sides]  # the first seats are one of each side
        results[ended] = env.results[ended]
        playing &= ~done
        step += 1
    raw = reward * env.rules.record.unit
    return _LIMIT * np.tanh(raw / (SCALE * _LIMIT)), results


@dataclass
class Turn:
    """Decisions of one kind, cards or calls, as the network sees them: canonical order, k rows."""

    rows: NDArray[np.int64]  # (k,) their tables
    is_card: bool
    code: Tensor  # (k,) the order of the suits
    inputs: Tensor  # (k, oracle columns) uint8
    legal: Tensor  # (k, 32 or choices) bool
    raises: Tensor  # (k, 3) legal raises by ladder; 0 for cards
    lowest: Tensor  # (k, 3) the lowest legal numbers


def turns(compact: Compact, moment: Moment, rows: NDArray[np.int64]) -> list[Turn]:
    """Split the decisions at some tables into cards and calls, and bring them into the network's form."""
    masks, found = moment.mask[rows], []
    card = masks[:, :PASS].any(1)
    for is_card, kind in ((True, np.flatnonzero(card)), (False, np.flatnonzero(~card))):
        if not len(kind):
            continue
        device = compact.order.cards.device
        mask = torch.from_numpy(masks[kind]).to(device)
        natural = torch.from_numpy(moment.oracle[rows[kind]]).to(device)
        code = compact.order.code(natural)
        inputs = compact.order.arrange(natural, code)
        if is_card:
            none = torch.zeros(len(kind), 3, dtype=torch.int64, device=device)
            found.append(Turn(rows[kind], True, code, inputs, compact.legal_cards(mask, code), none, none))
        else:
            found.append(Turn(rows[kind], False, code, inputs, *compact.legal_calls(mask, code)))
    return found


class Notebook(Protocol):
    """Takes down what a network player decides."""

    def note(self, moment: Moment, turn: Turn, action: Tensor, raised: Tensor, log_probability: Tensor) -> None: ...


class Recorder:
    """Collects the decisions of a rollout."""

    def __init__(self, rules: RuleSet, compact: Compact, strangers: NDArray[np.int64], kinds: int) -> None:
        """Start empty.

        Args:
            rules: the game.
            compact: the form of the actions.
            strangers: (tables, seats) which kind of other agent sits there, -1 for learners; the critic is told.
            kinds: how many kinds there are.
        """
        self._rules, self._width = rules, compact.width
        self._chunks: list[dict[str, Any]] = []
        known = np.arange(kinds) == strangers[:, :, None]  # (tables, seats, kinds)
        self._strangers = known.astype(np.uint8)

    def note(self, moment: Moment, turn: Turn, action: Tensor, raised: Tensor, log_probability: Tensor) -> None:
        """Add what was decided, in compact form; tensors (k,)."""
        seat = moment.seat[turn.rows]
        others = (seat[:, None] + np.arange(1, self._rules.players)) % self._rules.players
        strangers = torch.from_numpy(self._strangers[turn.rows[:, None], others].reshape(len(seat), -1))
        padding = self._width - turn.legal.shape[1]
        self._chunks.append(
            {
                "inputs": torch.cat([turn.inputs, strangers.to(turn.inputs.device)], 1),
                "legal": torch.nn.functional.pad(turn.legal, (0, padding)),
                "raises": turn.raises,
                "is_card": np.full(len(seat), turn.is_card),
                "action": action,
                "raised": raised,
                "log_probability": log_probability,
                "table": turn.rows,
                "side": seat % self._rules.sides,
                "step": np.full(len(seat), moment.step),
            }
        )

    def experience(self, reward: NDArray[np.float32]) -> Experience:
        """Return all decisions, with the rewards, (tables, sides)."""
        columns: dict[str, Any] = {}
        for name, value in self._chunks[0].items():
            chunks = [chunk[name] for chunk in self._chunks]
            columns[name] = torch.cat(chunks) if isinstance(value, Tensor) else np.concatenate(chunks)
        return Experience(**columns, reward=reward)


class NetworkPlayer:
    """Draws actions from a network's probabilities; with a recorder, the learner itself."""

    def __init__(self, policy: PolicyNetwork, compact: Compact, recorder: Notebook | None = None) -> None:
        self._policy, self._compact, self._recorder = policy, compact, recorder

    @torch.no_grad()
    def act(self, moment: Moment, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an action a row."""
        actions = np.zeros(moment.env.num_envs, np.int64)
        policy, compact = self._policy, self._compact
        for turn in turns(compact, moment, rows):
            observations = turn.inputs[:, : policy.columns].float()
            if turn.is_card:
                cards = policy.card_log_probabilities(observations, turn.legal)
                action, log_probability = _draw(cards, moment.rng)
                raised = torch.zeros_like(action)
                flat = compact.flat_cards(action, turn.code)
            else:
                choice, steps = policy.call_log_probabilities(observations, turn.legal, turn.raises)
                action, log_probability = _draw(choice, moment.rng)
                step = steps[torch.arange(len(action)), policy.ladder_of[action]]
                raised, of_raise = _draw(step, moment.rng)
                log_probability = log_probability + of_raise
                flat = compact.flat_calls(action, raised, turn.lowest, turn.code)
            actions[turn.rows] = flat.cpu().numpy()
            if self._recorder:
                self._recorder.note(moment, turn, action, raised, log_probability)
        return actions[rows]


class AgentPlayer:
    """An agent at the tables of a rollout."""

    def __init__(self, agent: Agent, seed: int) -> None:
        self._agent, self._seed = agent, seed

    def act(self, moment: Moment, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an action a row."""
        return choose(self._agent, moment.env.decisions(rows, self._seed), moment.env.states, rows)


class Teacher:
    """An agent whose decisions are recorded for imitation.

    Some of its actions are exchanged for another agent's, so that it is also asked where its own play does not lead;
    what is recorded is always its own.
    """

    def __init__(
        self, agent: Agent, wanderer: Agent, deviations: float, seed: int, compact: Compact, recorder: Recorder
    ) -> None:
        self._agent, self._wanderer, self._deviations = agent, wanderer, deviations
        self._seed, self._compact, self._recorder = seed, compact, recorder

    def act(self, moment: Moment, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an action a row."""
        decisions = moment.env.decisions(rows, self._seed)
        actions = np.zeros(moment.env.num_envs, np.int64)
        actions[rows] = choose(self._agent, decisions, moment.env.states, rows)
        for turn in turns(self._compact, moment, rows):
            taught = torch.from_numpy(actions[turn.rows]).to(turn.code.device)
            if turn.is_card:
                action, raised = self._compact.compact_cards(taught, turn.code), torch.zeros_like(taught)
            else:
                action, raised = self._compact.compact_calls(taught, turn.lowest, turn.code)
            self._recorder.note(moment, turn, action, raised, torch.zeros(len(taught), device=turn.code.device))
        astray = np.flatnonzero(moment.rng.random(len(rows)) < self._deviations)
        if len(astray):
            actions[rows[astray]] = self._wanderer.act(decisions[astray])
        return actions[rows]


class ForcedOpening:
    """Begins some deals with a few passes and a low bid in the best-looking strain, so that contracts are played.

    A policy that has come to pass everything would otherwise never learn what its contracts are worth. Nothing is
    learnt from the forced turns; as they are the first of the deal, no earlier decision is judged by them.
    """

    numbers = 6  # one of so many lowest numbers is bid, or of all where there are fewer
    no_trump = 0.15  # so often at no trump, where it is played

    def __init__(self, rules: RuleSet, order: SuitOrder, share: float, tables: int, rng: np.random.Generator) -> None:
        """Choose the tables, and whose turn it will be to bid there."""
        self._rules, self._order = rules, order
        self._numbers = min(self.numbers, rules.max_number - rules.min_number + 1) if rules.jump_bids else 1
        forced = rng.random(tables) < share
        turns = {"eldest": 1, "turned": 2 * rules.players}.get(rules.auction, rules.players)  # at which one may open
        self._bidder = np.where(forced, rng.integers(0, turns, tables), -1)

    def forces(self, step: int) -> NDArray[np.bool_]:
        """Return the tables, (tables,), whose turn is not the players'."""
        return self._bidder >= step

    def act(self, moment: Moment, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an action a row."""
        order = self._order
        code = order.code(torch.from_numpy(moment.oracle[rows]).to(order.cards.device))
        suits = order.strains[code, :4].cpu().numpy()  # (rows, 4) the best-looking first
        bid = self._bid(moment, suits[:, 0]) if self._rules.numbered else self._name(moment.mask[rows], suits)
        return np.where(self._bidder[rows] == moment.step, bid, PASS)

    def _bid(self, moment: Moment, strain: NDArray[np.int64]) -> NDArray[np.int64]:
        rules = self._rules
        if "NT" in rules.strains:
            strain = np.where(moment.rng.random(len(strain)) < self.no_trump, rules.strains.index("NT"), strain)
        return BIDS + moment.rng.integers(0, self._numbers, len(strain)) * len(rules.strains) + strain

    def _name(self, masks: NDArray[np.int8], suits: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the best-looking suit that may be named: the turned one, later another."""
        may = np.take_along_axis(masks[:, NAME : NAME + 4], suits, 1)
        return NAME + np.take_along_axis(suits, may.argmax(1)[:, None], 1)[:, 0]


def _draw(log_probabilities: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Draw an index a row, (n,), and return its log-probability, (n,)."""
    reached = log_probabilities.double().exp().cumsum(1)
    lot = torch.from_numpy(rng.random((len(reached), 1))).to(reached.device) * reached[:, -1:]
    index = (reached <= lot).sum(1)
    return index, log_probabilities.gather(1, index[:, None]).squeeze(1)

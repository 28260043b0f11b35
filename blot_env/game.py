"""A match, deal after deal, in plain words: the readable face of the kernels."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from blot_env.cards import cards_text, set_name
from blot_env.compile import kernel
from blot_env.dealing import lay_out, shuffle
from blot_env.engine import apply, is_legal, legal, next_deal
from blot_env.legality import why_not
from blot_env.messages import message_of
from blot_env.observing import own_aside
from blot_env.random import decision_seed
from blot_env.records import RECORD_KEYS, RecordError, check_keys, check_result, deck_of, rules_of, set_table, whole
from blot_env.rules import RuleSet, rule_set
from blot_env.state import HIDDEN, OVER, PHASES, STATE, VIEW
from blot_env.views import Decisions, decision_of, look, mask_width, write_view


class IllegalAction(ValueError):
    """An action that may not be taken now; nothing has changed."""


class Game:
    """A match of one rule set.

    Args:
        rules: a rule set, or the name of a preset.
        seed: deal `k` of a seed has the same cards whatever was played before.
        dealer: of the first deal; by default the last seat (and one seat on with each board), so that seat 0 is eldest.
        scores: match points by side to begin with.
        board: of the seed, as `BatchEnv` numbers them.

    Actions are texts in the notation of the rules:

    >>> game = Game("bazar", seed=7)
    >>> game.seat, game.phase, len(game.legal_actions())
    (0, 'auction', 371)
    >>> game.play("8H"); game.play("contra")
    >>> game.seat, game.legal_actions()
    (0, ['pass', 'recontra'])
    """

    def __init__(
        self,
        rules: RuleSet | str,
        seed: int = 0,
        dealer: int | None = None,
        scores: Sequence[int] | None = None,
        board: int = 0,
    ) -> None:
        self.rules = rule_set(rules)
        seed, board = whole("seed", seed), whole("board", board)
        try:
            points = [0] * self.rules.sides if scores is None else [whole("scores", score) for score in scores]
        except TypeError:
            raise ValueError(f"scores: match points by side are wanted, not {scores!r:.60}") from None
        self._states = np.zeros(1, STATE)
        self.state.seed, self.state.board = seed, board
        table = {
            "dealer": (board + self.rules.players - 1) % self.rules.players
            if dealer is None
            else whole("dealer", dealer),
            "scores": points,
        }
        set_table(self.rules, self.state.public, table)
        shuffle(self.rules.record, self.state)
        lay_out(self.rules.record, self.state)

    @property
    def state(self) -> np.record:
        """The whole state, a row of dtype `STATE`; changing it changes the game."""
        return self._states[0]

    @property
    def states(self) -> NDArray[np.void]:
        """The same as an array, shape (1,), as kernels take it."""
        return self._states

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return int(self._states["public"]["seat"][0])

    @property
    def phase(self) -> str:
        """The moment of the deal: auction, swap, discard, announce, show, play or over."""
        return PHASES[self._states["public"]["phase"][0]]

    @property
    def dealer(self) -> int:
        """Who dealt."""
        return int(self.state.public.dealer)

    @property
    def scores(self) -> list[int]:
        """Match points by side, with this deal's once it is over."""
        return [int(score) for score in self.state.public.scores[: self.rules.sides]]

    @property
    def hands(self) -> list[str]:
        """The cards that each seat holds now, in notation."""
        return [set_name(hand) for hand in self.state.hands[: self.rules.players]]

    @property
    def winner(self) -> int | None:
        """The side that has won the match, None while it goes on."""
        won = self.state.public.phase == OVER and self.state.result.match_winner >= 0
        return int(self.state.result.match_winner) if won else None

    @property
    def result(self) -> dict[str, Any] | None:
        """The result of the deal as records have it, None until it is over."""
        if self.state.public.phase != OVER:
            return None
        result, sides = self.state.result, self.rules.sides
        bid, numbered = result.bidder >= 0, self.rules.numbered
        lists = ("tricks", "card_points", "raw", "combinations", "blot")
        return {
            "contract": self.rules.actions.text(int(result.contract)) if bid else None,
            "number": int(result.number) if bid and numbered else None,
            "bidder": int(result.bidder) if bid else None,
            "contra": int(result.contra),
            **{name: [int(value) for value in result[name][:sides]] for name in lists},
            "made": bool(result.made) if result.made >= 0 else None,
            "points": [int(value) for value in result.points[:sides]],
            "match_winner": self.winner,
        }

    def legal_actions(self) -> list[str]:
        """Return what the seat to act may do, sorted by text; nothing when the deal is over."""
        return sorted(self.rules.actions.text(int(action)) for action in np.flatnonzero(self.mask()))

    def why_not(self, action: str) -> str | None:
        """Return why the seat to act may not take an action, as a table would tell it; None when it may.

        >>> game = Game("bazar", seed=7)
        >>> game.why_not("contra"), game.why_not("8H")
        ("Contra needs an opponents' bid", None)
        """
        try:
            number = self._number(action)
        except ValueError as error:
            return str(error)
        return None if self.mask()[number] else self._reason(number)

    def mask(self) -> NDArray[np.int8]:
        """Return the legal actions as a mask, shape (actions,)."""
        return self.decision().masks[0]

    def play(self, action: str) -> None:
        """Take an action for the seat whose turn it is.

        Raises:
            IllegalAction: it may not be taken; the message says why, and nothing has changed.
        """
        try:
            number = self._number(action)
        except ValueError as error:
            raise IllegalAction(str(error)) from None
        self.take(number)

    def take(self, action: SupportsIndex) -> None:
        """Take an action given by its number in the action space, as `play` does.

        Raises:
            IllegalAction: it may not be taken; the message says why, and nothing has changed.
        """
        try:
            number = -1 if isinstance(action, bool) else operator.index(action)
        except TypeError:
            raise IllegalAction(f"{action!r:.60}: an action's number is wanted") from None
        if not 0 <= number < self.rules.actions.size or not _take(self.rules.records, self._states, number):
            raise IllegalAction(self._why_not(number))

    def next_deal(self) -> None:
        """Deal the next board of the match; a board that nobody bid on is dealt again.

        Raises:
            IllegalAction: this deal is not over, or the match is.
        """
        if self.state.public.phase != OVER:
            raise IllegalAction("next_deal: this deal is not over")
        if self.winner is not None:
            raise IllegalAction(f"next_deal: side {self.winner} has won the match")
        next_deal(self.rules.record, self.state)

    def copy(self) -> "Game":
        """Return an independent copy."""
        twin = object.__new__(Game)
        twin.rules, twin._states = self.rules, self._states.copy()
        return twin

    def view(self, seat: int | None = None) -> NDArray[np.void]:
        """Return what a seat (by default the one to act) knows: shape (1,), dtype `VIEW`."""
        view = np.empty(1, VIEW)
        _view(self._states, self._seat(seat), view)
        return view

    def decision(self, seat: int | None = None, seed: int = 0) -> Decisions:
        """Return a seat's decision (by default of the one to act) as agents take it; out of turn its mask is empty."""
        seat, seed = self._seat(seat), whole("seed", seed)
        return decision_of(self.rules, self.view(seat), int(_decision_seed(self._states, seat, seed)))

    def observe(self, seat: int | None = None) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Return observation and mask of a seat: shapes (columns,) and (actions,)."""
        observation = np.empty(self.rules.observation.size, np.uint8)
        mask = np.empty(mask_width(self.rules), np.int8)
        _look(self.rules.records, self._states, self._seat(seat), observation, mask)
        return observation, mask[: self.rules.actions.size]

    def message(self, seat: int | None = None) -> dict[str, Any]:
        """Return what a seat (by default the one to act) sees as a JSON message; see `blot_env.messages`."""
        seat = self._seat(seat)
        view, seen = self.view(seat)[0], self._dealt_cards(seat)[: self.rules.visible]
        discards = [int(card) for card in self.state.discards[: int(view.aside).bit_count()]]
        return message_of(self.rules, view, self._scores_before(), seen, discards)

    def record(self) -> dict[str, Any]:
        """Return the deal so far as a record (docs/records.md); `fields` lists the fields changed from the preset."""
        changes = self.rules.changes
        return {
            "rules": self.rules.name,
            **({"fields": changes} if changes else {}),
            "target": self.rules.target,
            "scores": self._scores_before(),
            "dealer": self.dealer,
            "hands": [cards_text(self._dealt_cards(seat)) for seat in range(self.rules.players)],
            "stock": cards_text(self._deck(self.rules.players * self.rules.dealt)),
            "actions": self.actions,
            "result": self.result,
        }

    @property
    def actions(self) -> list[str]:
        """The actions of the deal so far, discards too."""
        public, discards = self.state.public, iter(self.state.discards)
        taken = [int(action) for action in public.history[: public.length]]
        return [self.rules.actions.text(int(next(discards)) if action == HIDDEN else action) for action in taken]

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Game":
        """Return the board of a record with no action applied; `next_deal` goes on with the deals of seed 0.

        Raises:
            RecordError: the record is malformed or its cards are no board.
        """
        if not isinstance(record, Mapping):
            raise RecordError(f"a record is a JSON object, not {type(record).__name__}")
        check_keys(record, RECORD_KEYS)
        rules = rules_of(record)
        deck = deck_of(rules, record)
        game = cls(rules)
        set_table(rules, game.state.public, record)
        game.state.deck[: len(deck)] = deck
        lay_out(rules.record, game.state)
        return game

    def _number(self, action: str) -> int:
        """Return the number of an action in notation; ValueError where it is none."""
        if not isinstance(action, str):
            raise ValueError(f"{action!r:.60}: an action is a text such as '9S', 'pass' or 'JH'")
        return self.rules.actions.parse(action, self.phase)

    def _why_not(self, action: int) -> str:
        try:
            text = self.rules.actions.text(action)
        except ValueError as error:
            return str(error)
        return f"{text}: {self._reason(action)}"

    def _reason(self, action: int) -> str:
        if self.phase == "over":
            return "The deal is over; call next_deal()" if self.winner is None else "The match is over"
        return why_not(self.rules, self.state.public, int(self.state.hands[self.seat]), action)

    def _seat(self, seat: int | None) -> int:
        if seat is None:
            return self.seat
        if type(seat) is not int or not 0 <= seat < self.rules.players:
            raise ValueError(f"seat: seats are numbered 0 to {self.rules.players - 1}, there is no {seat!r}")
        return seat

    def _dealt_cards(self, seat: int) -> list[int]:
        size = self.rules.dealt
        return self._deck(seat * size, (seat + 1) * size)

    def _deck(self, start: int, stop: int | None = None) -> list[int]:
        return [int(card) for card in self.state.deck[: self.rules.record.pack_size][start:stop]]

    def _scores_before(self) -> list[int]:
        gained = self.state.result.points if self.state.public.phase == OVER else np.zeros(4, np.int64)
        return [score - int(points) for score, points in zip(self.scores, gained, strict=False)]


def replay(record: Mapping[str, Any]) -> Game:
    """Return the game of a record with all its actions applied.

    Raises:
        RecordError: names the index, the action and the reason, or the part of the result that the actions do not give.
    """
    game = Game.from_record(record)
    actions = record.get("actions")
    if not isinstance(actions, list | tuple):
        raise RecordError(f"actions: a list of actions is wanted, not {actions!r:.60}")
    for index, action in enumerate(actions):
        if not isinstance(action, str):
            raise RecordError("an action is a text such as '9S', 'pass' or 'JH'", index, action)
        try:
            game.play(action)
        except IllegalAction as error:
            raise RecordError(str(error), index, action) from None
    check_result(record.get("result"), game.result)
    return game


@kernel
def _take(records: NDArray[np.void], states: NDArray[np.void], action: int) -> bool:
    """Apply an action if it is legal; return whether it was."""
    rules, state = records[0], states[0]
    seat = state.public.seat
    bits, first, stop, capot = legal(rules, state.public, state.hands[seat], state.dealt[seat])
    if not is_legal(rules, bits, first, stop, capot, action):
        return False
    apply(rules, state, action)
    return True


@kernel
def _look(
    records: NDArray[np.void],
    states: NDArray[np.void],
    seat: int,
    observation: NDArray[np.uint8],
    mask: NDArray[np.int8],
) -> None:
    rules, state = records[0], states[0]
    aside = own_aside(state, seat)
    look(rules, state.public, seat, state.hands[seat], state.dealt[seat], aside, observation, mask)


@kernel
def _view(states: NDArray[np.void], seat: int, views: NDArray[np.void]) -> None:
    write_view(states[0], seat, views[0])


@kernel
def _decision_seed(states: NDArray[np.void], seat: int, seed: int) -> int:
    state = states[0]
    return int(decision_seed(seed, state.board, state.deal, state.redeal, seat, state.public.length))

"""A match as one seat is told it, event by event (docs/bot-protocol.md).

    {"type": "deal", "scores": [0, 0], "dealer": 3, "deal": 0, "redeal": 0, "hand": "JC 8D 7D QC KH AH 9D 7C"}
    {"type": "action", "seat": 0, "action": "9C"}
    {"type": "action", "seat": 0, "action": "JC", "announced": ["terz"]}
    {"type": "result", "result": {"contract": "9C", …}, "scores": [11, 0]}

An action comes with whatever else the seat sees by it: what its doer announces, what is shown, what the seat itself
takes up, who is asked to swap, whose belot ends the match. What others discard is `discard`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from blot_env.game import Game
from blot_env.messages import check_seen, decision_from_message, follow
from blot_env.random import decision_seed
from blot_env.records import RecordError, check_keys, checked_int, checked_scores
from blot_env.rules import RuleSet
from blot_env.state import OVER, PLAY
from blot_env.views import Decisions

_BIG = (1 << 63) - 1
_DEAL = ("scores", "dealer", "deal", "redeal", "hand", "turned")
_ACTION = ("seat", "action", "announced", "shown", "taken", "swap_asked", "belot")
EVENTS = ("deal", "action", "result")
_ANSWERS = ("announce", "show", "pass")
_RESULT = ("result", "scores")


def events(seat: int, before: Game | None, after: Game) -> list[dict[str, Any]]:
    """Return what a seat is told of what lies between two moments of a match.

    Args:
        seat: who is told.
        before: the match as the seat knows it; None: nothing of this deal.
        after: the same match, a deal begun or an action taken later.

    Raises:
        ValueError: more than that lies between them.

    >>> before, after = None, Game("bazar", seed=7)
    >>> for action in ("8H", "contra"):
    ...     before = after.copy()
    ...     after.play(action)
    ...     print(events(2, before, after))
    [{'type': 'action', 'seat': 0, 'action': '8H'}]
    [{'type': 'action', 'seat': 1, 'action': 'contra'}]
    """
    fresh = before is None or _board(before) != _board(after)
    if len(after.actions) != (0 if fresh or before is None else len(before.actions) + 1):
        raise ValueError("events: one action at a time is told, and a deal before its first one")
    if fresh or before is None:
        return [_deal(seat, after)]
    told = [_action(before.seat, before.message(seat), after.message(seat), int(after.state.public.belot))]
    return told if after.result is None else [*told, {"type": "result", "result": after.result, "scores": after.scores}]


def _board(game: Game) -> tuple[int, int]:
    return int(game.state.deal), int(game.state.redeal)


def _deal(seat: int, game: Game) -> dict[str, Any]:
    message = game.message(seat) | dict(zip(("deal", "redeal"), _board(game), strict=True))
    return {"type": "deal", **{key: message[key] for key in _DEAL if key in message}}


def _action(seat: int, before: dict[str, Any], after: dict[str, Any], belot: int) -> dict[str, Any]:
    """Return the event of an action of a seat, between two messages to the one that is told."""
    seen = {key: after.get(key) for key in ("shown", "taken", "swap_asked") if after.get(key) != before.get(key)}
    seen["announced"] = after["announced"][seat] if after["announced"] != before["announced"] else None
    if not any(seen.get("shown") or ()):
        seen.pop("shown", None)
    if belot >= 0:
        seen = {"belot": belot}
    kept = {key: seen[key] for key in _ACTION if seen.get(key) not in (None, "", [])}
    return {"type": "action", "seat": seat, "action": after["actions"][-1], **kept}


class Listener:
    """What a seat has been told so far of a match.

    Args:
        rules: the game.
        seat: who listens.
        board: of the seed, as `Game` numbers them.
        target: match points that win the match; by default those of the rules.
    """

    def __init__(self, rules: RuleSet, seat: int, board: int = 0, target: int | None = None) -> None:
        self.rules, self.seat, self.board, self.target = rules, seat, board, target or rules.target
        self.message: dict[str, Any] | None = None
        """The deal so far as `blot_env.messages` has it, but for what is asked; None while there is none."""
        self._public: np.record | None = None  # the table, as the seat knows it
        self._over = False
        self._deal = (0, 0)  # the deal of the match, and how often it has been dealt again
        self._scores: list[int] | None = None  # when the last deal was over

    def hear(self, event: Any) -> None:
        """Take an event over.

        Raises:
            RecordError: it is none, or cannot have happened, or tells more than the seat sees; nothing has changed.
        """
        if not isinstance(event, Mapping):
            raise RecordError(f"an event is a JSON object, not {type(event).__name__}")
        check_seen(event)
        kind = event.get("type")
        if kind not in EVENTS:
            raise RecordError(f"type: an event is one of {', '.join(EVENTS)}, not {kind!r:.60}")
        check_keys(event, ("type", *{"deal": _DEAL, "action": _ACTION, "result": _RESULT}[kind]))
        {"deal": self._hear_deal, "action": self._hear_action, "result": self._hear_result}[kind](event)

    def decision(self, seed: int = 0, phase: str | None = None) -> Decisions:
        """Return the seat's decision, as the engine makes it of a match of a seed.

        Args:
            seed: of the match.
            phase: what the seat is asked, as a message has it; it may be left out as there.

        Raises:
            RecordError: it is not the seat's turn, or the phase is another.
        """
        if self.message is None or self._over:
            raise RecordError("there is nothing to decide: no deal goes on")
        own = int(decision_seed(seed, self.board, *self._deal, self.seat, len(self.message["actions"])))
        return decision_from_message(self.rules, self.message | {"phase": phase, "seed": own})

    def _hear_deal(self, event: Mapping[str, Any]) -> None:
        if self.message is not None:
            raise RecordError("deal: one goes on that has no result yet")
        numbers = [checked_int(event, key, 0, _BIG) if key in event else 0 for key in ("deal", "redeal")]
        rules, changes = self.rules, self.rules.changes
        message = {
            "rules": rules.name,
            **({"fields": changes} if changes else {}),
            "target": self.target,
            **{key: event.get(key) for key in ("scores", "dealer")},
            "seat": self.seat,
            "hand": event.get("hand"),
            **({"turned": event["turned"]} if "turned" in event else {}),
            **({"swap_asked": None} if rules.swap_seven else {}),
            **({"taken": None} if rules.hides_cards else {}),
            "actions": [],
            "announced": [None] * rules.players,
            "shown": None,
        }
        views, _ = follow(rules, message)
        if self._scores not in (None, message["scores"]):
            raise RecordError(f"scores: the last deal ended with {self._scores}, not {message['scores']}")
        self.message, self._public, self._over = message, views[0].public, False
        self._deal = (numbers[0], numbers[1])

    def _hear_action(self, event: Mapping[str, Any]) -> None:
        if self.message is None or self._public is None or self._over:
            raise RecordError("action: no deal goes on")
        public = self._public
        seat = checked_int(event, "seat", 0, self.rules.players - 1)
        if public.phase == OVER:
            raise RecordError("action: the deal is over")
        if seat != public.seat:
            raise RecordError(f"seat: it is the turn of seat {public.seat}, not of seat {seat}")
        action = event.get("action")
        if not isinstance(action, str):
            raise RecordError(f"action: a text such as '9S', 'pass' or 'JH' is wanted, not {action!r:.60}")
        message = self.message | {"actions": [*self.message["actions"], action]}
        message |= {key: event[key] for key in ("shown", "taken", "swap_asked") if key in event}
        message["announced"] = self._announced(event, seat)
        last = public.trick_number == 0 and public.trick_size == self.rules.players - 1  # of the first trick
        if public.phase == PLAY and last and action not in _ANSWERS:
            message["shown"] = event.get("shown", [""] * self.rules.players)
        if event.get("belot") is not None:
            self._check_belot(event)
        else:
            views, _ = follow(self.rules, message)
            self._public = views[0].public
        self.message, self._over = message, event.get("belot") is not None

    def _announced(self, event: Mapping[str, Any], seat: int) -> list[Any]:
        """Return the announcements by seat after an action: with its first card a seat has spoken."""
        assert self.message is not None
        assert self._public is not None
        announced, public = list(self.message["announced"]), self._public
        if public.phase == PLAY and public.trick_number == 0 and announced[seat] is None:
            announced[seat] = []
        if "announced" in event:
            announced[seat] = event["announced"]
        return announced

    def _check_belot(self, event: Mapping[str, Any]) -> None:
        checked_int(event, "belot", 0, self.rules.players - 1)
        if not self.rules.belot:
            raise RecordError("belot: this game has none")
        if told := [key for key in ("announced", "shown", "taken", "swap_asked") if key in event]:
            raise RecordError(f"{told[0]}: nothing happens after a belot")

    def _hear_result(self, event: Mapping[str, Any]) -> None:
        if self._public is None or not (self._over or self._public.phase == OVER):
            raise RecordError("result: no deal has ended")
        if not isinstance(event.get("result", {}), Mapping):
            raise RecordError(f"result: an object is wanted, not {event['result']!r:.60}")
        self._scores = checked_scores(self.rules, event)
        self.message, self._public, self._over = None, None, False

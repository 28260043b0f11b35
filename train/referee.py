"""A table for hosts that know no rules: `blot referee`, one JSON object a line in and out (docs/hosts.md).

{"action": "9H"}                     what the seat whose turn it is does
{"next_match": true}                 once a match is over
{"events": [[…], …], "turn": {…}, …} what every seat is told, and who is asked what now
{"error": "…"}                       nothing has changed
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from agents.session import parsed
from blot_env import Game, IllegalAction, RecordError, RuleSet
from blot_env.events import events


class HostError(ValueError):
    """A line that is no request, or one that cannot be met now; the message says why."""


class Referee:
    """Deals, tells, asks, refuses and counts, one match after the other.

    Args:
        rules: the game, with the target of a match.
        seed: match `k` is board `k` of it, as `Game` numbers them, and so the next seat deals first.
    """

    def __init__(self, rules: RuleSet, seed: int) -> None:
        self._rules, self._seed = rules, seed
        self._match, self._won = 0, [0] * rules.sides
        self._game = Game(rules, seed)
        self._record: dict[str, Any] | None = None  # of the deal that has just ended
        self._told = self._all_hear(None)

    def state(self) -> dict[str, Any]:
        """Return what has happened since the last answer, by seat as each is told it, and what is to be done now."""
        game = self._game
        turn = {
            "seat": game.seat,
            "phase": game.phase,
            "actions": game.legal_actions(),
            "message": game.message(),
        }
        return {
            "match": self._match,
            "events": self._told,
            "scores": game.scores,
            "record": self._record,
            "turn": turn if game.winner is None else None,
            "winner": game.winner,
            "won": self._won,
        }

    def answer(self, line: bytes | str) -> dict[str, Any]:
        """Do what a line asks for; return the new state, or `{"error": …}` where nothing has changed."""
        try:
            self._obey(_request(line))
        except (HostError, IllegalAction) as error:
            return {"error": str(error)}
        return self.state()

    def _obey(self, request: Mapping[str, Any]) -> None:
        if "next_match" in request:
            self._next_match()
        elif not _is_turn(request.get("seat"), self._game.seat):
            raise HostError(f"seat: it is the turn of seat {self._game.seat}, not of seat {request['seat']!r:.60}")
        else:
            self._play(request["action"])

    def _play(self, action: Any) -> None:
        before = self._game.copy()
        self._game.play(action)
        self._told, self._record = self._all_hear(before), None
        if self._game.phase != "over":
            return
        self._record = self._game.record()
        if self._game.winner is not None:
            self._won[self._game.winner] += 1
            return
        self._game.next_deal()
        self._told = [[*old, *new] for old, new in zip(self._told, self._all_hear(None), strict=True)]

    def _next_match(self) -> None:
        if self._game.winner is None:
            raise HostError("next_match: this match is not over")
        self._match += 1
        self._game = Game(self._rules, self._seed, board=self._match)
        self._told, self._record = self._all_hear(None), None

    def _all_hear(self, before: Game | None) -> list[list[dict[str, Any]]]:
        return [events(seat, before, self._game) for seat in range(self._rules.players)]


def referee(rules: RuleSet, seed: int, lines: Iterable[bytes], answers: TextIO) -> None:
    """Begin a match, and answer every line with one line, until they end.

    Args:
        rules: the game, with the target of a match.
        seed: of the cards.
        lines: of UTF-8.
        answers: flushed after each line.
    """
    table = Referee(rules, seed)
    print(json.dumps(table.state()), file=answers, flush=True)
    for line in lines:
        print(json.dumps(table.answer(line)), file=answers, flush=True)


def _request(line: bytes | str) -> Mapping[str, Any]:
    try:
        request = parsed(line)
    except RecordError as error:
        raise HostError(str(error)) from None
    wanted = isinstance(request, Mapping) and request.get("next_match", True) is True
    if not wanted or set(request) not in ({"action"}, {"action", "seat"}, {"next_match"}):
        raise HostError('{"action": "9H"} is wanted, with "seat" to have it checked, or {"next_match": true}')
    return request


def _is_turn(seat: Any, turn: int) -> bool:
    """Return whether a seat is named rightly, or not at all; `true` is no number."""
    return seat is None or (type(seat) is int and seat == turn)

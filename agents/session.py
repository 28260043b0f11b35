"""What one player answers to the messages of a host, one by one (docs/bot-protocol.md).

A message either holds all that a seat sees, and is answered for itself; or it has a `type`, and tells a match event by
event. A message that is wrong is answered with what is wrong, and leaves everything as it was.
"""

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Annotated, Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.agent import Agent, ImpossibleViewError
from agents.manifest import explain
from agents.tiers.player import Thoughts
from blot_env import Decisions, Listener, RecordError, RuleSet, decision_from_message
from blot_env.cards import set_name
from blot_env.events import EVENTS
from blot_env.messages import check_rules, check_seen
from blot_env.records import MAX_TARGET, check_keys, checked_int

PROTOCOL = 2
NESTED = "the message is nested too deeply; no key wants more than lists of lists"
_LARGEST = (1 << 63) - 1

Milliseconds = Annotated[float, Field(gt=0, le=3_600_000, allow_inf_nan=False)]


class Options(BaseModel):
    """What a host may set, once for all that follows."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    seed: int = Field(default=0, ge=0, le=_LARGEST)
    """Of the matches that are told event by event; the same seed and match, the same actions."""
    ms: Milliseconds | None = None
    """Time for a decision in milliseconds; null: as the bot's tier has it."""
    name: str | None = Field(default=None, min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")
    """What it is to call itself."""


class Wanted(BaseModel):
    """How a decision is to be answered."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    ms: Milliseconds | None = None
    """Time for this decision, instead of the one of the options."""
    explain: bool = False
    """Whether the answer tells what the bot thought."""


@runtime_checkable
class ThinkingAgent(Agent, Protocol):
    """A player that can be given a time, stopped, and asked why."""

    def think(
        self, decision: Decisions, ms: float | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> Thoughts:
        """Return what it does at one decision, and why; soon after the time is over or it is stopped."""
        ...


class Session:
    """A host's conversation with a player.

    Args:
        rules: the game that the player plays.
        agent: the player.

    Attributes:
        listener: what has been told of a match, event by event; None before there is one.
    """

    def __init__(self, rules: RuleSet, agent: Agent) -> None:
        self._rules, self._agent = rules, agent
        self._options = Options()
        self.listener: Listener | None = None
        self._kinds = {
            "identify": self._identify,
            "options": self._set_options,
            "match": self._begin_match,
            "stop": self._nothing,
            "quit": self._nothing,
        }

    def answer(self, line: bytes | str, stopped: Callable[[], bool] = lambda: False) -> dict[str, Any]:
        """Return the answer to a line: `{"error": …}` names what is wrong with it.

        Args:
            line: a message.
            stopped: asked again and again while the player thinks: whether it is to answer at once.
        """
        try:
            return self._reply(parsed(line), stopped)
        except (RecordError, ImpossibleViewError) as error:
            return {"error": " ".join(str(error).split())}
        except ValidationError as error:
            return {"error": " ".join(explain(error).split())}
        except RecursionError:  # read, but too deep to be named
            return {"error": NESTED}

    def _reply(self, message: Any, stopped: Callable[[], bool]) -> dict[str, Any]:
        if not isinstance(message, Mapping):
            raise RecordError(f"a message is a JSON object, not {type(message).__name__}")
        check_seen(message)
        if "type" not in message:
            wanted = Wanted(**{key: message[key] for key in Wanted.model_fields if key in message})
            seen = {key: value for key, value in message.items() if key not in Wanted.model_fields}
            return self._decide(decision_from_message(self._rules, seen), wanted, stopped)
        kind, rest = message["type"], {key: value for key, value in message.items() if key != "type"}
        if kind == "go":
            return self._go(rest, stopped)
        if kind in EVENTS:
            self._heard().hear(message)
            return {"ok": True}
        if not isinstance(kind, str) or kind not in self._kinds:
            raise RecordError(f"type: one of {', '.join([*self._kinds, *EVENTS, 'go'])} is wanted, not {kind!r:.60}")
        return self._kinds[kind](rest)

    def _identify(self, message: Mapping[str, Any]) -> dict[str, Any]:
        check_keys(message, ())
        rules, changes = self._rules, self._rules.changes
        return {
            "name": self._options.name or self._agent.name.encode("utf-8", "backslashreplace").decode(),  # a path's
            "blot": version("blot"),
            "protocol": PROTOCOL,
            "rules": rules.name,
            **({"fields": changes} if changes else {}),
            "target": rules.target,
            "options": self._options.model_dump(),
        }

    def _set_options(self, message: Mapping[str, Any]) -> dict[str, Any]:
        check_keys(message, Options.model_fields)
        self._options = Options(**(self._options.model_dump() | {str(key): message[key] for key in message}))
        return {"ok": True}

    def _begin_match(self, message: Mapping[str, Any]) -> dict[str, Any]:
        check_keys(message, ("rules", "fields", "target", "seat", "board"))
        check_rules(self._rules, message)
        seat = checked_int(message, "seat", 0, self._rules.players - 1)
        board = checked_int(message, "board", 0, _LARGEST) if "board" in message else 0
        target = checked_int(message, "target", 1, MAX_TARGET) if "target" in message else self._rules.target
        self.listener = Listener(self._rules, seat, board, target)
        return {"ok": True}

    def _nothing(self, message: Mapping[str, Any]) -> dict[str, Any]:
        check_keys(message, ())
        return {"ok": True}

    def _heard(self) -> Listener:
        if self.listener is None:
            raise RecordError('type: a match is to be told first, as {"type": "match", "seat": 0}')
        return self.listener

    def _go(self, message: Mapping[str, Any], stopped: Callable[[], bool]) -> dict[str, Any]:
        check_keys(message, ("phase", *Wanted.model_fields))
        phase = message.get("phase")
        wanted = Wanted(**{str(key): message[key] for key in message if key != "phase"})
        return self._decide(self._heard().decision(self._options.seed, phase), wanted, stopped)

    def _decide(self, decision: Decisions, wanted: Wanted, stopped: Callable[[], bool]) -> dict[str, Any]:
        if not isinstance(self._agent, ThinkingAgent):
            if wanted.explain:
                raise RecordError(f"explain: {self._agent.name} cannot tell its thoughts")
            return {"action": self._rules.actions.text(int(self._agent.act(decision)[0]))}
        ms = wanted.ms if wanted.ms is not None else self._options.ms
        thoughts = self._agent.think(decision, ms, stopped)
        told = explained(self._rules, thoughts) if wanted.explain else {}
        return {"action": self._rules.actions.text(thoughts.action), **told}


def explained(rules: RuleSet, thoughts: Thoughts) -> dict[str, Any]:
    """Return thoughts as JSON values, the best action and the heaviest world first.

    `value` and `values` are in the scale of whoever judged (docs/bot-protocol.md), `worlds` the hands by seat.
    """
    values = sorted(thoughts.values.items(), key=lambda item: -item[1])
    worlds = sorted(zip(thoughts.weights.tolist(), thoughts.hands.tolist(), strict=True), key=lambda world: -world[0])
    return {
        "value": None if thoughts.value is None else round(thoughts.value, 4),
        "values": {rules.actions.text(action): round(value, 4) for action, value in values},
        "worlds": [
            {"weight": round(weight, 6), "hands": [set_name(hand) for hand in hands[: rules.players]]}
            for weight, hands in worlds
        ],
    }


def parsed(line: bytes | str) -> Any:
    """Return the JSON value of a line.

    Raises:
        RecordError: it is none.
    """
    try:
        return json.loads(line if isinstance(line, str) else line.decode())
    except (ValueError, RecursionError) as error:  # not UTF-8, no JSON, or nested without end
        raise RecordError(f"the line is no JSON: {error}") from None

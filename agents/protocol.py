"""The line protocol of `blot bot`: one JSON message a line in, one JSON answer a line out (docs/bot-protocol.md).

    {"rules": "bela3", "seat": 0, "hand": "JC 8D …", "actions": ["nameC", "TS"], …}   what a seat of any game sees
    {"action": "JC"}                                                                  what the bot does

A message that is malformed, or describes what cannot be, is answered with {"error": "…"}; the next one is read as if
nothing had happened. The bot remembers nothing between messages.
"""

import json
from collections.abc import Iterable
from typing import Any, TextIO

from agents.agent import Agent, CheatingAgent, ImpossibleViewError
from blot_env import RecordError, RuleSet, decision_from_message


def serve(rules: RuleSet, agent: Agent, messages: Iterable[bytes], answers: TextIO) -> None:
    """Answer every line with one line, until the messages end.

    Args:
        rules: the game that the agent plays.
        agent: who decides.
        messages: lines of UTF-8.
        answers: flushed after each line.

    Raises:
        ValueError: the agent cheats: it would have to see the cards that no message holds.
    """
    if isinstance(agent, CheatingAgent):
        raise ValueError(f"{agent.name}: it sees all cards, and a host tells a bot only what its seat saw")
    for line in messages:
        print(json.dumps(answer(rules, agent, line)), file=answers, flush=True)


def answer(rules: RuleSet, agent: Agent, line: bytes | str) -> dict[str, str]:
    """Return `{"action": …}` for a message, or `{"error": …}` that names what is wrong with it."""
    try:
        action = agent.act(decision_from_message(rules, _parsed(line)))[0]
    except (RecordError, ImpossibleViewError) as error:
        return {"error": str(error)}
    return {"action": rules.actions.text(int(action))}


def _parsed(line: bytes | str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:  # not UTF-8, no JSON, or nested without end
        raise RecordError(f"the line is no JSON: {error}") from None

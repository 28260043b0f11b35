"""The line protocol of `blot bot`: one JSON message a line in, one JSON answer a line out (docs/bot-protocol.md).

    {"rules": "bela3", "seat": 0, "hand": "JC 8D …", "actions": ["nameC", "TS"], …}   what a seat of any game sees
    {"action": "JC"}                                                                  what the bot does

    {"type": "match", "seat": 0}                                                      or a match, event by event
    {"ok": true}

Lines are read while the bot thinks, so that `stop` ends a thought; they are answered in order, one by one.
"""

import json
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from typing import Any, TextIO

from agents.agent import Agent, CheatingAgent
from agents.session import Session, parsed
from agents.warming import told_if_slow
from blot_env import RecordError, RuleSet

MOST_WAITING = 10_000
"""Lines that may wait for their answers; more are not read before."""


def serve(rules: RuleSet, agent: Agent, messages: Iterable[bytes], answers: TextIO) -> None:
    """Answer every line with one line, until the messages end or one says `quit`.

    Args:
        rules: the game that the agent plays.
        agent: who decides.
        messages: lines of UTF-8; they are taken while the agent thinks.
        answers: flushed after each line.

    Raises:
        ValueError: the agent cheats: it would have to see the cards that no message holds.
    """
    if isinstance(agent, CheatingAgent):
        raise ValueError(f"{agent.name}: it sees all cards, and a host tells a bot only what its seat saw")
    session, waiting = Session(rules, agent), deque[Future[None]]()
    stop = -1.0  # lines before this one are to be answered at once

    def say(answer: dict[str, Any]) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    def reply(number: int, line: bytes) -> None:
        try:
            with told_if_slow():
                answer = session.answer(line, lambda: number < stop)
        except Exception as error:  # a bug, raised again below; but a host that waits may never write another line
            say({"error": f"the bot failed: {type(error).__name__}: {error}"})
            raise
        say(answer)

    with ThreadPoolExecutor(1, thread_name_prefix="bot") as thinker:
        try:
            for number, line in enumerate(messages):
                kind = _kind(line)
                if kind in ("stop", "quit"):
                    stop = number
                waiting.append(thinker.submit(reply, number, line))
                while waiting and (waiting[0].done() or len(waiting) > MOST_WAITING):
                    waiting.popleft().result()  # which raises what went wrong
                if kind == "quit":
                    break
            for answered in waiting:
                answered.result()
        except BaseException:
            stop = inf
            thinker.shutdown(wait=False, cancel_futures=True)
            raise


def _kind(line: bytes) -> object:
    """Return the type of a message that may end a thought, None of others and of what is none or has more keys."""
    if b"stop" not in line and b"quit" not in line:
        return None
    try:
        message = parsed(line)
    except RecordError:
        return None
    return message["type"] if isinstance(message, dict) and set(message) == {"type"} else None

"""The conversation in docs/bot-protocol.md: `python -m tests.transcript` holds it anew and writes it there."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agents.session import Session
from agents.tiers import Tier
from agents.tiers.player import TierPlayer
from blot_env import Game, events, load_rules

PAGE = Path(__file__).parents[1] / "docs" / "bot-protocol.md"
PLACE = re.compile(r"(?<=^## A conversation\n)(.*?^```text\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
TIER = Tier(name="three", calls="rules", cards="search", worlds=3)
SEAT, CARDS = 1, 5  # who is told, and how many cards of the deal


def transcript() -> str:
    """Return what a host says (>) and what a bot answers (<)."""
    rules = load_rules("bazar")
    session = Session(rules, TierPlayer(rules, TIER, name="bot:bots/three"))
    lines = []
    for message in host():
        line = message if isinstance(message, str) else json.dumps(message)
        lines += [f"> {line}", f"< {json.dumps(session.answer(line))}"]
    return "\n".join(lines) + "\n"


def host() -> Iterator[Any]:
    """What the host says: a deal until some cards are played, a few wrong things, and another way to ask."""
    yield from ({"type": "identify"}, {"type": "options", "seed": 7, "name": "Three"})
    yield {"type": "match", "rules": "bazar", "target": 151, "seat": SEAT}
    rules = load_rules("bazar")
    player, before, game = TierPlayer(rules, TIER), None, Game(rules, seed=7)
    while True:
        yield from events(SEAT, before, game)
        if (
            game.phase == "play"
            and int(game.state.public.trick_number) * 4 + int(game.state.public.trick_size) >= CARDS
        ):
            break
        if game.seat == SEAT:
            yield {"type": "go"}
        before = game.copy()
        game.take(int(player.act(game.decision(seed=7))[0]))
    while game.seat != SEAT:
        before = game.copy()
        game.take(int(player.act(game.decision(seed=7))[0]))
        yield from events(SEAT, before, game)
    yield {"type": "go", "explain": True}
    yield {"type": "action", "seat": 2, "action": "7C"}
    yield {"type": "action", "seat": SEAT, "action": "contra"}
    yield {"type": "deal", "dealer": 3, "scores": [0, 0], "hands": ["7C 8C", "9C TC"]}
    yield "hello"
    yield {**game.message(), "seed": 3}
    yield from ({"type": "stop"}, {"type": "quit"})


def main() -> None:
    """Write the conversation into the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PLACE.sub(lambda found: found[1] + transcript(), page), encoding="utf-8")


if __name__ == "__main__":
    main()

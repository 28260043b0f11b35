"""The rule-based player against positions that a sound club player gets right.

Each line of `tests/data/positions.jsonl` is a record up to a decision, the seat that decides, and the actions that are
right (`accept`) or wrong (`reject`). Those of `bazar` were written before the player was.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import agents
from blot_env import Game

POSITIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "positions.jsonl").read_text().splitlines()
]


def decide(game: Game) -> str:
    """Return what `rules` does for the seat to act."""
    action = agents.make("rules", game.rules).act(game.decision())[0]
    return game.rules.actions.text(int(action))


def at_decision(position: dict[str, Any]) -> Game:
    game = Game.from_record(position["record"])
    for action in position["record"]["actions"]:
        game.play(action)
    return game


def is_right(position: dict[str, Any], action: str) -> bool:
    return action in position["accept"] if "accept" in position else action not in position["reject"]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["name"])
def test_position_is_a_real_choice(position: dict[str, Any]) -> None:
    """Each position can be reached, it is its seat's turn, and there is something right and something wrong to do."""
    game = at_decision(position)
    legal = set(game.legal_actions())
    named = set(position.get("accept", position.get("reject")))
    assert game.seat == position["seat"]
    assert named
    assert named < legal


def test_rules_gets_the_positions_right() -> None:
    wrong = []
    for position in POSITIONS:
        action = decide(at_decision(position))
        if not is_right(position, action):
            wrong.append(f"{position['name']}: {action} ({position['why']})")
    assert len(POSITIONS) >= 100
    assert len(wrong) <= 0.05 * len(POSITIONS), "\n".join(wrong)

"""Positions in which every player knows what is right, written as one seat sees them: `tests/data/positions.jsonl`.

A line is a record up to a decision, the seat that decides, and the actions that are right (`accept`) or wrong
(`reject`); `why` is what a player would say, `theme` names the idea, and `level` says who must get it right: at
`beginner` everybody, at `solid` all but beginners.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import agents
from blot_env import Game, load_rules


@dataclass(frozen=True)
class Position:
    """A decision and what is right."""

    name: str
    theme: str
    level: Literal["beginner", "solid"]
    why: str
    record: dict[str, Any]
    seat: int
    accept: Sequence[str] = ()
    reject: Sequence[str] = ()

    @property
    def rules(self) -> str:
        """The preset that it is played by."""
        return str(self.record["rules"])

    def game(self) -> Game:
        """Return the game at the decision."""
        game = Game.from_record(self.record)
        for action in self.record["actions"]:
            game.play(action)
        return game

    def is_right(self, action: str) -> bool:
        """Return whether an action is."""
        return action in self.accept if self.accept else action not in self.reject


def load_positions() -> list[Position]:
    """Return all of them."""
    lines = (Path(__file__).parent / "data" / "positions.jsonl").read_text().splitlines()
    return [Position(**json.loads(line)) for line in lines]


def wrong_answers(spec: str, positions: Iterable[Position], seeds: Sequence[int] = (0,)) -> list[tuple[Position, str]]:
    """Return the positions that an agent gets wrong with any of the seeds, each with what it does then."""
    seated: dict[str, agents.Agent] = {}
    wrong = []
    for position in positions:
        game = position.game()
        if position.rules not in seated:
            seated[position.rules] = agents.make(spec, load_rules(position.rules))
        for seed in seeds:
            action = game.rules.actions.text(int(seated[position.rules].act(game.decision(seed=seed))[0]))
            if not position.is_right(action):
                wrong.append((position, action))
                break
    return wrong


def in_words(wrong: list[tuple[Position, str]]) -> str:
    """Return what an agent got wrong, a line each."""
    return "\n".join(f"{position.name}: {action} ({position.why})" for position, action in wrong)

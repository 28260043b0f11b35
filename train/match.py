"""A match between somebody at the terminal and agents, saved after every action so that it goes on exactly.

A saved match is a JSON file: rules, seed, seats, and the actions of each deal. Cards and what agents do follow from the
seed.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import agents
from agents import SpecError
from blot_env import Game, IllegalAction, RecordError, RuleSet
from blot_env.record_files import parse_record, read_text
from blot_env.records import rules_of


class SaveError(ValueError):
    """A saved match that cannot go on; the message names the file and what is wrong."""


class Setup(BaseModel):
    """Who plays what: all that a match follows from but the actions."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    rules: str
    fields: dict[str, Any] = {}
    target: int
    seed: int = Field(ge=0, lt=1 << 63)
    seat: int = Field(ge=0, le=3)
    opponents: str = "rules"
    partner: str = "rules"

    @classmethod
    def of(cls, rules: RuleSet, **others: Any) -> "Setup":
        """Return the setup of a match of some rules."""
        return cls(rules=rules.name, fields=rules.changes, target=rules.target, **others)


class _Saved(Setup):
    deals: list[list[str]] = Field(min_length=1)


class Match:
    """A match under way.

    Args:
        file: where it is saved; another saved match that is there gives way, anything else does not.

    Raises:
        SaveError: there is no such seat, or something else than a saved match is in the place of the file.
        RecordError, SpecError: the rules or an agent cannot be.
        OSError: what is in the place of the file cannot be read.
    """

    def __init__(self, setup: Setup, file: Path) -> None:
        if os.path.lexists(file):
            _read(file)  # raises where it holds no match
        self.setup, self.file = setup, file
        self.rules = rules_of(setup.model_dump())
        if setup.seat >= self.rules.players:
            raise SaveError(f"there is no seat {setup.seat}: seats are numbered 0 to {self.rules.players - 1}")
        self.game = Game(self.rules, seed=setup.seed)
        self.deals: list[list[str]] = [[]]
        self._agents = [agents.make(setup.opponents, self.rules)] * self.rules.players
        if (partner := self.rules.partner(setup.seat)) is not None:
            self._agents[partner] = agents.make(setup.partner, self.rules)

    @property
    def seat(self) -> int:
        """Whose seat the player at the terminal has."""
        return self.setup.seat

    def choose(self) -> str:
        """Return what the agent whose turn it is does."""
        game = self.game
        action = agents.choose(self._agents[game.seat], game.decision(seed=self.setup.seed), game.states)[0]
        return self.rules.actions.text(int(action))

    def play(self, action: str) -> None:
        """Take an action for the seat whose turn it is, and save the match.

        Raises:
            IllegalAction: it may not be taken.
            OSError: the file cannot be written.
        """
        self.game.play(action)
        self.deals[-1].append(self.game.actions[-1])
        self.save()

    def next_deal(self) -> None:
        """Deal the next board.

        Raises:
            IllegalAction: this deal is not over, or the match is.
        """
        self.game.next_deal()
        self.deals.append([])

    def save(self) -> None:
        """Write the match to its file, which is never half written.

        Raises:
            OSError: it cannot be written.
        """
        file = self.file.resolve()  # a link to a saved match stays one
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=f".{file.name}.") as scratch:
            draft = Path(scratch) / file.name
            draft.write_text(json.dumps({**self.setup.model_dump(), "deals": self.deals}), encoding="utf-8")
            draft.replace(file)

    @classmethod
    def load(cls, file: Path) -> "Match":
        """Return the match that a file holds, as it stood.

        Raises:
            SaveError: the file holds no match, or one that the rules do not allow.
            OSError: it cannot be read.
        """
        saved = _read(file)
        try:
            match = cls(Setup(**saved.model_dump(exclude={"deals"})), file)
        except (RecordError, SaveError, SpecError) as error:
            raise SaveError(f"{file}: the saved match cannot be: {error}") from None
        for deal, actions in enumerate(saved.deals, 1):
            try:
                if deal > 1:
                    match.deals.append([])
                    match.game.next_deal()
                for action in actions:
                    match.game.play(action)
                    match.deals[-1].append(action)
            except IllegalAction as error:
                place = f"deal {deal}, action {len(match.deals[-1])}"
                raise SaveError(f"{file}: the saved match cannot be: {place}: {error}") from None
        return match


def _read(file: Path) -> _Saved:
    """Return what a file says of a match.

    Raises:
        SaveError: the file holds no match.
        OSError: it cannot be read.
    """
    try:
        return _Saved.model_validate(parse_record(read_text(file)))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise SaveError(f"{file}: this is no saved match: {where or 'JSON'}: {first['msg']}") from None
    except RecordError as error:
        raise SaveError(f"{file}: this is no saved match: {error}") from None

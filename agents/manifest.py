"""What the manifests of checkpoints and bots have in common: they say for which game a network was made.

A network fits a game whose rules, but for the targets, and whose layouts are those that it was made for.
"""

import hashlib
import json
from importlib.metadata import version
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from blot_env import RulesError, RuleSet, load_rules
from blot_env.actions import ActionLayout
from blot_env.observation import ObservationLayout

MANIFEST = "manifest.json"
MAX_MANIFEST = 1 << 20
"""Bytes."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


def _known_rules(fields: Any) -> Any:
    """Return the rule set whose fields a manifest lists."""
    if not isinstance(fields, dict):
        return fields
    others = {field: value for field, value in fields.items() if field != "name"}
    try:
        return load_rules(fields.get("name", ""), **others)
    except RulesError as error:
        raise ValueError(str(error).removeprefix("rules: ")) from None


class Layout(BaseModel):
    """Version and size of the observations or the actions that a network was made for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int
    size: int

    @classmethod
    def of(cls, layout: ActionLayout | ObservationLayout) -> "Layout":
        """Return what a manifest says of a layout."""
        return cls(version=layout.version, size=layout.size)


class GameManifest(BaseModel):
    """The fields that every manifest has."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str
    blot: str  # version of blot that wrote it
    rules: Annotated[RuleSet, BeforeValidator(_known_rules)]  # every field of the rule set
    observation: Layout
    actions: Layout

    def misfit(self, rules: RuleSet) -> str | None:
        """Return why the network cannot play a game, or None if it can."""
        own, wanted = (game.model_dump(mode="json", exclude={"target", "targets"}) for game in (self.rules, rules))
        for field, value in own.items():
            if value != wanted[field]:
                return f"made for rules with {field} = {json.dumps(value)}, not {json.dumps(wanted[field])}"
        for what, made_for, installed in (
            ("observation", self.observation, Layout.of(rules.observation)),
            ("action", self.actions, Layout.of(rules.actions)),
        ):
            if made_for != installed:
                return (
                    f"made for {what} layout {made_for.version} of size {made_for.size}, but this blot has layout "
                    f"{installed.version} of size {installed.size}; make it anew, or install the blot that wrote it "
                    f"({self.blot})"
                )
        return None


def of_game(rules: RuleSet) -> dict[str, Any]:
    """Return the fields of a new manifest that say what game a network was made for."""
    return {
        "blot": version("blot"),
        "rules": rules,
        "observation": Layout.of(rules.observation),
        "actions": Layout.of(rules.actions),
    }


def explain(error: ValidationError) -> str:
    """Return the first thing that is wrong with a manifest, as one line: key and reason."""
    first = error.errors()[0]
    key = ".".join(map(str, first["loc"]))
    return f"{key + ': ' if key else ''}{first['msg'].removeprefix('Value error, ')}"


def file_digest(content: bytes) -> str:
    """Return the SHA-256 that stands in a manifest."""
    return hashlib.sha256(content).hexdigest()

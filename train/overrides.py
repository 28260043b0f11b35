"""`--set KEY=VALUE`: single values changed on the command line."""

import tomllib
from collections.abc import Sequence
from typing import Any

from blot_env import RuleSet, load_rules
from blot_env.rules import nearest
from blot_env.rules_text import FIELDS


class OverrideError(ValueError):
    """An override that says nothing, or something about another thing than is meant."""


def parse_override(text: str) -> tuple[list[str], Any]:
    """Return the parts of the key and the value of `key=value`; the value is as in TOML, and text needs no quotes.

    Raises:
        OverrideError: it is not written so.

    >>> parse_override("rules.runs=[20, 50, 100]"), parse_override("rules=duel")
    ((['rules', 'runs'], [20, 50, 100]), (['rules'], 'duel'))
    """
    key, equals, value = text.partition("=")
    keys = [part.strip() for part in key.split(".")]
    if not equals or not all(keys):
        raise OverrideError(f"--set {text}: write it as key=value, such as rules.last_word=false")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise OverrideError(f"--set {text}: these bytes are no UTF-8") from None
    try:
        parsed = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        parsed = {}
    return keys, parsed["value"] if parsed.keys() == {"value"} else value.strip()


def chosen_rules(preset: str, target: int | None = None, overrides: Sequence[str] = ()) -> RuleSet:
    """Return the rules that a command line chooses.

    Args:
        preset: its name, or a TOML file.
        target: the points that win a match, None for those of the rules.
        overrides: `rules.FIELD=VALUE` each.

    Raises:
        OverrideError: an override is about something else.
        RulesError: there is no such preset, field or value.
    """
    fields: dict[str, Any] = {} if target is None else {"target": target}
    for override in overrides:
        keys, value = parse_override(override)
        if len(keys) != 2 or keys[0] != "rules":
            near = nearest(f"rules.{keys[-1]}", [f"rules.{field}" for field in FIELDS])
            raise OverrideError(f"--set {override}: the keys are rules.FIELD here{near}")
        fields[keys[1]] = value
    return load_rules(preset, **fields)


def lost_networks(rules: RuleSet, specs: Sequence[str]) -> str | None:
    """Return what to tell people where tiers play without the networks of the preset, since its rules were changed.

    Args:
        rules: the game.
        specs: of the agents.
    """
    if not rules.changes or not any("tier:" in spec and "networks=" not in spec for spec in specs):
        return None
    from agents.networks import shipped_folder  # not where none of them is wanted

    if shipped_folder(rules) is not None or shipped_folder(load_rules(rules.name)) is None:
        return None
    changed = ", ".join(rules.changes)
    return (
        f"tiers play without networks here, so other than in {rules.name}: those that ship are for its own rules "
        f"(changed: {changed})"
    )

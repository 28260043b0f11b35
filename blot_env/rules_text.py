"""Rule sets as people read them: values, differences, and what game it is."""

from importlib.resources import files
from typing import Any, Literal, get_args, get_origin

from blot_env.cards import RANKS
from blot_env.rules import SECTIONS, RuleSet, house_text, load_rules
from blot_env.speech import listed

FIELDS = tuple(field for fields in SECTIONS.values() for field in fields)
"""All fields in the order in which they are shown."""


def value_text(value: Any) -> str:
    """Return a field's value as tables show it.

    >>> value_text(True), value_text((1, 2, 4)), value_text((0, 0, 14, 10, 20, 3, 4, 11))
    ('true', '1 2 4', 'J 20, 9 14, A 11, T 10, K 4, Q 3')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, tuple):
        return str(value)
    if len(value) == len(RANKS):
        by_points = sorted(zip(RANKS, value, strict=True), key=lambda pair: -pair[1])
        return ", ".join(f"{rank} {points}" for rank, points in by_points if points) or "none"
    return " ".join(map(str, value)) or "none"


def allowed(field: str) -> str:
    """Return the values that a field may have, where they are a few words or a range of numbers.

    >>> allowed("redeal"), allowed("hand_size"), allowed("fours"), allowed("teams")
    ('same or next', '1 to 10', '', '')
    """
    info = RuleSet.model_fields[field]
    if get_origin(info.annotation) is Literal:
        return listed(map(str, get_args(info.annotation)), "or")
    limits = {end: getattr(limit, end) for limit in info.metadata for end in ("ge", "gt", "le") if hasattr(limit, end)}
    if "le" not in limits:
        return ""
    return f"{limits['ge'] if 'ge' in limits else limits['gt'] + 1} to {limits['le']}"


def differences(rules: RuleSet, other: RuleSet) -> list[str]:
    """Return the fields in which two rule sets differ, in the order of `SECTIONS`."""
    return [field for field in FIELDS if getattr(rules, field) != getattr(other, field)]


def house_rules(rules: RuleSet) -> str:
    """Return how a rule set differs from its preset, the target apart: `last_word false`; nothing where it does not."""
    own = (field for field in differences(rules, load_rules(rules.name)) if field != "target")
    return ", ".join(f"{field} {value_text(getattr(rules, field))}" for field in own)


def title(rules: str) -> str:
    """Return what game a preset or a TOML file of rules is: the first sentence of the comment that it begins with.

    >>> title("duel")
    'The two-player Armenian duel: a turned card, twenty-four cards, eight of them undealt'
    """
    shipped = files("blot_env") / "presets" / f"{rules}.toml"
    text = house_text(rules) if rules.endswith(".toml") else shipped.read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    return first.removeprefix("#").strip().partition(". ")[0].removesuffix(".") if first.startswith("#") else ""

"""A slow, plain reading of the rules, to check the engine against.

Cards and calls are strings, hands are lists, and nothing is imported from `blot_env`. What differs between the games
is a field of `presets.Rules`; `REFERENCES` finds the reference of a preset by name, `Reference(record, **fields)`
plays a deal under house rules.
"""

from tests.reference.deal import Reference
from tests.reference.presets import PRESETS, Rules

REFERENCES: dict[str, type[Reference]] = dict.fromkeys(PRESETS, Reference)

__all__ = ["PRESETS", "REFERENCES", "Reference", "Rules"]

"""A slow, plain reading of the rules, to check the engine against.

Cards and calls are strings, hands are lists, and nothing is imported from `blot_env`. Each preset is a
subclass of `Deal`; `REFERENCES` finds it by name.
"""

from tests.reference.bazar import Bazar
from tests.reference.deal import Deal

REFERENCES: dict[str, type[Deal]] = {"bazar": Bazar}

__all__ = ["REFERENCES", "Bazar", "Deal"]

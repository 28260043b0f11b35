"""What people type for an action: its notation, or shorter and looser forms of it."""

import re

from blot_env import RuleSet
from blot_env.cards import SUITS
from blot_env.speech import STRAIN_NAMES

_WORDS = {
    "auction": ("pass", "contra", "recontra"),
    "swap": ("pass", "swap"),
    "discard": (),
    "announce": ("pass", "announce"),
    "show": ("pass", "show"),
    "play": (),
}
_SYMBOLS = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss")
_STRAINS = {name.replace(" ", ""): strain for strain, name in STRAIN_NAMES.items()}
_BID = re.compile(r"(capot)?(\d*)(nt|at|[cdhs])(capot)?")
_CARD = re.compile(r"(10|[789tjqka])([cdhs])")


def notation(rules: RuleSet, phase: str, typed: str) -> str:
    """Return the action in notation; what cannot be read as one is returned as it was typed.

    >>> from blot_env import load_rules
    >>> bazar = load_rules("bazar")
    >>> [notation(bazar, "auction", text) for text in ("p", "10 no trump", "capot hearts", "9♠", "Contra")]
    ['pass', '10NT', 'capotH', '9S', 'contra']
    >>> [notation(bazar, "play", text) for text in ("10h", "j♦", "hearts")]
    ['TH', 'JD', 'hearts']
    >>> [notation(load_rules("bela4"), "auction", text) for text in ("h", "spades", "pass")]
    ['nameH', 'nameS', 'pass']
    """
    text = "".join(typed.lower().translate(_SYMBOLS).split())
    for name, strain in _STRAINS.items():
        text = text.replace(name, strain.lower())
    words = _WORDS.get(phase, ()) if rules.numbered or phase != "auction" else ("pass",)
    if text and (meant := [word for word in words if word.startswith(text)]):
        return meant[0]
    if phase != "auction":
        card = _CARD.fullmatch(text)
        return ("T" if card[1] == "10" else card[1].upper()) + card[2].upper() if card else typed
    if not rules.numbered:
        suit = text.removeprefix("name").upper()
        return f"name{suit}" if suit and suit in SUITS else typed
    bid = _BID.fullmatch(text)
    if not bid:
        return typed
    return f"{bid[1] or ''}{bid[2]}{bid[3].upper()}{bid[4] or ''}"

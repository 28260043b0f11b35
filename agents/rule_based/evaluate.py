"""What a hand is worth before play: the points that its side is likely to take, by strain.

The values of holdings were fitted by least squares to 300,000 deals of this player's own play of the cards, contracts
given, and rounded (`benchmarks/rules_player.py`). The 162 points of a deal make an average hand worth 81.
"""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from blot_env.cards import NT, RANKS, SUIT
from blot_env.combinations import blot_suits, combination_points

BASE, NT_BASE = 52.0, 56.0  # a side's points with nothing in this hand

_TRUMP_HONOURS = {"J": 22.5, "9": 10.0, "A": 5.5, "T": 2.5, "K": 1.0}
_TRUMP_LENGTH = (0.0, 0.0, 5.5, 16.0, 27.0, 34.0, 42.0, 50.0, 58.0)


def _trump_value(holding: str) -> float:
    value = _TRUMP_LENGTH[len(holding)] + sum(_TRUMP_HONOURS.get(rank, 0.0) for rank in holding)
    return value + (3.5 if "J" in holding and "9" in holding else 0.0)


def _side_value(holding: str) -> float:
    if not holding:
        return 5.5  # ruffs
    if "A" in holding:
        return 13.5 if "T" in holding else 10.5
    if "T" in holding:
        return (4.0 if "K" in holding else 2.5) if len(holding) > 1 else 0.0
    return 1.0 if "K" in holding and len(holding) > 2 else 0.0


def _nt_value(holding: str) -> float:
    if "A" in holding:
        run = next((length for length in range(1, 6) if "ATKQJ"[:length] not in _strong_first(holding)), 6) - 1
        return (18.0, 25.0, 26.0, 28.0, 32.0)[run - 1]
    if "T" in holding:
        return (8.0 if "K" in holding else 6.0) if len(holding) > 1 else 2.0
    return 1.5 if "K" in holding and len(holding) > 2 else 0.0


def _strong_first(holding: str) -> str:
    return "".join(rank for rank in "ATKQJ987" if rank in holding)


def _by_byte(value: "object") -> NDArray[np.float64]:
    holdings = ["".join(rank for bit, rank in enumerate(RANKS) if byte >> bit & 1) for byte in range(256)]
    return np.array([value(holding) for holding in holdings])  # type: ignore[operator]


_TRUMPS, _SIDE, _NT = _by_byte(_trump_value), _by_byte(_side_value), _by_byte(_nt_value)


@kernel
def card_points(strain: int, hand: int) -> float:
    """Return the card points that a side is likely to take when `strain` is played, by one of its two hands alone."""
    points = NT_BASE if strain >= NT else BASE
    for suit in range(4):
        byte = hand >> 8 * suit & SUIT
        if strain >= NT:
            points += _NT[byte]
        else:
            points += _TRUMPS[byte] if suit == strain else _SIDE[byte]
    return points


@kernel
def extra_points(rules: np.record, strain: int, hand: int) -> tuple[float, float]:
    """Return the points for combinations and blot that one side and the other are likely to score, by one hand alone.

    A terz is beaten now and then; anything longer or a four nearly never.
    """
    own = combination_points(rules, strain, hand)
    blot = float(rules.blot) if blot_suits(strain, hand) else 0.0
    if own > rules.runs[3]:
        return own + blot, 1.0
    if own > 0:
        return 0.75 * own + blot, 6.0
    return 4.0 + blot, 11.0

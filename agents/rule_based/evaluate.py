"""What a hand is worth before play: the points that its side is likely to take, by strain.

The values of holdings were fitted by least squares to 300,000 deals of this player's own play of the cards, contracts
given, and rounded (`benchmarks/rules_player.py`). The 162 points of a deal make an average hand worth 81.
"""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.cards import by_strength
from blot_env.bits import popcount
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


@kernel
def _tops(byte: int) -> int:
    """Return how many of a suit's strongest cards a holding (by strength) has without a gap."""
    count = 0
    while count < 8 and byte >> (7 - count) & 1:
        count += 1
    return count


@kernel
def takes_all(strain: int, hand: int, leads: bool) -> bool:
    """Return whether a hand takes all eight tricks however the other cards lie.

    In every suit its tops must draw whatever the others hold before its lower cards are led. At NT it must also be on
    lead; in a suit a void is ruffed.
    """
    if strain >= NT and not leads:
        return False
    places = by_strength(strain, hand)
    for suit in range(4):
        byte = places >> 8 * suit & SUIT
        held, tops = popcount(byte), _tops(byte)
        if tops < held and tops + held < 8:
            return False
        if suit == strain and tops + held < 8:
            return False
    return True


@kernel
def stops_capot(strain: int, hand: int, leads: bool) -> bool:
    """Return whether a hand is sure of a trick, or nearly: a trump that no one can draw, or aces at NT."""
    places = by_strength(strain, hand)
    if strain >= NT:
        aces = popcount(places & 0x80808080)
        return aces >= 2 or (leads and aces == 1)
    trumps = places >> 8 * strain & SUIT
    stops = False
    for guards in range(4):
        place = 7 - guards
        stops |= trumps >> place & 1 != 0 and popcount(trumps & ((1 << place) - 1)) >= guards
    return stops

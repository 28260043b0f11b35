"""What a hand is worth before play: the points that its side is likely to take, by strain.

The values of holdings were fitted by least squares to 300,000 deals, contracts given, that this player played out, and
rounded. The 162 points of a deal make an average hand worth 81.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.cards import by_strength
from blot_env.bits import popcount
from blot_env.cards import NT, RANKS, SUIT
from blot_env.combinations import blot_suits, combination_points

DECK = 162.0  # card points of a deal, the last trick included
BASE, NT_BASE = 52.0, 56.0  # a side's points with nothing in this hand

_TRUMP_HONOURS = {"J": 22.5, "9": 10.0, "A": 5.5, "T": 2.5, "K": 1.0}
_JACK_AND_NINE = 3.5
_TRUMP_LENGTH = (0.0, 0.0, 5.5, 16.0, 27.0, 34.0, 42.0, 50.0, 58.0)
_VOID = 5.5
_NT_TOPS = (0.0, 18.0, 25.0, 26.0, 28.0, 32.0)  # ace, ace and ten, ace to king ...

# What a hand without combination may expect of them, for its own side and the other, with a terz, and with better.
_NO_COMBINATION, _TERZ, _BETTER = (4.0, 11.0), (15.0, 6.0), 1.0


def _trump_value(holding: str) -> float:
    value = _TRUMP_LENGTH[len(holding)] + sum(_TRUMP_HONOURS.get(rank, 0.0) for rank in holding)
    return value + (_JACK_AND_NINE if "J" in holding and "9" in holding else 0.0)


def _side_value(holding: str) -> float:
    if not holding:
        return _VOID
    if "A" in holding:
        return 13.5 if "T" in holding else 10.5
    if "T" in holding:
        return (4.0 if "K" in holding else 2.5) if len(holding) > 1 else 0.0
    return 1.0 if "K" in holding and len(holding) > 2 else 0.0


def _nt_value(holding: str) -> float:
    if "A" in holding:
        return _NT_TOPS[next((tops for tops, rank in enumerate("ATKQJ") if rank not in holding), 5)]
    if "T" in holding:
        return (8.0 if "K" in holding else 6.0) if len(holding) > 1 else 2.0
    return 1.5 if "K" in holding and len(holding) > 2 else 0.0


def _by_byte(value: Callable[[str], float]) -> NDArray[np.float64]:
    """Return the value of each holding of a suit, a byte in natural order."""
    holdings = ["".join(rank for bit, rank in enumerate(RANKS) if byte >> bit & 1) for byte in range(256)]
    return np.array([value(holding) for holding in holdings])


_TRUMPS, _SIDE, _NT = _by_byte(_trump_value), _by_byte(_side_value), _by_byte(_nt_value)


@kernel
def card_points(strain: int, hand: int) -> float:
    """Return the card points that a side is likely to take when `strain` is played, judged by one of its hands."""
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
    """Return the points for combinations and blot that a side and the other one are likely to make, by one hand.

    A terz is beaten now and then; anything longer or a four nearly never.
    """
    combinations = float(combination_points(rules, strain, hand))
    blot = float(rules.blot) if blot_suits(rules, strain, hand) else 0.0
    if combinations > rules.runs[3]:
        return combinations + blot, _BETTER
    own, other = _TERZ if combinations else _NO_COMBINATION
    return own + blot, other


@kernel
def _tops(byte: int) -> int:
    """Return how many of a suit's strongest cards a holding (by strength) has without a gap."""
    count = 0
    while count < 8 and byte >> (7 - count) & 1:
        count += 1
    return count


@kernel
def takes_all(strain: int, hand: int, leads: bool) -> bool:
    """Return whether a hand on lead takes all eight tricks however the other cards lie.

    Its tops must draw all that the others hold of a suit before its lower cards are led, and all their trumps at once.
    When another leads, it needs trumps to spare for a ruff, and at NT it cannot be sure.
    """
    if strain >= NT and not leads:
        return False
    places = by_strength(strain, hand)
    for suit in range(4):
        byte = places >> 8 * suit & SUIT
        held, tops = popcount(byte), _tops(byte)
        needed = 8 if leads else 10
        if (tops < held or suit == strain) and tops + held < needed:
            return False
    return True


@kernel
def stops_capot(strain: int, hand: int, leads: bool) -> bool:
    """Return whether a hand is as good as sure of a trick: by a trump that cannot be drawn, or aces at NT."""
    places = by_strength(strain, hand)
    if strain >= NT:
        aces = popcount(places & 0x80808080)
        return aces > 1 or (leads and aces == 1)
    trumps = places >> 8 * strain & SUIT
    for guards in range(4):  # the jack, the nine with one card below it, the ace with two, the ten with three
        place = 7 - guards
        if trumps >> place & 1 and popcount(trumps & ((1 << place) - 1)) >= guards:
            return True
    return False

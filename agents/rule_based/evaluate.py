"""What a hand is worth before play: the points that its side is likely to take, by strain."""

import numpy as np

from agents.compile import kernel
from blot_env.bits import popcount
from blot_env.cards import AT, NT, SUIT
from blot_env.combinations import blot_suits, combination_points
from blot_env.places import by_strength


@kernel(forceinline=True)
def card_points(values: np.record, strain: int, hand: int) -> float:
    """Return the card points that a side is likely to take when `strain` is played, judged by one of its hands."""
    points = values.floor[strain]
    for suit in range(4):
        byte = hand >> 8 * suit & SUIT
        if strain == NT:
            points += values.no_trump[byte]
        elif strain == AT:
            points += values.all_trump[byte]
        else:
            points += values.trumps[byte] if suit == strain else values.side_suit[byte]
    return points


@kernel(forceinline=True)
def extra_points(rules: np.record, values: np.record, strain: int, hand: int) -> tuple[float, float]:
    """Return the points for combinations and blot that a side and the others are likely to make, by one hand.

    A terz is beaten now and then; anything longer or a four nearly never.
    """
    combinations = float(combination_points(rules, strain, hand))
    blots = rules.blot * popcount(blot_suits(rules, strain, hand))
    if combinations > rules.runs[3]:
        return combinations + values.extra[2, 0] + blots, values.extra[2, 1]
    kind = 1 if combinations else 0
    return values.extra[kind, 0] + blots, values.extra[kind, 1]


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

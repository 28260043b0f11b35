"""Runs, fours and the blot: what a hand holds, what it is worth, and which side's combinations score.

A suit's eight cards are one byte in natural order, so what runs it holds is a table over 256 bytes.
"""

import numpy as np
from numpy.typing import NDArray

from blot_env.bits import popcount
from blot_env.cards import AT, KING, NT, QUEEN, STRENGTH, SUIT
from blot_env.compile import kernel
from blot_env.seats import seat_after

TERZ, TWO_TERZES, FIFTY, TWO_FIFTIES, HUNDRED, FOUR, TWO_FOURS, SPOKEN = (1 << bit for bit in range(8))
THREE_TERZES, TWO_HUNDREDS = 1 << 8, 1 << 9  # only hands of ten cards hold so many
"""Bits of an announcement: the classes of all combinations of a hand; `SPOKEN` once the seat has played a card."""
FOUR_RANK = 1 << 20  # in `best_combination`: above every run
WORTHLESS = 2  # there: a combination without points, still above a blot
KINDS = (TERZ, FIFTY, HUNDRED, FOUR)
TWICE = (TWO_TERZES, TWO_FIFTIES, TWO_HUNDREDS, TWO_FOURS)


def _run_tables() -> NDArray[np.int64]:
    """Return `RUNS[byte] = (length of the longest run, its top rank, cards in runs, counts)`.

    A byte has at most two runs of three or more; of two runs of one length the higher one is the best. The counts are
    of terzes, fifties and hundreds, four bits each: those of a hand are the sum over its suits.
    """
    runs = np.zeros((256, 4), np.int64)
    for byte in range(256):
        found = []
        rank = 0
        while rank < 8:
            start = rank
            while rank < 8 and byte >> rank & 1:
                rank += 1
            if rank - start >= 3:
                found.append((rank - start, rank - 1))
                runs[byte, 2] |= (1 << rank) - (1 << start)
                runs[byte, 3] += 1 << 4 * (min(rank - start, 5) - 3)
            rank += 1
        found.sort(reverse=True)
        if found:
            runs[byte, :2] = found[0]
    return runs


RUNS = _run_tables()


@kernel(forceinline=True)
def fours_of(rules: np.record, strain: int, cards: int) -> int:
    """Return the ranks (a byte) of which the cards hold a four that counts."""
    return cards & cards >> 8 & cards >> 16 & cards >> 24 & rules.four_counts[strain]


@kernel(forceinline=True)
def combination_points(rules: np.record, strain: int, cards: int) -> int:
    """Return the points of all runs and fours that the cards hold at a strain, without the blot."""
    counts = 0
    for suit in range(4):
        counts += RUNS[cards >> 8 * suit & SUIT, 3]
    points = (counts & 15) * rules.runs[3] + (counts >> 4 & 15) * rules.runs[4] + (counts >> 8) * rules.runs[5]
    fours = fours_of(rules, strain, cards)
    if fours:
        for rank in range(8):
            if fours >> rank & 1:
                points += rules.fours[strain, rank]
    return points


@kernel
def best_combination(rules: np.record, strain: int, cards: int) -> int:
    """Return a number that is larger for a better best combination (rules, section 3), 0 for none.

    By kind a four beats any run, of two fours the higher value; then the longer run (or the higher class), the higher
    top card, a run in trump. Or the one of more points. Equal numbers are decided by who comes first from eldest.
    """
    best = 1 if rules.blot_compared and blot_suits(rules, strain, cards) else 0
    for suit in range(4):
        byte = cards >> 8 * suit & SUIT
        length = RUNS[byte, 0]
        if length:
            if rules.by_points:
                worth = rules.runs[length] << 8 | WORTHLESS
            else:
                in_trump = 1 if rules.trump_run_is_better and suit == strain else 0
                worth = (min(length, 5) if rules.by_class else length) << 8 | RUNS[byte, 1] << 4 | in_trump
            best = max(best, worth)
    fours = fours_of(rules, strain, cards)
    if fours:
        for rank in range(8):
            if fours >> rank & 1:
                points = rules.fours[strain, rank] << 8
                stronger = STRENGTH[NT if strain == NT else AT, rank] if rules.four_tie_by_rank else 0
                best = max(best, points | WORTHLESS if rules.by_points else FOUR_RANK | points | stronger)
    return best


@kernel
def combination_cards(rules: np.record, strain: int, cards: int) -> int:
    """Return the set of the cards that are in some combination."""
    used = 0
    for suit in range(4):
        used |= RUNS[cards >> 8 * suit & SUIT, 2] << 8 * suit
    return used | fours_of(rules, strain, cards) * 0x01010101


@kernel
def announcement(rules: np.record, strain: int, cards: int) -> int:
    """Return what a hand announces: the classes of all its combinations, as bits."""
    counts = popcount(fours_of(rules, strain, cards)) << 12
    for suit in range(4):
        counts += RUNS[cards >> 8 * suit & SUIT, 3]
    bits = SPOKEN
    if counts:
        for kind in range(4):
            count = counts >> 4 * kind & 15
            if count:
                bits |= KINDS[kind] | (0 if count == 1 else TWICE[kind])
        if counts & 15 == 3:
            bits |= THREE_TERZES
    return bits


@kernel(forceinline=True)
def pairs(cards: int) -> int:
    """Return the suits (bits 0 to 3) whose king and queen the cards hold."""
    both = cards >> QUEEN & cards >> KING & 0x01010101  # one bit a suit, eight apart
    return (both | both >> 7 | both >> 14 | both >> 21) & 15


@kernel(forceinline=True)
def blot_suits(rules: np.record, strain: int, cards: int) -> int:
    """Return the suits (bits 0 to 3) in which the cards hold a blot at a strain."""
    if strain == AT:
        return pairs(cards) if rules.blot_at else 0
    return 0 if strain == NT else pairs(cards) & 1 << strain


@kernel
def best_announcement(rules: np.record, strain: int, cards: int) -> int:
    """Return what a player who chooses to speak announces: the class of its best combination, a terz for none."""
    best, kind = -1, TERZ
    for suit in range(4):
        byte = cards >> 8 * suit & SUIT
        length = min(RUNS[byte, 0], 5)
        if length:
            worth = rules.runs[length] if rules.by_points else length
            if worth > best:
                best, kind = worth, KINDS[length - 3]
    fours = fours_of(rules, strain, cards)
    for rank in range(8):
        if fours >> rank & 1 and (not rules.by_points or rules.fours[strain, rank] > best):
            best, kind = rules.fours[strain, rank], FOUR
    return SPOKEN | kind


@kernel
def best_seat(rules: np.record, eldest: int, strain: int, dealt: NDArray[np.int64]) -> int:
    """Return the seat that holds the best combination, -1 if nobody holds one.

    Args:
        dealt: sets of cards by seat as play began, shape (4,).
    """
    best, holder = 0, -1
    for turn in range(rules.players):
        seat = seat_after(rules.players, eldest, turn)
        worth = best_combination(rules, strain, dealt[seat])
        if worth > best:
            best, holder = worth, seat
    return holder

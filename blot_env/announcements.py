"""What seats say of their combinations: the words for it, and how good the best one of a seat can be, as others tell.

`Worths` keeps for each seat the least and the most that `best_combination` can be for its hand.
"""

from collections.abc import Collection
from functools import cache

from blot_env.combinations import (
    FIFTY,
    FOUR,
    HUNDRED,
    KINDS,
    RUNS,
    SPOKEN,
    TERZ,
    THREE_TERZES,
    TWO_FIFTIES,
    TWO_FOURS,
    TWO_HUNDREDS,
    TWO_TERZES,
    announcement,
    best_combination,
)
from blot_env.rules import RuleSet
from blot_env.seats import seat_after

CLASSES = ("terz", "fifty", "hundred", "four")
_COUNTED = ((TERZ, TWO_TERZES, THREE_TERZES), (FIFTY, TWO_FIFTIES), (HUNDRED, TWO_HUNDREDS), (FOUR, TWO_FOURS))
"""By class the bits of one, of two and of three such combinations."""
_UNBOUNDED = 1 << 40


def announced_classes(bits: int) -> list[str] | None:
    """Return the classes of an announcement, None when the seat has not spoken."""
    if not bits & SPOKEN:
        return None
    return [name for name, counted in zip(CLASSES, _COUNTED, strict=True) for bit in counted if bits & bit]


def classes_text(bits: int) -> str:
    """Return the classes of an announcement as one says them."""
    return " and ".join(announced_classes(bits) or []) or "nothing"


def announced_bits(classes: list[str]) -> int | None:
    """Return the announcement of some classes, None when no hand holds them all."""
    bits = SPOKEN
    for name, counted in zip(CLASSES, _COUNTED, strict=True):
        for bit in counted[: classes.count(name)]:
            bits |= bit
    return bits if sorted(classes) == sorted(announced_classes(bits) or []) else None


class Worths:
    """By seat the least and the most that its best combination can be worth (see `best_combination`).

    Args:
        dealer: its seat; of equal combinations the first from eldest is the better one.
    """

    def __init__(self, rules: RuleSet, dealer: int) -> None:
        self._rules = rules
        self._blot = 1 if rules.blot_compared else 0  # it may add so much to a hand without combinations
        eldest = int(seat_after(rules.players, dealer))
        self._turn = [(seat - eldest) % rules.players for seat in range(rules.players)]
        self.least = [0] * rules.players
        self.most = [_UNBOUNDED] * rules.players

    def hear(self, seat: int, strain: int, announced: int) -> None:
        """Take in what a seat announces of its whole hand; it holds nothing if that is nothing.

        Raises:
            ValueError: there are no such combinations at this strain.
        """
        worths = _worths(self._rules, strain)
        self.least[seat] = self.most[seat] = 0
        for kind in KINDS:
            if announced & kind:
                if kind not in worths:
                    raise ValueError(f"seat {seat} cannot announce a {CLASSES[KINDS.index(kind)]}: none counts here")
                self.least[seat] = max(self.least[seat], worths[kind][0])
                self.most[seat] = max(self.most[seat], worths[kind][1])
        if self._rules.bluff and announced & TERZ:
            self.least[seat] = 0
        self.most[seat] = max(self.most[seat], self._blot)

    def see(self, seat: int, strain: int, cards: int) -> None:
        """Take in all combinations of a seat."""
        self.least[seat] = int(best_combination(self._rules.record, strain, cards))
        self.most[seat] = max(self.least[seat], self._blot)

    def could_beat(self, seat: int, other: int) -> bool:
        """Return whether the best combination of a seat may be better than that of another."""
        if self.most[seat] == self.least[other]:
            return self._turn[seat] < self._turn[other]
        return self.most[seat] > self.least[other]

    def could_be_best(self, seats: Collection[int]) -> set[int]:
        """Return which of some seats may have the best combination of them all."""
        return {seat for seat in seats if all(self.could_beat(seat, other) for other in seats if other != seat)}


@cache
def _worths(rules: RuleSet, strain: int) -> dict[int, tuple[int, int]]:
    """Return for each kind of combination the least and the most that `best_combination` can be."""
    record = rules.record
    fours = [0x01010101 << rank for rank in range(8)]
    runs = [byte << 8 * suit for suit in range(4) for byte in range(256) if RUNS[byte, 2] == byte and RUNS[byte, 0]]
    worths: dict[int, tuple[int, int]] = {}
    for cards in (*fours, *runs):
        kind = int(announcement(record, strain, cards)) & ~SPOKEN
        if kind in KINDS and not cards & ~int(record.pack):
            worth = int(best_combination(record, strain, cards))
            least, most = worths.get(kind, (worth, worth))
            worths[kind] = min(least, worth), max(most, worth)
    return worths

"""An observation block by block, in words."""

import numpy as np

from blot_env import Game
from tests.reference.cards import DECK

STRAINS = ["C", "D", "H", "S", "NT", "AT"]
STRAIN_NAMES = [*STRAINS, "capot", "none"]
MOMENTS = [
    *("auction", "swap", "discard", "announce", "show", "play", "over", "contra", "recontra", "last word"),
    *("recontra asked", "own side bid", "own turn", "partner holds the trick", "last to play", "leading"),
]
STATUS = ["passed 1", "passed 2", "passed 3", "contra", "recontra", "bidder", "dealer", "holds the trick"]
FIRST_CALLS = ["pass", *STRAINS, "capot"]
CALLED = [8, 9, 10, 11, 12, 14, 16, 20]
NUMBERS = [*range(8, 32), 36, 41, 46, 51, 56, 61, 71, 81]
ANNOUNCED = ["terz", "2 terz", "fifty", "2 fifty", "hundred", "four", "2 four", "spoken"]
MISSING = [0, 5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200, 225, 250, 275, 300]
BONUS = [20, 40, 50, 70, 100, 120, 150, 200]


class Seen:
    """What a seat observes. `turn` counts seats from the own one, as do the rows of a block."""

    def __init__(self, game: Game, seat: int) -> None:
        self.rules, self.layout, self.own = game.rules, game.rules.observation, seat
        self.row, self.mask = game.observe(seat)
        assert self.row.shape == (self.layout.size,)
        assert self.row.dtype == np.uint8
        assert set(np.unique(self.row)) <= {0, 1}

    def block(self, name: str) -> np.ndarray:
        return self.row[self.layout[name]]

    def cards(self, name: str) -> set[str]:
        return {DECK[card] for card in np.flatnonzero(self.block(name))}

    def rows(self, name: str) -> list[set[str]]:
        return [{DECK[card] for card in np.flatnonzero(row)} for row in self.block(name).reshape(-1, 32)]

    def words(self, name: str, words: list[str]) -> list[str]:
        return _words(self.block(name), words)

    def bits(self, name: str, row: int = 0, rows: int = 1) -> list[int]:
        """Which bits are set in one of the equal parts of a block."""
        return np.flatnonzero(self.block(name).reshape(rows, -1)[row]).tolist()

    def number(self) -> int:
        return int(np.packbits(self.block("number_bits"), bitorder="little")[0])

    def calls(self, turn: int) -> list[int]:
        """The highest number that a seat has called in each strain, and its first number."""
        rows = self.block("calls").reshape(self.rules.players, -1)
        return np.packbits(rows[turn], bitorder="little").tolist()

    def seat(self, turn: int) -> dict[str, object]:
        """Numbers called by strain, first call, status and announcement of a seat."""
        bits = self.block("seats").reshape(self.rules.players, -1, 8)[turn]
        levels, (first, status, announced) = bits[:-3], bits[-3:]
        called = {STRAINS[i]: _words(level, CALLED) for i, level in enumerate(levels) if level.any()}
        return {
            "called": called,
            "first": _words(first, FIRST_CALLS),
            "status": _words(status, STATUS),
            "announced": _words(announced, ANNOUNCED),
        }

    def missing(self) -> list[list[int]]:
        return [_words(row, MISSING) for row in self.block("scores").reshape(-1, 24)]

    def progress(self, side: int) -> tuple[int, int, list[int]]:
        """Card points in tens, tricks, and the levels that combinations and blot reach, of a side from the own one."""
        row = self.block("progress").reshape(-1, 32)[side]
        for thermometer in (row[:16], row[16:24], row[24:]):
            assert list(thermometer) == sorted(thermometer, reverse=True)
        return int(row[:16].sum()), int(row[16:24].sum()), _words(row[24:], BONUS)


def _words(bits: np.ndarray, words: list) -> list:
    return [words[bit] for bit in np.flatnonzero(bits)]

"""What hands are worth in each shape of game, as numbers: `values_of` writes those of a rule set to one record.

The shape follows from the fields that change what a hand is worth: how many players there are, and how much of the
hands is seen in the auction. The values of holdings were fitted by least squares to deals, contracts given, that this
player played out, and rounded: 300,000 of `FOUR`, 200,000 of each other shape, 100,000 at all trump. What they were
fitted to is half of (all card points of a deal + own - others'), so that an average hand is worth half of the deal.
The margins were found by duplicate play against itself.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from blot_env.cards import AT, NT, RANKS
from blot_env.rules import RuleSet

VALUES = np.dtype(
    (
        np.record,
        [
            ("trumps", "f8", (256,)),  # by holding of a suit, a byte in natural order: card points for the side
            ("side_suit", "f8", (256,)),
            ("no_trump", "f8", (256,)),
            ("all_trump", "f8", (256,)),
            ("floor", "f8", (6,)),  # by strain: a side's card points with nothing in this hand
            ("deck", "f8", (6,)),  # card points of a deal, the last trick included
            ("undealt", "f8", (6,)),  # and of the cards that nobody plays
            ("spread", "f8", (6,)),  # standard deviation of what comes around what was promised
            ("extra", "f8", (3, 2)),  # own and others' combinations and blot: with none, a terz, and better in hand
            ("tenth", "f8"),  # match points of ten raw points
            ("bid_margin", "f8"),  # how many match points better than the calmer call a bid must look
            ("jump_margin", "f8"),  # further, for more than the lowest number; a last word can still raise
            ("name_margin", "f8", (8,)),  # that naming must bring, by turns left to the last one
        ],
    )
)


class Shape(NamedTuple):
    """What was fitted in one shape of game; suits as holdings of 7 8 9 T J Q K A."""

    base: float
    honours: dict[str, float]
    jack_and_nine: float
    length: tuple[float, ...]  # of trumps
    void: float
    ace: float
    ace_and_ten: float
    ten: float  # guarded
    ten_and_king: float
    king: float  # with two more
    spread: float
    extra: tuple[tuple[float, float], ...]  # see `VALUES`
    name_margin: tuple[float, ...] = (0.0,)


FOUR = Shape(
    base=52.0,
    honours={"J": 22.5, "9": 10.0, "A": 5.5, "T": 2.5, "K": 1.0},
    jack_and_nine=3.5,
    length=(0.0, 0.0, 5.5, 16.0, 27.0, 34.0, 42.0, 50.0, 58.0),
    void=5.5,
    ace=10.5,
    ace_and_ten=13.5,
    ten=2.5,
    ten_and_king=4.0,
    king=1.0,
    spread=30.0,
    extra=((4.0, 11.0), (15.0, 6.0), (0.0, 1.0)),
)
FOUR_HIDING = Shape(
    base=56.5,
    honours={"J": 21.5, "9": 9.5, "A": 5.0, "T": 3.0, "K": 1.0},
    jack_and_nine=3.5,
    length=(0.0, 4.0, 10.5, 21.0, 29.5, 37.5, 42.0, 46.0, 50.0),
    void=2.5,
    ace=9.0,
    ace_and_ten=10.5,
    ten=4.0,
    ten_and_king=4.0,
    king=1.5,
    spread=38.0,
    extra=((12.0, 15.0), (30.0, 12.5), (11.0, 8.0)),
    name_margin=(0.0, 1.5, -1.5, 0.0),
)
THREE = Shape(
    base=34.0,
    honours={"J": 19.5, "9": 11.0, "A": 6.5, "T": 4.5, "K": 1.5},
    jack_and_nine=3.5,
    length=(0.0, 8.5, 18.5, 30.0, 39.0, 43.0, 47.0, 51.0, 55.0),
    void=0.5,
    ace=8.5,
    ace_and_ten=13.5,
    ten=3.5,
    ten_and_king=3.5,
    king=0.5,
    spread=44.0,
    extra=((27.5, 28.5), (45.0, 25.5), (22.0, 16.0)),
    name_margin=(0.0, -2.0, -4.0),
)
TWO = Shape(
    base=31.5,
    honours={"J": 15.0, "9": 8.5, "A": 5.5, "T": 4.5, "K": 1.5},
    jack_and_nine=2.0,
    length=(0.0, 5.0, 11.0, 17.0, 22.0, 24.0, 27.0, 30.0, 33.0),
    void=0.5,
    ace=7.0,
    ace_and_ten=12.0,
    ten=4.5,
    ten_and_king=5.5,
    king=1.5,
    spread=30.0,
    extra=((14.0, 17.0), (32.5, 14.5), (11.0, 8.0)),
    name_margin=(0.0, 1.5, -3.0, 0.0),
)
TWO_DRAWING = Shape(
    base=23.5,
    honours={"J": 17.5, "9": 7.5, "A": 4.5, "T": 3.5, "K": 0.5},
    jack_and_nine=2.0,
    length=(0.0, 9.0, 19.0, 29.0, 35.0, 39.0, 43.0, 47.0, 51.0),
    void=1.5,
    ace=9.0,
    ace_and_ten=13.5,
    ten=5.5,
    ten_and_king=5.5,
    king=1.5,
    spread=23.0,
    extra=((6.0, 10.5), (23.5, 9.5), (5.0, 5.5)),
    name_margin=(0.0, 0.0, -4.5, -3.0),
)

# How many match points better than the calmer call a bid must look where its number is won or lost with it, and how
# many better again a jump. Where points alone count, any bid that looks better is one (tried in duplicate play).
BID_MARGIN, JUMP_MARGIN = 4.5, 1.0

NT_BASE, NT_SPREAD = 56.0, 33.0
_NT_TOPS = (0.0, 18.0, 25.0, 26.0, 28.0, 32.0)  # ace, ace and ten, ace to king ...
AT_BASE, AT_SPREAD = 86.0, 56.0
_AT_TOPS = (0.0, 28.0, 45.0, 48.0, 58.0)  # jack, jack and nine, jack to ace ...


def shape_of(rules: RuleSet) -> Shape:
    """Return the shape of a game."""
    if rules.players == 2:
        return TWO_DRAWING if rules.stock == "drawn" else TWO
    if rules.players == 3:
        return THREE
    return FOUR if rules.visible == rules.hand_size else FOUR_HIDING


def values_of(rules: RuleSet) -> np.record:
    """Return the values of a rule set, dtype `VALUES`."""
    shape = shape_of(rules)
    values = np.zeros(1, VALUES)[0]
    values.trumps = _by_byte(lambda holding: _trump_value(shape, holding))
    values.side_suit = _by_byte(lambda holding: _side_value(shape, holding))
    values.no_trump = _by_byte(_nt_value)
    values.all_trump = _by_byte(_at_value)
    values.floor, values.floor[NT], values.floor[AT] = shape.base, NT_BASE, AT_BASE
    values.spread, values.spread[NT], values.spread[AT] = shape.spread, NT_SPREAD, AT_SPREAD
    played = rules.players * rules.hand_size / (4 * len(rules.ranks))
    for strain in range(6):
        pack = rules.record.points[strain][rules.record.cards[: rules.record.pack_size]].sum()
        values.deck[strain] = played * pack + rules.last_trick
        values.undealt[strain] = (1 - played) * pack if rules.undealt_to == "winner" else 0.0
    values.extra = shape.extra
    tenth = values.tenth = 10 / rules.record.unit
    values.bid_margin = BID_MARGIN * tenth if rules.adds_bid else 0.0
    values.jump_margin = JUMP_MARGIN * tenth
    values.name_margin = shape.name_margin[-1] * tenth
    values.name_margin[: len(shape.name_margin)] = np.array(shape.name_margin) * tenth
    return values


def _trump_value(shape: Shape, holding: str) -> float:
    value = shape.length[len(holding)] + sum(shape.honours.get(rank, 0.0) for rank in holding)
    return value + (shape.jack_and_nine if "J" in holding and "9" in holding else 0.0)


def _side_value(shape: Shape, holding: str) -> float:
    if not holding:
        return shape.void
    if "A" in holding:
        return shape.ace_and_ten if "T" in holding else shape.ace
    if "T" in holding:
        return (shape.ten_and_king if "K" in holding else shape.ten) if len(holding) > 1 else 0.0
    return shape.king if "K" in holding and len(holding) > 2 else 0.0


def _nt_value(holding: str) -> float:
    if "A" in holding:
        return _NT_TOPS[next((tops for tops, rank in enumerate("ATKQJ") if rank not in holding), 5)]
    if "T" in holding:
        return (8.0 if "K" in holding else 6.0) if len(holding) > 1 else 2.0
    return 1.5 if "K" in holding and len(holding) > 2 else 0.0


def _at_value(holding: str) -> float:
    if "J" in holding:
        return _AT_TOPS[next((tops for tops, rank in enumerate("J9AT") if rank not in holding), 4)]
    if "9" in holding:
        return 13.5 if len(holding) > 1 else 0.0
    return 4.0 if "A" in holding and len(holding) > 2 else 0.0


def _by_byte(value: Callable[[str], float]) -> NDArray[np.float64]:
    """Return the value of each holding of a suit, a byte in natural order."""
    holdings = ["".join(rank for bit, rank in enumerate(RANKS) if byte >> bit & 1) for byte in range(256)]
    return np.array([value(holding) for holding in holdings])

"""What real play makes of the points that the solver promises the bidders.

With all cards seen nobody guesses wrong, and strong hands promise more than they come to take. The numbers are straight
lines through deals of the rule-based player, `python benchmarks/optimism.py --deals 1500 rules`.
"""

from typing import NamedTuple

import numpy as np

from agents.rule_based.values import FOUR, FOUR_HIDING, THREE, TWO, TWO_DRAWING, shape_of
from agents.search.compile import kernel
from blot_env.cards import AT, NT
from blot_env.rules import RuleSet

NORMAL = np.array([-1.40, -0.53, 0.0, 0.53, 1.40])
"""Means of the fifths of a normal variable."""


class Line(NamedTuple):
    """Points in play over points promised, both less half of the deal, and the standard deviation around the line."""

    slope: float
    shift: float
    spread: float


SUIT_LINES = (
    (FOUR, Line(0.74, 4.4, 16.6)),
    (FOUR_HIDING, Line(0.67, 5.6, 16.9)),
    (THREE, Line(0.79, 9.2, 13.4)),
    (TWO, Line(0.85, 3.2, 9.9)),
    (TWO_DRAWING, Line(0.85, 2.2, 10.6)),
)
NT_LINE = Line(0.77, -5.0, 21.5)
AT_LINE = Line(0.60, 5.8, 36.7)

PLAYED = np.dtype((np.record, [("slope", "f8", (6,)), ("offsets", "f8", (6, len(NORMAL)))]))
"""By strain: the slope, and the shift with each fifth of what comes around it."""


def played_of(rules: RuleSet) -> np.record:
    """Return what is known of a rule set, dtype `PLAYED`."""
    played = np.zeros(1, PLAYED)[0]
    suits = next(line for shape, line in SUIT_LINES if shape is shape_of(rules))
    for strain in range(6):
        line = NT_LINE if strain == NT else AT_LINE if strain == AT else suits
        played.slope[strain] = line.slope
        played.offsets[strain] = line.shift + line.spread * NORMAL
    return played


def as_solved() -> np.record:
    """Return that play takes what the solver promises, dtype `PLAYED`."""
    played = np.zeros(1, PLAYED)[0]
    played.slope = 1.0
    return played


@kernel
def played_out(slope: float, offset: float, fifth: int, value: int, whole: int) -> int:
    """Return a value of the solver as one fifth of deals come out in play.

    Args:
        slope, offset: the fifth's line, as `PLAYED` has it.
        fifth: 0 to 4, from the worst to the best for the bidders. All tricks are kept in the best two, none in the
            worst two.
        value: of the solver.
        whole: card points of the deal.
    """
    if (slope == 1.0 and offset == 0.0) or (value > whole and fifth > 2) or (value < 0 and fifth < 2):
        return value
    half = 0.5 * whole
    points = half + slope * (min(max(value, 0), whole) - half) + offset
    return round(min(max(points, 0.0), float(whole)))

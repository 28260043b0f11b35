"""Rock, paper, scissors: entrants that beat each other in a circle, whom no ranking can order."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from train.tournament.estimates import Estimate


@dataclass(frozen=True)
class Cycle:
    """Three entrants, each of whom beats the next one, and the last the first."""

    entrants: tuple[int, int, int]
    sure: bool  # each of the three by more than luck reaches; otherwise the cycle may well be luck


def find_cycles(differences: Mapping[tuple[int, int], Estimate]) -> list[Cycle]:
    """Return all cycles of three; where all have met, there is no longer cycle without one of three.

    Three equal entrants would make a sure one once in some thirty thousand tournaments: three intervals of 95 % would
    have to miss the truth, all to the same side of the circle.

    Args:
        differences: match points a board of the first entrant minus the second's, by pair (first < second).
    """
    beats: dict[tuple[int, int], bool] = {}  # and whether for sure
    for (first, second), difference in differences.items():
        if difference.mean > 0:
            beats[first, second] = difference.low is not None and difference.low > 0
        elif difference.mean < 0:
            beats[second, first] = difference.high is not None and difference.high < 0
    entrants = sorted({entrant for pair in differences for entrant in pair})
    found = []
    for a, b, c in combinations(entrants, 3):
        for circle in ((a, b, c), (a, c, b)):
            steps = [(circle[0], circle[1]), (circle[1], circle[2]), (circle[2], circle[0])]
            if all(step in beats for step in steps):
                found.append(Cycle(circle, all(beats[step] for step in steps)))
    return found

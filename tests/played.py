"""Boards and matches of two entrants, for tests of what is read from them."""

import numpy as np

import agents
from blot_env import RuleSet
from train.tournament import seating as seats
from train.tournament.entrants import entrants_of
from train.tournament.played import Played
from train.tournament.tables import play_boards


def seating(rules: RuleSet) -> np.ndarray:
    """Who plays each side at each table, (tables, sides)."""
    return seats.seatings(rules.sides, 2)


def play(rules: RuleSet, first: str, second: str, boards: int | range, seed: int, matches: bool = False) -> Played:
    """Play boards, so many or these, in all seatings of two agents."""
    meeting = entrants_of(rules, (first, second))
    made = {spec: agents.make(spec, rules) for entrant in meeting for spec in entrant.agents}
    return play_boards(
        rules,
        made,
        meeting,
        range(boards) if isinstance(boards, int) else boards,
        seed,
        play="matches" if matches else "boards",
    )

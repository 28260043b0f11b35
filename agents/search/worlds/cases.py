"""The cases that are counted apart: which fours the seats hold, and who has a seven that could have been swapped."""

import numpy as np

from agents.search.worlds.boxes import seven_weight, unseen_seven
from agents.search.worlds.compile import kernel
from agents.search.worlds.counting import (
    RUNS_EXACT,
    RUNS_FREE,
    RUNS_NONE,
    RUNS_SHOWN,
    RUNS_SOME,
    RUNS_WITHIN,
    count_case,
)
from agents.search.worlds.evidence import BEST, CLASSES, SHOWN, UNHEARD
from agents.search.worlds.knowledge import CASES, NOWHERE, UNWATCHED
from blot_env.bits import popcount
from blot_env.combinations import FOUR, SPOKEN, TWO_FOURS, best_combination, fours_of

EVERYTHING, NOT_SILENCE, CARDS_ALONE = range(3)
"""What is counted: all that is known; all but that who stayed silent has something to announce; where cards may be.
What is not counted is checked of each world that is drawn."""
FOURS = 0x01010101  # the four of rank 0


@kernel
def count_cases(rules: np.record, view: np.record, conditions: int, knowledge: np.record) -> bool:
    """Count the worlds of all cases; return whether there was room for it."""
    knowledge.cases = 0
    knowledge.starts = 0
    knowledge.total = 0
    knowledge.groups = 0
    knowledge.allotments = 0
    knowledge.counted = 0
    boxes = knowledge.boxes
    for box in range(boxes):
        knowledge.choices[box] = 0
        _list_choices(rules, view.public, box, conditions, knowledge)
    card = unseen_seven(rules, view.public, knowledge.unseen)
    for place in range(boxes if card >= 0 else 1):
        weight = seven_weight(rules, knowledge.seat[place]) if card >= 0 else 1
        ways = 1 if weight else 0
        for box in range(boxes):
            ways *= knowledge.choices[box]
        for way in range(ways):
            if knowledge.cases == CASES:
                return False
            seven = 1 << card if card >= 0 else 0
            possible = _prepare_case(rules, view.public.strain, way, seven, place, knowledge)
            if possible and not count_case(rules, view.public, weight, knowledge):
                return False
    return True


@kernel
def _list_choices(rules: np.record, public: np.record, box: int, conditions: int, knowledge: np.record) -> None:
    """List what fours a box may have, together with how its runs are then counted."""
    seat = knowledge.seat[box]
    told = UNHEARD if seat == NOWHERE or conditions == CARDS_ALONE else knowledge.told[seat]
    announced = 0 if seat == NOWHERE else public.announced[seat]
    silent = told == BEST and knowledge.least[seat] > 0 and announced & ~SPOKEN == 0
    if told == SHOWN:
        _choose(knowledge, box, fours_of(rules, public.strain, public.shown[seat]), RUNS_SHOWN)
    elif told == CLASSES:
        fours = 2 if announced & TWO_FOURS else 1 if announced & FOUR else 0
        _choose_fours(rules, public, box, fours, RUNS_EXACT, knowledge)
    elif silent and conditions == EVERYTHING:
        _choose(knowledge, box, UNWATCHED, RUNS_SOME)
        _choose_fours(rules, public, box, 1, RUNS_NONE, knowledge)
        _choose_fours(rules, public, box, 2, RUNS_NONE, knowledge)
    elif told == UNHEARD or silent:
        _choose(knowledge, box, UNWATCHED, RUNS_FREE)
    elif announced & FOUR:
        _choose_fours(rules, public, box, 1, RUNS_FREE, knowledge)
        _choose_fours(rules, public, box, 2, RUNS_FREE, knowledge)
    else:
        runs = RUNS_SOME if knowledge.least[seat] else RUNS_WITHIN
        unwatched = rules.by_points and announced & ~SPOKEN
        _choose(knowledge, box, UNWATCHED if unwatched else 0, runs)


@kernel
def _choose(knowledge: np.record, box: int, fours: int, runs: int) -> None:
    choice = knowledge.choices[box]
    knowledge.choice_fours[box, choice] = fours
    knowledge.choice_runs[box, choice] = runs
    knowledge.choices[box] += 1


@kernel
def _choose_fours(rules: np.record, public: np.record, box: int, number: int, runs: int, knowledge: np.record) -> None:
    """List all sets of so many fours that a seat can have held."""
    most = knowledge.most[knowledge.seat[box]]
    ranks = fours_of(rules, public.strain, knowledge.fixed[box] | knowledge.may[box])
    for rank in range(8):
        if best_combination(rules, public.strain, FOURS << rank) > most:
            ranks &= ~(1 << rank)
    for fours in range(256):
        if fours & ~ranks == 0 and popcount(fours) == number:
            _choose(knowledge, box, fours, runs)


@kernel
def _prepare_case(rules: np.record, strain: int, way: int, seven: int, place: int, knowledge: np.record) -> bool:
    """Write the cards that are known to be somewhere in a case, and which each box still may hold.

    Args:
        way: the number of the case, among those with the seven (a set) in the same place.

    Returns:
        whether the case can be, as far as that goes.
    """
    case = knowledge.cases
    taken = 0
    for box in range(knowledge.boxes):
        choice = way % knowledge.choices[box]
        way //= knowledge.choices[box]
        fours = knowledge.choice_fours[box, choice]
        knowledge.fours[case, box] = fours
        knowledge.runs[box] = knowledge.choice_runs[box, choice]
        held = knowledge.fixed[box] | (fours * FOURS if fours != UNWATCHED else 0)
        if box == place:
            if seven & ~knowledge.may[box]:
                return False
            held |= seven
        if held & taken:
            return False
        knowledge.held[case, box] = held
        taken |= held
    for box in range(knowledge.boxes):
        held = knowledge.held[case, box]
        knowledge.case_may[box] = knowledge.may[box] & ~taken
        knowledge.case_room[box] = knowledge.room[box] - popcount(held & ~knowledge.fixed[box])
        if knowledge.case_room[box] < 0:
            return False
        if knowledge.fours[case, box] != UNWATCHED:
            knowledge.case_may[box] &= ~_fourth_cards(rules, strain, held) | knowledge.fours[case, box] * FOURS
    knowledge.unfixed = knowledge.unseen & ~taken
    return True


@kernel
def _fourth_cards(rules: np.record, strain: int, held: int) -> int:
    """Return the cards that would make a four that counts of three cards held."""
    found = 0
    for suit in range(4):
        others = rules.four_counts[strain]
        for other in range(4):
            if other != suit:
                others &= held >> 8 * other
        found |= others << 8 * suit
    return found

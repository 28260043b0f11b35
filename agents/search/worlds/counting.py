"""Counting the worlds of a case, suit by suit.

How a suit's cards may lie is an *allotment*: a set of them for each box. All allotments of a suit that fill as many
places in the same boxes, and bring the same announced runs, are a *group*. What is still to be filled, before a suit,
is a key of packed fields: cards by box, and announced runs by box and class. `count` has, for each key, in how many
ways the suits from there on fill it exactly.
"""

import numpy as np

from agents.search.worlds.boxes import nobody_held_a_suit
from agents.search.worlds.compile import kernel
from agents.search.worlds.knowledge import ALLOTMENTS, COUNTS, FIELD, GROUPS, GUARDS, NOWHERE, STARTS, TABLE
from blot_env.bits import popcount
from blot_env.cards import SUIT
from blot_env.combinations import (
    FIFTY,
    HUNDRED,
    RUNS,
    SPOKEN,
    TERZ,
    THREE_TERZES,
    TWO_FIFTIES,
    TWO_HUNDREDS,
    TWO_TERZES,
    best_announcement,
    best_combination,
)

RUNS_FREE, RUNS_EXACT, RUNS_SHOWN, RUNS_SOME, RUNS_NONE, RUNS_WITHIN = range(6)
"""How a box's runs are counted: not at all; the announced ones exactly; the shown ones; at least one between the
least and the most that it can be; none; none above the most."""
NO_FIELD = -1
MISFIT = -1


@kernel
def count_case(rules: np.record, public: np.record, weight: int, knowledge: np.record) -> bool:
    """Count the worlds of the case prepared, and keep it if there are any; return whether there was room for it."""
    size, most = _lay_fields(rules, public, knowledge)
    if size > TABLE or knowledge.counted + 3 * size > COUNTS:
        return False
    case = knowledge.cases
    before = knowledge.groups, knowledge.allotments, knowledge.starts
    for suit in range(4):
        knowledge.suit_groups[case, suit] = knowledge.groups
        if not _group_suit(rules, public, suit, knowledge):
            return False
    knowledge.suit_groups[case, 4] = knowledge.groups
    for suit in range(3):
        knowledge.table[case, suit + 1] = knowledge.counted + suit * size
    knowledge.count[knowledge.counted : knowledge.counted + 3 * size] = 0
    _count_suits(knowledge, most)
    if not _count_starts(rules, knowledge, weight):
        return False
    if knowledge.starts > before[2]:
        knowledge.cases += 1
        knowledge.counted += 3 * size
    else:
        knowledge.groups, knowledge.allotments, _ = before
    return True


@kernel
def _lay_fields(rules: np.record, public: np.record, knowledge: np.record) -> tuple[int, int]:
    """Lay out the fields of keys and the table of counts; return the table's size and the key of all fields full."""
    boxes = knowledge.boxes
    widest = 0  # its cards are those that are left over
    for box in range(boxes):
        if knowledge.case_room[box] >= knowledge.case_room[widest]:
            widest = box
    shift, stride, most = 0, 1, 0
    for box in range(boxes):
        knowledge.card_shift[box] = NO_FIELD
        if box != widest:
            knowledge.card_shift[box] = shift
            knowledge.card_stride[box] = stride
            most |= knowledge.case_room[box] << shift
            shift += FIELD
            stride *= knowledge.case_room[box] + 1
        for kind in range(3):
            wanted = _most_runs(rules, public, box, kind, knowledge)
            knowledge.run_shift[box, kind] = NO_FIELD
            knowledge.run_most[box, kind] = wanted
            if wanted:
                knowledge.run_shift[box, kind] = shift
                knowledge.run_stride[box, kind] = stride
                most |= wanted << shift
                shift += FIELD
                stride *= wanted + 1
    return stride, most


@kernel
def _most_runs(rules: np.record, public: np.record, box: int, kind: int, knowledge: np.record) -> int:
    """Return how many runs of a class (0, 1, 2) are counted of a box, or may be."""
    if knowledge.runs[box] == RUNS_SOME:
        return min(4, rules.hand_size // 3) if kind == 0 else 0
    if knowledge.runs[box] != RUNS_EXACT:
        return 0
    announced = public.announced[knowledge.seat[box]]
    once = TERZ if kind == 0 else FIFTY if kind == 1 else HUNDRED
    twice = TWO_TERZES if kind == 0 else TWO_FIFTIES if kind == 1 else TWO_HUNDREDS
    number = 2 if announced & twice else 1 if announced & once else 0
    return 3 if kind == 0 and announced & THREE_TERZES else number


# The groups of a suit


@kernel
def _group_suit(rules: np.record, public: np.record, suit: int, knowledge: np.record) -> bool:
    """List the allotments of a suit, sorted by group; return whether there was room for them."""
    for box in range(knowledge.boxes):
        _fit_suit(rules, public, suit, box, knowledge)
    _list_leaves(knowledge, suit)
    leaves, tally = knowledge.leaves, knowledge.tally
    if knowledge.allotments + leaves > ALLOTMENTS:
        return False
    for leaf in range(leaves):
        tally[knowledge.leaf_offset[leaf]] = 0
    for leaf in range(leaves):
        tally[knowledge.leaf_offset[leaf]] += 1
    for leaf in range(leaves):
        offset = knowledge.leaf_offset[leaf]
        if tally[offset] > 0:  # the first of its group: keep room, and where the next one goes, below 0
            if knowledge.groups == GROUPS:
                return False
            group = knowledge.groups
            knowledge.need[group] = knowledge.leaf_need[leaf]
            knowledge.offset[group] = offset
            knowledge.alike[group] = tally[offset]
            knowledge.first[group] = knowledge.allotments
            knowledge.groups += 1
            knowledge.allotments += tally[offset]
            tally[offset] = -1 - knowledge.first[group]
        knowledge.allotment[-1 - tally[offset]] = knowledge.leaf_allotment[leaf]
        tally[offset] -= 1
    return True


@kernel
def _fit_suit(rules: np.record, public: np.record, suit: int, box: int, knowledge: np.record) -> None:
    """Write for each set of a suit's cards that a box may get what it fills, MISFIT if it cannot get it."""
    held = knowledge.held[knowledge.cases, box] >> 8 * suit & SUIT
    may = knowledge.case_may[box] >> 8 * suit & SUIT
    cards = may
    while True:
        count = popcount(cards)
        need, offset = MISFIT, 0
        if count <= knowledge.case_room[box]:
            need, offset = _runs_of(rules, public, suit, box, held | cards, knowledge)
            if need != MISFIT and knowledge.card_shift[box] != NO_FIELD:
                need += count << knowledge.card_shift[box]
                offset += count * knowledge.card_stride[box]
        knowledge.fit_need[box, cards] = need
        knowledge.fit_offset[box, cards] = offset
        if cards == 0:
            break
        cards = (cards - 1) & may


@kernel
def _runs_of(
    rules: np.record, public: np.record, suit: int, box: int, byte: int, knowledge: np.record
) -> tuple[int, int]:
    """Return what a suit's cards of a box bring of the runs that are counted, MISFIT if it cannot have them."""
    seat, how = knowledge.seat[box], knowledge.runs[box]
    if seat == NOWHERE:
        return 0, 0
    if nobody_held_a_suit(rules, public) and byte == rules.pack >> 8 * suit & SUIT:
        return MISFIT, 0
    if how == RUNS_FREE or RUNS[byte, 0] == 0:
        return 0, 0
    if how == RUNS_SHOWN:
        return MISFIT if RUNS[byte, 2] & ~(public.shown[seat] >> 8 * suit) else 0, 0
    if how == RUNS_NONE:
        return MISFIT, 0
    worth = best_combination(rules, public.strain, byte << 8 * suit)
    if worth > knowledge.most[seat]:
        return MISFIT, 0
    need, offset = 0, 0
    if how == RUNS_EXACT:
        for kind in range(3):
            number = RUNS[byte, 3] >> 4 * kind & 15
            if number > knowledge.run_most[box, kind]:
                return MISFIT, 0
            if number:
                need += number << knowledge.run_shift[box, kind]
                offset += number * knowledge.run_stride[box, kind]
    elif how == RUNS_SOME and worth >= knowledge.least[seat]:
        kind = public.announced[seat] & ~SPOKEN
        if not kind or best_announcement(rules, public.strain, byte << 8 * suit) == SPOKEN | kind:
            need = 1 << knowledge.run_shift[box, 0]
            offset = knowledge.run_stride[box, 0]
    return need, offset


@kernel
def _list_leaves(knowledge: np.record, suit: int) -> None:
    """List all ways to allot the unseen cards of a suit to the boxes, each set of cards one that fits its box."""
    left, part = (
        knowledge.left_over,
        knowledge.part,
    )  # by box: the cards for it and the boxes after it; what it gets next
    need, offset, allotment = (
        knowledge.sum_need,
        knowledge.sum_offset,
        knowledge.sum_allotment,
    )  # of the boxes before it
    last, box = knowledge.boxes - 1, 0
    knowledge.leaves = 0
    left[0] = knowledge.unfixed >> 8 * suit & SUIT
    part[0] = left[0] & knowledge.case_may[0] >> 8 * suit
    need[0], offset[0], allotment[0] = 0, 0, 0
    while box >= 0:
        cards = part[box]
        if cards < 0:
            box -= 1
            continue
        may = left[box] & knowledge.case_may[box] >> 8 * suit
        part[box] = (cards - 1) & may if cards and box < last else -1
        if box == last and cards != left[box]:  # they are left over
            continue
        if knowledge.fit_need[box, cards] == MISFIT:
            continue
        sum_need = need[box] + knowledge.fit_need[box, cards]
        sum_offset = offset[box] + knowledge.fit_offset[box, cards]
        sum_allotment = allotment[box] | cards << 8 * box
        if box == last:
            knowledge.leaf_need[knowledge.leaves] = sum_need
            knowledge.leaf_offset[knowledge.leaves] = sum_offset
            knowledge.leaf_allotment[knowledge.leaves] = sum_allotment
            knowledge.leaves += 1
            continue
        box += 1
        need[box], offset[box], allotment[box] = sum_need, sum_offset, sum_allotment
        left[box] = left[box - 1] & ~cards
        part[box] = left[box] & knowledge.case_may[box] >> 8 * suit


# Counting


@kernel
def _count_suits(knowledge: np.record, most: int) -> None:
    """Count in how many ways the last one, two and three suits fill each key."""
    case, count = knowledge.cases, knowledge.count
    reached, reached_key = knowledge.reached, knowledge.reached_key
    reached[0, 0], reached_key[0, 0] = 0, 0
    many, now = 1, 0
    for suit in range(3, 0, -1):
        table, after = knowledge.table[case, suit], knowledge.table[case, suit + 1] if suit < 3 else -1
        found = 0
        for group in range(knowledge.suit_groups[case, suit], knowledge.suit_groups[case, suit + 1]):
            need, offset, size = knowledge.need[group], knowledge.offset[group], knowledge.alike[group]
            for entry in range(many):
                key = reached_key[now, entry] + need
                if (most | GUARDS) - key & GUARDS == GUARDS:
                    index = reached[now, entry] + offset
                    if count[table + index] == 0:
                        reached[1 - now, found] = index
                        reached_key[1 - now, found] = key
                        found += 1
                    count[table + index] += size * (count[after + reached[now, entry]] if suit < 3 else 1)
        many, now = found, 1 - now


@kernel
def _count_starts(rules: np.record, knowledge: np.record, weight: int) -> bool:
    """List what the four suits may fill, all places and the announced runs; return whether there was room for it.

    Where a seat holds at least one run, each number of them is a start.
    """
    ways, key, index = 1, 0, 0
    for box in range(knowledge.boxes):
        if knowledge.card_shift[box] != NO_FIELD:
            key += knowledge.case_room[box] << knowledge.card_shift[box]
            index += knowledge.case_room[box] * knowledge.card_stride[box]
        if knowledge.runs[box] == RUNS_SOME:
            ways *= knowledge.run_most[box, 0]
        else:
            for kind in range(3):
                if knowledge.run_most[box, kind]:
                    key += knowledge.run_most[box, kind] << knowledge.run_shift[box, kind]
                    index += knowledge.run_most[box, kind] * knowledge.run_stride[box, kind]
    for way in range(ways):
        start_key, start_index = key, index
        for box in range(knowledge.boxes):
            if knowledge.runs[box] == RUNS_SOME:
                number = way % knowledge.run_most[box, 0] + 1
                way //= knowledge.run_most[box, 0]
                start_key += number << knowledge.run_shift[box, 0]
                start_index += number * knowledge.run_stride[box, 0]
        number = _count_start(knowledge, start_key, start_index)
        if number:
            start = knowledge.starts
            if start == STARTS:
                return False
            knowledge.start_case[start] = knowledge.cases
            knowledge.start_weight[start] = weight
            knowledge.start_key[start] = start_key
            knowledge.start_index[start] = start_index
            knowledge.total += number * weight
            knowledge.start_stop[start] = knowledge.total
            knowledge.starts += 1
    return True


@kernel
def _count_start(knowledge: np.record, key: int, index: int) -> int:
    """Return in how many ways the four suits fill a key."""
    case = knowledge.cases
    number = 0
    for group in range(knowledge.suit_groups[case, 0], knowledge.suit_groups[case, 1]):
        if (key | GUARDS) - knowledge.need[group] & GUARDS == GUARDS:
            following = knowledge.count[knowledge.table[case, 1] + index - knowledge.offset[group]]
            number += knowledge.alike[group] * following
    return number

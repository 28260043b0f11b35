"""Preparing, once a decision, what a seat knows."""

import numpy as np

from agents.search.worlds.boxes import find_boxes, nobody_held_a_suit, unseen_seven
from agents.search.worlds.cases import CARDS_ALONE, EVERYTHING, NOT_SILENCE, count_cases
from agents.search.worlds.compile import kernel
from agents.search.worlds.decks import prepare_deck
from agents.search.worlds.evidence import UNHEARD, gather
from agents.search.worlds.knowledge import COUNTED, UNSEEN_HANDS, UNSEEN_PLACES
from blot_env.state import AUCTION
from blot_env.state import SWAP as SWAPPING


@kernel
def study(rules: np.record, view: np.record, knowledge: np.record) -> bool:
    """Prepare what a seat knows, in a deal that is not over, for `imagine`.

    Returns whether there is a world, as far as worlds are counted: `imagine` may still find that none agrees.

    Args:
        view: dtype `VIEW`, of any seat, to act or not.
        knowledge: dtype `KNOWLEDGE`, written.
    """
    gather(rules, view, knowledge)
    if view.public.phase in (AUCTION, SWAPPING):
        knowledge.method = UNSEEN_PLACES
        prepare_deck(rules, view, knowledge)
        return True
    find_boxes(rules, view, knowledge)
    if _anything_goes(rules, view.public, knowledge):
        knowledge.method = UNSEEN_HANDS
        return True
    knowledge.method = COUNTED
    for conditions in (EVERYTHING, NOT_SILENCE, CARDS_ALONE):
        if count_cases(rules, view, conditions, knowledge):
            return knowledge.total > 0
    return False


@kernel
def _anything_goes(rules: np.record, public: np.record, knowledge: np.record) -> bool:
    """Return whether the unseen cards may lie in any way."""
    if nobody_held_a_suit(rules, public) or unseen_seven(rules, public, knowledge.unseen) >= 0:
        return False
    for box in range(knowledge.boxes):
        seat = knowledge.seat[box]
        if knowledge.may[box] != knowledge.unseen or (seat >= 0 and knowledge.told[seat] != UNHEARD):
            return False
    return True

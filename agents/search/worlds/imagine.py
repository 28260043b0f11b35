"""Drawing worlds: deals that a seat cannot tell from the real one, each as likely as any other.

A world is a number below that of all worlds counted; what has not been counted is checked, and another number tried.
"""

import numpy as np

from agents.search.worlds.compile import kernel
from agents.search.worlds.decks import order_deck, shuffle_deck
from agents.search.worlds.evidence import agrees, claims_agree
from agents.search.worlds.knowledge import GUARDS, UNSEEN_HANDS, UNSEEN_PLACES, UNWATCHED
from blot_env.bits import lowest
from blot_env.cards import SUIT
from blot_env.claims import best_of
from blot_env.combinations import best_seat, fours_of
from blot_env.dealing import lay_out
from blot_env.random import below, draw
from blot_env.rules_record import STOCK_TO_NAMER
from blot_env.seats import seat_after, union

TRIES = 1 << 14
"""Numbers tried at random; after that many, the next ones in order: what is there is found."""
IN_ORDER = 1 << 24
"""At most so many of those, which takes seconds: a seat may be told what no deal leads to, and then none agrees."""


@kernel
def imagine(rules: np.record, view: np.record, knowledge: np.record, key: int, state: np.record) -> bool:
    """Write one world: a whole deal, with the table as it is, that agrees with all that the seat knows.

    Returns whether there is one; where there is none, the row is not to be used.

    Args:
        view: what the seat knows, as it was studied.
        knowledge: what `study` has made of it.
        key: 63 bits; the same key gives the same world.
        state: dtype `STATE`, written: all of it; its board has no numbers (0), and what is over (`result`) is zeros.
    """
    if knowledge.method == UNSEEN_PLACES:
        shuffle_deck(rules, view, knowledge, key, state.deck)
        lay_out(rules, state)
        state.public = view.public
    else:
        state.public = view.public
        if not _imagine_hands(rules, view, knowledge, key, state):
            return False
        for seat in range(rules.players):
            state.hands[seat] = state.dealt[seat] & ~view.public.played[seat]
            state.down[seat] = 0
        order_deck(rules, view.public, knowledge, key, state)
        _find_scorer(rules, view.public, knowledge, state)
    state.discards[:] = 0
    aside, place = state.aside, 0
    while aside:
        state.discards[place] = lowest(aside)
        aside &= aside - 1
        place += 1
    state.seed, state.board, state.deal, state.redeal = 0, 0, 0, 0
    state.result = knowledge.result
    return True


@kernel
def _imagine_hands(rules: np.record, view: np.record, knowledge: np.record, key: int, state: np.record) -> bool:
    """Write the hands as play began, and what the namer has put aside; return whether they can be."""
    state.dealt[:] = 0
    state.dealt[view.seat] = view.dealt
    if knowledge.method == UNSEEN_HANDS:
        _deal_out(knowledge, key, state)
    elif not find_world(rules, view.public, knowledge, key, TRIES, state):
        return False
    everyone = view.aside | view.public.out | union(state.dealt)
    hidden_namer = rules.stock == STOCK_TO_NAMER and view.public.bidder != view.seat
    state.aside = rules.pack & ~everyone if hidden_namer else view.aside
    return True


@kernel
def find_world(
    rules: np.record, public: np.record, knowledge: np.record, key: int, tries: int, state: np.record
) -> bool:
    """Write the hands of a random world: of the first number, of so many random ones and those after, that agrees.

    Returns whether there is one.
    """
    number, total = 0, knowledge.total
    for attempt in range(tries + min(total, IN_ORDER) if total else 0):
        number = _random_number(key, attempt, total) if attempt < tries else (number + 1) % total
        if _write_world(rules, public, knowledge, number, state):
            return True
    return False


@kernel
def _random_number(key: int, attempt: int, stop: int) -> int:
    """Return a random number below `stop`; the bias is below stop / 2^63."""
    high, low = draw(key, 2 * attempt) & 0x7FFFFFFF, draw(key, 2 * attempt + 1)
    return (high << 32 | low) % stop


@kernel
def _write_world(rules: np.record, public: np.record, knowledge: np.record, number: int, state: np.record) -> bool:
    """Write the hands of a world given by its number; return whether they agree with what has not been counted."""
    start = 0
    while number >= knowledge.start_stop[start]:
        start += 1
    if start:
        number -= knowledge.start_stop[start - 1]
    number //= knowledge.start_weight[start]
    case = knowledge.start_case[start]
    key, index = knowledge.start_key[start], knowledge.start_index[start]
    for box in range(rules.players - 1):
        state.dealt[knowledge.seat[box]] = knowledge.held[case, box]
    for suit in range(4):
        group = knowledge.suit_groups[case, suit]
        following = 0
        while True:
            rest = (key | GUARDS) - knowledge.need[group]
            if rest & GUARDS == GUARDS:
                following = 1
                if suit < 3:
                    following = knowledge.count[knowledge.table[case, suit + 1] + index - knowledge.offset[group]]
                elif rest != GUARDS:
                    following = 0
                worlds = knowledge.alike[group] * following
                if number < worlds:
                    break
                number -= worlds
            group += 1
        key -= knowledge.need[group]
        index -= knowledge.offset[group]
        which = number // following
        number -= which * following
        cards = int(knowledge.allotment[knowledge.first[group] + which])
        for box in range(rules.players - 1):
            state.dealt[knowledge.seat[box]] |= (cards >> 8 * box & SUIT) << 8 * suit
    for box in range(rules.players - 1):
        seat = knowledge.seat[box]
        cards, fours = state.dealt[seat], knowledge.fours[case, box]
        if fours != UNWATCHED and fours_of(rules, public.strain, cards) != fours:
            return False
        if not agrees(rules, public, knowledge, seat, cards):
            return False
    return claims_agree(rules, public, knowledge, state.dealt)


@kernel
def _deal_out(knowledge: np.record, key: int, state: np.record) -> None:
    """Deal the unseen cards out to the boxes, at random."""
    order, unseen = knowledge.order, knowledge.unseen
    number = 0
    while unseen:  # each card takes the place of a random one, which goes to the end
        place = below(key, number, number + 1)
        order[number] = order[place]
        order[place] = lowest(unseen)
        unseen &= unseen - 1
        number += 1
    for box in range(knowledge.boxes):
        seat = knowledge.seat[box]
        if seat >= 0:
            state.dealt[seat] = knowledge.fixed[box]
            for _ in range(knowledge.room[box]):
                number -= 1
                state.dealt[seat] |= 1 << int(order[number])


@kernel
def _find_scorer(rules: np.record, public: np.record, knowledge: np.record, state: np.record) -> None:
    """Write who will be asked to show, and whose side's combinations score."""
    state.claimant = best_of(rules, public, knowledge.claimants, state.dealt)
    state.scorer = knowledge.scorer
    if rules.blot_compared and public.trick_number and knowledge.scorer < 0:
        eldest = seat_after(rules.players, public.dealer)
        state.scorer = best_seat(rules, eldest, public.strain, state.dealt)

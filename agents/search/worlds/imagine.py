"""Drawing worlds: deals that a seat cannot tell from the real one, each as likely as any other.

A world is a number below that of all worlds counted; what has not been counted is checked, and another number tried.
"""

import numpy as np

from agents.search.worlds.compile import kernel
from agents.search.worlds.decks import order_deck, shuffle_deck
from agents.search.worlds.evidence import agrees, claims_agree
from agents.search.worlds.knowledge import COUNTED, GUARDS, UNSEEN_PLACES, UNWATCHED
from blot_env.bits import lowest
from blot_env.cards import SUIT
from blot_env.claims import best_of
from blot_env.combinations import best_seat, fours_of
from blot_env.dealing import lay_out
from blot_env.random import below, draw
from blot_env.rules_record import STOCK_TO_NAMER
from blot_env.seats import seat_after, union

TRIES = 1 << 14
"""Numbers tried at random; after that many, the next ones in order, so that a world is found in any case."""


@kernel
def imagine(rules: np.record, view: np.record, knowledge: np.record, key: int, state: np.record) -> None:
    """Write one world: a whole deal, with the table as it is, that agrees with all that the seat knows.

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
        _imagine_hands(rules, view, knowledge, key, state)
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


@kernel
def _imagine_hands(rules: np.record, view: np.record, knowledge: np.record, key: int, state: np.record) -> None:
    """Write the hands as play began, and what the namer has put aside."""
    state.dealt[:] = 0
    state.dealt[view.seat] = view.dealt
    if knowledge.method == COUNTED:
        find_world(rules, view.public, knowledge, key, TRIES, state)
    else:
        _deal_out(knowledge, key, state)
    everyone = view.aside | view.public.out | union(state.dealt)
    hidden_namer = rules.stock == STOCK_TO_NAMER and view.public.bidder != view.seat
    state.aside = rules.pack & ~everyone if hidden_namer else view.aside


@kernel
def find_world(
    rules: np.record, public: np.record, knowledge: np.record, key: int, tries: int, state: np.record
) -> None:
    """Write the hands of a random world: of the first number, of so many random ones and those after, that agrees."""
    number = _random_number(key, 0, knowledge.total)
    attempt = 1
    while not _write_world(rules, public, knowledge, number, state):
        if attempt < tries:
            number = _random_number(key, attempt, knowledge.total)
        else:
            number = (number + 1) % knowledge.total
        attempt += 1


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
    for place in range(4):
        group = knowledge.suit_groups[case, place]
        following = 0
        while True:
            rest = (key | GUARDS) - knowledge.need[group]
            if rest & GUARDS == GUARDS:
                following = 1
                if place < 3:
                    following = knowledge.count[knowledge.table[case, place + 1] + index - knowledge.offset[group]]
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
        suit = 8 * knowledge.suits[case, place]
        for box in range(rules.players - 1):
            state.dealt[knowledge.seat[box]] |= (cards >> 8 * box & SUIT) << suit
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
                state.dealt[seat] |= 1 << order[number]


@kernel
def _find_scorer(rules: np.record, public: np.record, knowledge: np.record, state: np.record) -> None:
    """Write who will be asked to show, and whose side's combinations score."""
    state.claimant = best_of(rules, public, knowledge.claimants, state.dealt)
    state.scorer = knowledge.scorer
    if rules.blot_compared and public.trick_number and knowledge.scorer < 0:
        eldest = seat_after(rules.players, public.dealer)
        state.scorer = best_seat(rules, eldest, public.strain, state.dealt)

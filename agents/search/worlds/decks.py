"""Decks of worlds: packs whose order gives the hands, at random where that has not been seen."""

import numpy as np
from numpy.typing import NDArray

from agents.search.worlds.compile import kernel
from blot_env.bits import lowest
from blot_env.random import below
from blot_env.rules_record import TURNED
from blot_env.seats import seat_after
from blot_env.state import SWAP as SWAPPING
from blot_env.stock import may_swap, seven

PLACES = 1 << 20  # the first counter of a key's stream that orders a deck


@kernel
def prepare_deck(rules: np.record, view: np.record, knowledge: np.record) -> None:
    """Write a deck for a moment before anything is taken up, and list the places whose cards the seat has not seen."""
    deck, stock = knowledge.deck, rules.players * rules.dealt
    for place in range(rules.pack_size):
        deck[place] = -1
    _put(view.hand, deck, view.seat * rules.dealt)
    unseen = rules.pack & ~view.hand
    if rules.auction == TURNED:
        deck[stock] = view.public.turned
        unseen &= ~(1 << view.public.turned)
    knowledge.places = 0
    for place in range(rules.pack_size):
        if deck[place] < 0:
            deck[place] = lowest(unseen)
            unseen &= unseen - 1
            knowledge.place[knowledge.places] = place
            knowledge.places += 1


@kernel
def shuffle_deck(rules: np.record, view: np.record, knowledge: np.record, key: int, deck: NDArray[np.int8]) -> None:
    """Write the deck prepared with the unseen cards in random order."""
    deck[:] = knowledge.deck
    for number in range(1, knowledge.places):
        _exchange(deck, knowledge.place[number], knowledge.place[below(key, PLACES + number, number + 1)])
    asked = view.public.seat
    if view.public.phase == SWAPPING and asked != view.seat:  # it sees the seven
        _bring(rules, deck, asked, seven(view.public), key)


@kernel
def _bring(rules: np.record, deck: NDArray[np.int8], seat: int, card: int, key: int) -> None:
    """Put a card, wherever it is, among those that a seat sees."""
    place = 0
    while deck[place] != card:
        place += 1
    if not 0 <= place - seat * rules.dealt < rules.visible:
        _exchange(deck, place, seat * rules.dealt + below(key, PLACES - 1, rules.visible))


@kernel
def order_deck(rules: np.record, public: np.record, knowledge: np.record, key: int, state: np.record) -> None:
    """Write a deck from which come what the seats hold, held as play began, or have put aside."""
    deck, order = state.deck, knowledge.order
    place, left = rules.players * rules.dealt, rules.pack
    if rules.auction == TURNED:
        deck[place] = public.turned
        left &= ~(1 << public.turned)
        place += 1
    for turn in range(rules.players):
        seat = seat_after(rules.players, public.bidder, turn)
        cards = _taken(rules, public, seat, state) & left
        left &= ~cards
        number = _put(cards, order, 0)
        if rules.visible < rules.hand_size:
            for card in range(1, number):
                _exchange(order, card, below(key, PLACES + 32 * seat + card, card + 1))
        deck[seat * rules.dealt : (seat + 1) * rules.dealt] = order[: rules.dealt]
        for card in range(rules.dealt, number):
            deck[place] = order[card]
            place += 1
        if may_swap(rules, public) and cards >> seven(public) & 1:
            if public.known[seat]:
                _see(rules, deck, seat, seven(public), key)
            else:
                _hide(rules, deck, seat, seven(public), key)
    _put(left, deck, place)


@kernel
def _taken(rules: np.record, public: np.record, seat: int, state: np.record) -> int:
    """Return all cards that a seat was dealt or drew: its hand, its discards, and the seven that it has swapped."""
    cards = state.dealt[seat]
    if seat == public.bidder:
        cards |= state.aside
    if may_swap(rules, public) and public.known[seat] >> public.turned & 1:
        cards |= 1 << seven(public)
    return int(cards)


@kernel
def _see(rules: np.record, deck: NDArray[np.int8], seat: int, card: int, key: int) -> None:
    """Put a card of a seat among those that it sees in the auction."""
    first, place = seat * rules.dealt, _place_of(rules, deck, seat, card)
    if place >= first + rules.visible:
        _exchange(deck, place, first + below(key, PLACES - 1, rules.visible))


@kernel
def _hide(rules: np.record, deck: NDArray[np.int8], seat: int, card: int, key: int) -> None:
    """Put a card of a seat among those that lie face down in the auction."""
    first, place = seat * rules.dealt, _place_of(rules, deck, seat, card)
    if place < first + rules.visible:
        _exchange(deck, place, first + rules.visible + below(key, PLACES - 1, rules.dealt - rules.visible))


@kernel
def _place_of(rules: np.record, deck: NDArray[np.int8], seat: int, card: int) -> int:
    """Return the place of a card among those dealt to a seat, the first one after them if it is not there."""
    place = seat * rules.dealt
    while place < (seat + 1) * rules.dealt and deck[place] != card:
        place += 1
    return int(place)


@kernel
def _put(cards: int, places: NDArray[np.int8], first: int) -> int:
    """Write cards to places from `first` on, in ascending order; return how many they are."""
    place = first
    while cards:
        places[place] = lowest(cards)
        cards &= cards - 1
        place += 1
    return place - first


@kernel(forceinline=True)
def _exchange(places: NDArray[np.int8], one: int, two: int) -> None:
    card = places[one]
    places[one] = places[two]
    places[two] = card

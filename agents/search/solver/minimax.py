"""Principal-variation search of a position with all cards seen.

A value is the bidders' points to come, from the current trick on, with last trick and all-tricks bonus; it is
`NO_TRICK` when they take no trick in the whole deal. Bounds are fail-soft. Positions are remembered at the starts of
tricks.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.solver.bounds import bounds
from agents.search.solver.compile import kernel
from agents.search.solver.moves import follow_order, lead_order, pick
from agents.search.solver.position import NO_TRICK
from blot_env.bits import highest, lowest, popcount
from blot_env.places import above, card_of, suit_of
from blot_env.playing import duties, first_met

NO_CARD = -2
"""Among the values of cards: not a legal card."""

LEAST, MOST = -8, 500  # around all values
_LOWER, _UPPER, _KEY = 14, 5, 23  # places of an entry's fields, after the best card: bounds plus 1, nine bits each


@kernel
def solve(search: np.record) -> int:
    """Return the bidders' points of the whole deal: those taken and those to come, or `NO_TRICK`.

    All tricks are worth a point more than all points where the rules have no bonus for them.
    """
    value = _search(
        search, search.seat, search.trick_size, search.winner, search.winning, search.led, search.pot, search.left,
        search.took, search.none, search.none + LEAST, search.none + MOST,
    )  # fmt: skip
    return _total(search, value)


@kernel
def solve_cards(search: np.record, values: NDArray[np.int64]) -> None:
    """Write the value of the deal for each card that may be played next, natural cards, shape (32,); else `NO_CARD`.

    The value of the position bounds all of them on one side, and that of a neighbour on both.
    """
    values[:] = NO_CARD
    best = solve(search) - search.taken
    seat, size, winner, winning, led = search.seat, search.trick_size, search.winner, search.winning, search.led
    higher = above(search.trumps, winning) if size else 0
    rest = _legal(search, seat, size, winner, winning, led, higher)
    hand = search.hands[seat]
    others = _live(search) & ~hand | (1 << winning if size else 0)
    tried = 0
    while rest:
        place = pick(rest, True)
        rest ^= 1 << place
        low, high = search.none + LEAST, search.none + MOST
        if search.bidders[seat]:
            high = best + 1
        else:
            low = best - 1
        twin = _neighbour(tried, others, place)
        if twin >= 0:
            apart = abs(search.points[twin] - search.points[place])
            near = values[card_of(search.strain, twin)] - search.taken
            low, high = max(low, near - apart - 2), min(high, near + apart + 1)
        search.hands[seat] = hand ^ 1 << place
        value = _total(search, _search(
            search, seat, size, winner, winning, led, search.pot, search.left, search.took, place, low, high
        ))  # fmt: skip
        search.hands[seat] = hand
        values[card_of(search.strain, place)] = value
        tried |= 1 << place


@kernel(forceinline=True)
def _live(search: np.record) -> int:
    """Return all cards in the hands."""
    return search.hands[0] | search.hands[1] | search.hands[2] | search.hands[3]


@kernel(forceinline=True)
def _total(search: np.record, value: int) -> int:
    """Return the value of a deal from its points to come."""
    return value + search.taken if value >= 0 else NO_TRICK


@kernel(forceinline=True)
def _legal(search: np.record, seat: int, size: int, winner: int, winning: int, led: int, higher: int) -> int:
    """Return the places that a seat may play."""
    hand = search.hands[seat]
    if size == 0:
        return hand
    partner_holds = winner != seat and search.side[winner] == search.side[seat]
    trumped = bool(search.trumps >> winning & 1)
    a, b, c, d = duties(search, search.strain, led, search.trumps, higher, trumped, partner_holds)
    return first_met(hand, a, b, c, d)


@kernel(forceinline=True)
def _neighbour(tried: int, others: int, place: int) -> int:
    """Return a card tried from the same hand with nobody else's live card between it and another, or -1.

    Two such cards take the same tricks, so their values differ by at most the difference of their points.
    """
    over = tried & suit_of(place) & ~((2 << place) - 1)
    if over:
        twin = lowest(over)
        if others & ((1 << twin) - 1) & ~((2 << place) - 1) == 0:
            return twin
    under = tried & suit_of(place) & ((1 << place) - 1)
    if under:
        twin = highest(under)
        if others & ((1 << place) - 1) & ~((2 << twin) - 1) == 0:
            return twin
    return -1


@kernel(forceinline=True)
def _weakest(search: np.record, cards: int) -> int:
    """Return the weakest card of a set, a trump only if there is nothing else."""
    plain = cards & ~search.trumps
    return pick(plain if plain else cards, False)


@kernel
def _search(
    search: np.record, seat: int, size: int, winner: int, winning: int, led: int, pot: int, left: int, took: int,
    place: int, alpha: int, beta: int,
) -> int:  # fmt: skip
    """Return the value after a card, exact between the bounds.

    One kernel plays the card and searches what follows, since two that call each other do not survive numba's cache.

    Args:
        seat: it plays `place`, which its hand no longer holds; -1: it is to act.
        size: cards on the table before, worth `pot`; `winner` holds the trick with `winning`.
        left: points on the table and in the hands.
        took: who has taken a trick, as in `SEARCH`.
    """
    gain = 0
    live = _live(search)
    if place >= 0:
        if size == 0:
            led = suit_of(place)
        if size == 0 or above(search.trumps, winning) >> place & 1:
            winner, winning = seat, place
        pot += search.points[place]
        size += 1
        seat = search.next[seat]
        if size == search.players:
            if search.bidders[winner]:
                gain = pot if live else pot + search.last_trick
                took |= 1
            else:
                took |= 2
            seat, size, left, pot = winner, 0, left - pot, 0
    if live == 0:
        if took & 1:
            return gain if took & 2 else gain + search.all_tricks
        return NO_TRICK
    alpha, beta = alpha - gain, beta - gain
    hand = search.hands[seat]
    mine = search.bidders[seat]
    lower, upper, higher, others = 0, 0, 0, live & ~hand
    best_first, slot, key = 0, 0, 0
    if size == 0:
        key = (took << 2 | seat) << 32 | live
        slot = ((live ^ (took << 2 | seat) << 27) * 0x2545F491 >> 13) & search.mask
        entry = search.table[slot]
        if entry >> _KEY == key:
            lower = (entry >> _LOWER & 511) - 1
            upper = (entry >> _UPPER & 511) - 1
            best_first = 1 << (entry & 31)
        else:
            lower, upper = bounds(search, seat, left, took)
        if lower >= beta or lower == upper:
            return gain + lower
        if upper <= alpha:
            return gain + upper
        rest = hand
        first, second = lead_order(search, seat, hand)
        first_high = True
    else:
        higher = above(search.trumps, winning)
        others |= 1 << winning
        rest = _legal(search, seat, size, winner, winning, led, higher)
        first, first_high, second = follow_order(search, seat, size, winner, rest, higher, led)
    low, high = alpha, beta
    best, best_place = (LEAST if mine else MOST), 0
    tried = 0
    depth = popcount(live)
    while rest:
        if rest & best_first:
            card = lowest(best_first)
        elif rest & first:
            card = pick(rest & first, first_high)
        else:
            card = _weakest(search, rest & second if rest & second else rest)
        rest ^= 1 << card
        if tried:
            twin = _neighbour(tried, others, card)
            if twin >= 0:
                apart = abs(search.points[twin] - search.points[card])
                if mine and search.found[depth, twin] + apart <= low:
                    best = max(best, search.found[depth, twin] + apart)
                    continue
                if not mine and search.found[depth, twin] - apart >= high:
                    best = min(best, search.found[depth, twin] - apart)
                    continue
        lo, hi = low, high
        if tried:
            lo, hi = (low, low + 1) if mine else (high - 1, high)
        search.hands[seat] = hand ^ 1 << card
        value = _search(search, seat, size, winner, winning, led, pot, left, took, card, lo, hi)
        if tried and low < value < high:
            lo, hi = (value, high) if mine else (low, value)
            value = _search(search, seat, size, winner, winning, led, pot, left, took, card, lo, hi)
        search.hands[seat] = hand
        search.found[depth, card] = value
        tried |= 1 << card
        if mine:
            if value > best:
                best, best_place = value, card
                low = max(low, value)
        elif value < best:
            best, best_place = value, card
            high = min(high, value)
        if low >= high:
            break
    if size == 0:
        if best > alpha:
            lower = max(lower, best)
        if best < beta:
            upper = min(upper, best)
        search.table[slot] = key << _KEY | (lower + 1) << _LOWER | (upper + 1) << _UPPER | best_place
    return gain + best

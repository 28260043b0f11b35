"""Writing observations and masks (columns: `blot_env.observation`).

`observe` is given the table and one seat's own cards, so it cannot tell more than that seat knows.
"""

import numpy as np
from numpy.typing import NDArray

from blot_env.bits import spread
from blot_env.cards import AT, NT, PLAIN_ORDER, RANKS, STRENGTH, SUIT, TRUMP_ORDER
from blot_env.combinations import THREE_TERZES, TWO_HUNDREDS, combination_points, pairs
from blot_env.compile import kernel
from blot_env.rules_record import BY_MORE, BY_ROUNDED, NUMBERED
from blot_env.seats import seat_after, union
from blot_env.state import LAST_WORD, PLAY, RECONTRA_ASKED
from blot_env.thermometers import BONUS_BITS, CARD_POINT_BITS, MISSING_BITS, NEED_BITS, NUMBER_BITS, TRICK_BITS


def _highest(order: str) -> NDArray[np.int64]:
    """Return `table[byte]`: the bit of the strongest card in a suit's byte, 0 for none."""
    rank = [
        max((r for r in range(8) if b >> r & 1), key=lambda r: order.index(RANKS[r]), default=8) for b in range(256)
    ]
    return np.array([1 << r & SUIT for r in rank])


HIGHEST_TRUMP, HIGHEST_PLAIN = _highest(TRUMP_ORDER), _highest(PLAIN_ORDER)
BY_STRENGTH = np.array([sum(1 << int(STRENGTH[AT, rank]) for rank in range(8) if b >> rank & 1) for b in range(256)])
"""`BY_STRENGTH[byte]`: a trump suit's byte with its bits in order of strength."""


@kernel(forceinline=True)
def masters(strain: int, live: int) -> int:
    """Return the strongest card of each suit among the `live` ones."""
    strongest = 0
    for suit in range(4):
        byte = live >> 8 * suit & SUIT
        trump = suit == strain or strain == AT
        strongest |= (HIGHEST_TRUMP[byte] if trump else HIGHEST_PLAIN[byte]) << 8 * suit
    return strongest


@kernel(forceinline=True)
def suits_of(cards: int) -> int:
    """Return the suits (bits 0 to 3) of which a set holds a card."""
    cards |= cards >> 4
    cards |= cards >> 2
    cards |= cards >> 1
    cards &= 0x01010101
    return (cards | cards >> 7 | cards >> 14 | cards >> 21) & 15


@kernel(forceinline=True)
def could_hold(public: np.record, unseen: int, seat: int) -> int:
    """Return which of the unseen cards `seat` may hold: not excluded by its plays, and not shown by another seat."""
    shown_by_others = union(public.shown) & ~public.shown[seat]
    return unseen & ~shown_by_others & ~public.excluded[seat]


@kernel
def observe(
    rules: np.record, public: np.record, seat: int, hand: int, dealt: int, aside: int, row: NDArray[np.uint8]
) -> None:
    """Write what a seat observes to `row`, shape (columns,).

    Args:
        hand: the cards that the seat holds now.
        dealt: those it held as play began.
        aside: those it has discarded.
    """
    numbered, hidden = rules.auction == NUMBERED, rules.hides_cards != 0
    # The games of four are compiled apart, with their loops unrolled: a quarter faster.
    if rules.players == 4 and rules.strains == 5 and numbered and not hidden:
        _observe(rules, 4, 2, 5, False, public, seat, hand, dealt, 0, row)
    elif rules.players == 4 and rules.strains == 6 and numbered and not hidden:
        _observe(rules, 4, 2, 6, False, public, seat, hand, dealt, 0, row)
    elif rules.players == 4 and rules.sides == 2 and not numbered and hidden:
        _observe(rules, 4, 2, 0, True, public, seat, hand, dealt, aside, row)
    else:
        called = rules.strains if numbered else 0
        _observe(rules, rules.players, rules.sides, called, hidden, public, seat, hand, dealt, aside, row)


@kernel(forceinline=True)
def _observe(  # type: ignore[no-untyped-def]
    rules,
    players: int,
    sides: int,
    called: int,
    hidden: bool,
    public: np.record,
    seat: int,
    hand: int,
    dealt: int,
    aside: int,
    row: NDArray[np.uint8],
) -> None:
    """Write the columns in ascending order, since a write may reach beyond its block (`spread` knows few widths)."""
    strain = public.strain
    played = union(public.played)
    live = rules.pack & ~played
    if hidden:
        aside |= public.out
        live &= ~aside
    unseen = live & ~dealt
    spread(row, 0, hand | unseen << 32, 64)
    spread(row, 64, masters(strain, live if public.phase == PLAY else 0), 32)
    column = 96
    for turn in range(players):
        spread(row, column, public.played[seat_after(players, seat, turn)], 32)
        column += 32
    for turn in range(1, players):
        card = public.trick[seat_after(players, seat, turn)]
        spread(row, column, 1 << card if card >= 0 else 0, 32)
        column += 32
    voids = ~suits_of(hand) & 15
    lacking = 0
    for turn in range(1, players):
        other = seat_after(players, seat, turn)
        could = could_hold(public, unseen, other)
        spread(row, column, could, 32)
        column += 32
        voids |= (~suits_of(could) & 15) << 4 * turn
        if 0 <= strain < NT:
            lacking |= BY_STRENGTH[public.excluded[other] >> 8 * strain & SUIT] << 8 * (turn - 1)
    for turn in range(players):
        spread(row, column, public.shown[seat_after(players, seat, turn)] & ~played, 32)
        column += 32
    spread(row, column, voids | lacking << 16, 64)
    column += 8 * (players + 1)
    for turn in range(players):
        _seat(called, public, seat_after(players, seat, turn), row, column)
        column += 8 * (called + 3)
    strains = 128 if strain < 0 else 1 << strain | public.capot << 6
    moment = _moment(rules, public, seat)
    if called:
        for turn in range(players):
            spread(row, column, public.numbers[seat_after(players, seat, turn)], 64)
            column += 8 * (called + 1)
        spread(row, column, strains | NUMBER_BITS[public.number] << 8 | public.number << 40 | moment << 48, 64)
        column += 64
    else:
        spread(row, column, strains | moment << 8, 32)
        column += 24
    for turn in range(sides):
        missing = public.target - public.scores[rules.side[seat_after(players, seat, turn)]]
        if rules.unit == 1:  # match points are raw points: count them in tens too
            missing = (missing + 9) // 10
        spread(row, column, MISSING_BITS[min(max(missing, 0), len(MISSING_BITS) - 1)], 32)
        column += 24
    for turn in range(sides):
        side = rules.side[seat_after(players, seat, turn)]
        bonus = BONUS_BITS[min(public.combinations[side] + public.blot[side], len(BONUS_BITS) - 1)]
        points = CARD_POINT_BITS[min(public.card_points[side], len(CARD_POINT_BITS) - 1)]
        spread(row, column, points | TRICK_BITS[public.tricks[side]] << 16 | bonus << 24, 32)
        column += 32
    spread(row, column, NEED_BITS[_need(rules, public)] | _own(rules, public, seat, hand, dealt) << 16, 32)
    column += 32
    if hidden:
        spread(row, column, 1 << public.turned if public.turned >= 0 else 0, 32)
        spread(row, column + 32, aside, 32)
        column += 64
        for turn in range(players):
            spread(row, column, public.known[seat_after(players, seat, turn)], 32)
            column += 32
        spread(row, column, _more(players, public, seat), 8)
        column += 8
    if rules.by_choice:
        spread(row, column, _claims(players, public, seat), 8)


@kernel
def _more(players: int, public: np.record, seat: int) -> int:
    """Return by seat who has announced a third terz, and who a second hundred."""
    bits = 0
    for turn in range(players):
        announced = public.announced[seat_after(players, seat, turn)]
        if announced & THREE_TERZES:
            bits |= 1 << turn
        if announced & TWO_HUNDREDS:
            bits |= 16 << turn
    return bits


@kernel
def _claims(players: int, public: np.record, seat: int) -> int:
    """Return by seat who has shown its combinations, and who was asked to and has not."""
    bits = 0
    for turn in range(players):
        other = seat_after(players, seat, turn)
        if public.shown[other]:
            bits |= 1 << turn
        bits |= (public.withheld >> other & 1) << 4 + turn
    return bits


@kernel(forceinline=True)
def _seat(called: int, public: np.record, seat: int, row: NDArray[np.uint8], column: int) -> None:
    """Write what is known of one seat's calls and announcements."""
    if called:
        spread(row, column, public.called[seat], 64)
    status = (1 << min(public.passed[seat], 3)) - 1
    if seat == public.contra_by:
        status |= 8
    if seat == public.recontra_by:
        status |= 16
    if seat == public.bidder:
        status |= 32
    if seat == public.dealer:
        status |= 64
    if seat == public.winner:
        status |= 128
    known = public.opening[seat] | status << 8 | (public.announced[seat] & 255) << 16
    spread(row, column + 8 * called, known, 32)


@kernel(forceinline=True)
def _moment(rules: np.record, public: np.record, seat: int) -> int:
    bits = 1 << public.phase
    if public.contra:
        bits |= 1 << (6 + public.contra)
    if public.asking == LAST_WORD:
        bits |= 1 << 9
    if public.asking == RECONTRA_ASKED:
        bits |= 1 << 10
    if public.bidder >= 0 and rules.side[public.bidder] == rules.side[seat]:
        bits |= 1 << 11
    if public.seat == seat:
        bits |= 1 << 12
    if public.winner >= 0 and public.winner != seat and rules.side[public.winner] == rules.side[seat]:
        bits |= 1 << 13
    if public.phase == PLAY and public.trick_size == rules.players - 1:
        bits |= 1 << 14
    if public.phase == PLAY and public.trick_size == 0:
        bits |= 1 << 15
    return bits


@kernel(forceinline=True)
def _need(rules: np.record, public: np.record) -> int:
    """Return the raw points that the bidders miss to make their contract, within 0 and 151."""
    if public.bidder < 0:
        return 0
    namers = rules.side[public.bidder]
    missing = 10 * public.number
    if rules.made_by == BY_ROUNDED:
        missing = rules.unit * (public.number - 1) + rules.round_up_at  # the least that rounds to the number
    elif rules.made_by == BY_MORE:
        missing = 1
        for side in range(rules.sides):
            if side != namers:
                missing += _taken(public, side)
    return min(max(missing - _taken(public, namers), 0), 151)


@kernel(forceinline=True)
def _taken(public: np.record, side: int) -> int:
    """Return the raw points that a side has so far."""
    return public.card_points[side] + public.combinations[side] + public.blot[side]


@kernel(forceinline=True)
def _own(rules: np.record, public: np.record, seat: int, hand: int, dealt: int) -> int:
    """Return own combinations (before a bid: as in a suit contract), king-queen pairs, place at the table, trumps."""
    strain = public.strain
    bits = BONUS_BITS[min(combination_points(rules, max(strain, 0), dealt), len(BONUS_BITS) - 1)]
    bits |= pairs(dealt) << 8
    if seat == seat_after(rules.players, public.dealer):
        bits |= 1 << 12
    if seat == public.dealer:
        bits |= 1 << 13
    if 0 <= strain < NT:
        if hand & SUIT << 8 * strain:
            bits |= 1 << 14
        if public.trick_size and public.trick[public.leader] >> 3 == strain:
            bits |= 1 << 15
    return bits


@kernel(forceinline=True)
def own_aside(state: np.record, seat: int) -> int:
    """Return the cards that a seat has discarded."""
    return state.aside if seat == state.public.bidder else 0


@kernel
def observe_all(rules: np.record, states: NDArray[np.void], i: int, row: NDArray[np.uint8]) -> None:
    """Write the oracle's columns for the seat to act in `states[i]`: its observation, then the other hands."""
    public = states[i].public
    seat = public.seat
    observe(rules, public, seat, states[i].hands[seat], states[i].dealt[seat], own_aside(states[i], seat), row)
    column = len(row) - 32 * (rules.players - 1)
    if rules.hides_cards:
        column -= 32 * rules.players
        for turn in range(rules.players):
            down = states[i].down[seat_after(rules.players, seat, turn)]
            spread(row, len(row) - 32 * (rules.players - turn), down, 32)
    for turn in range(1, rules.players):
        spread(row, column, states[i].hands[seat_after(rules.players, seat, turn)], 32)
        column += 32


@kernel
def write_mask(
    rules: np.record, bits: int, first: int, stop: int, capot: int, whole: bool, row: NDArray[np.int8]
) -> None:
    """Write a legal set (see `blot_env.engine`) as a mask to `row`, whose length is a multiple of 64.

    Args:
        whole: write all columns; otherwise the legal bids beyond the first 64 are those that the row holds already.
    """
    for column in range(0, len(row) if whole else 64, 64):
        word = _columns(first - column, stop - column) | _columns(capot - column, rules.actions - column)
        spread(row, column, word | bits if column == 0 else word, 64)


@kernel(forceinline=True)
def _columns(start: int, stop: int) -> int:
    """Return the bits from `start` up to `stop` as far as they lie within 64."""
    low, high = int(max(start, 0)), int(min(stop, 64))
    if low >= high:
        return 0
    return (-1 if high == 64 else (1 << high) - 1) & ~((1 << low) - 1)

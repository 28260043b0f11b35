"""A seat observes what it knows and nothing else: exchanged hidden cards change nothing that it is given."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blot_env import Game, load_rules
from tests.positions import Position, position, positions
from tests.reference import Bazar
from tests.reference.cards import DECK, strength, suit_of
from tests.reference.deal import Record
from tests.reference.tricks import legal_cards

RULES = load_rules("bazar")
LAYOUT = RULES.observation


def public_facts(record: Record) -> list | None:
    """What each seat has announced and shown by the end of a record, None if some action in it is illegal."""
    deal = Bazar(record)
    for action in record["actions"]:
        if action not in deal.legal_actions():
            return None
        deal.play(action)
    if deal.phase == "auction":
        return []
    return [(deal.announced(seat), deal.shown(seat)) for seat in range(4)]


def another_world(at: Position, seat: int, exchanges: int = 15) -> Record:
    """The record with other hidden hands, such that `seat` cannot tell the difference.

    Cards not yet played wander between the other seats, one exchange at a time, wherever all that was said, played,
    announced and shown stays possible.
    """
    record, rng = at.record | {"result": None}, at.rng
    facts = public_facts(record)
    played = {card for trick in [*at.deal.tricks, at.deal.trick] for _, card in trick}
    others = [other for other in range(4) if other != seat]
    for _ in range(exchanges):
        hands = [hand.split() for hand in record["hands"]]
        one, two = rng.sample([hands[other] for other in others], 2)
        hidden = [[card for card in hand if card not in played] for hand in (one, two)]
        if all(hidden):
            give, take = map(rng.choice, hidden)
            one[one.index(give)], two[two.index(take)] = take, give
            other = record | {"hands": [" ".join(hand) for hand in hands]}
            if public_facts(other) == facts:
                record = other
    return record


def replayed(record: Record) -> Game:
    game = Game.from_record(record)
    for action in record["actions"]:
        game.play(action)
    return game


@given(positions(0, 45), st.integers(0, 3))
def test_hidden_cards_change_nothing(at, seat):
    assume(at.game.phase != "over")
    other = replayed(another_world(at, seat))
    assume(other.hands != at.game.hands)
    _assert_the_same(at.game, other, seat)


@pytest.mark.nojit
@pytest.mark.parametrize("steps", [0, 3, 9, 14, 20])
def test_hidden_cards_change_nothing_a_few(steps):
    at = position(11, steps)
    other = replayed(another_world(at, 1))
    assert other.hands != at.game.hands
    _assert_the_same(at.game, other, 1)


def _assert_the_same(game: Game, other: Game, seat: int) -> None:
    assert game.view(seat).tobytes() == other.view(seat).tobytes()
    for seen, seen_other in zip(game.observe(seat), other.observe(seat), strict=True):
        assert seen.tobytes() == seen_other.tobytes()
    assert game.message(seat) == other.message(seat)
    assert game.decision(seat, seed=5).seeds == other.decision(seat, seed=5).seeds


# What is told of the other hands is exactly what follows from the table


def set_cards(row: np.ndarray) -> set[str]:
    return {DECK[card] for card in np.flatnonzero(row)}


def excluded(deal: Bazar) -> list[set[str]]:
    """Cards that each seat cannot have held: holding one, it could not have played what it played."""
    found: list[set[str]] = [set() for _ in range(4)]
    for trick in [*deal.tricks, deal.trick]:
        for place, (seat, card) in enumerate(trick):
            for missing in DECK:
                if missing != card and card not in legal_cards(
                    [card, missing], trick[:place], deal.strain, (seat + 2) % 4
                ):
                    found[seat].add(missing)
    return found


@given(positions(9, 45), st.integers(0, 3))
def test_what_others_may_hold(at, seat):
    deal = at.deal
    assume(deal.phase == "play")
    observation = at.game.observe(seat)[0]
    played = {card for trick in [*deal.tricks, deal.trick] for _, card in trick}
    without = excluded(deal)
    for turn in (1, 2, 3):
        other = (seat + turn) % 4
        shown = set().union(*(deal.shown(third) for third in range(4) if third != other))
        could = set(DECK) - set(deal.dealt[seat]) - played - without[other] - shown
        assert set(deal.hands[other]) <= could
        assert set_cards(observation[LAYOUT["could"]].reshape(3, 32)[turn - 1]) == could
        voids = observation[LAYOUT["voids"]].reshape(4, 4)[turn]
        assert [bool(void) for void in voids] == [not any(suit_of(card) == suit for card in could) for suit in "CDHS"]
        lacks = observation[LAYOUT["no_higher_trump"]].reshape(3, 8)[turn - 1]
        trumps = {strength(card, deal.strain) for card in without[other] if suit_of(card) == deal.strain}
        assert set(np.flatnonzero(lacks)) == trumps


@given(positions(0, 45), st.integers(0, 3))
def test_what_lies_open(at, seat):
    deal = at.deal
    assume(deal.phase != "over")
    observation = at.game.observe(seat)[0]
    seats = [(seat + turn) % 4 for turn in range(4)]
    tricks = [*deal.tricks, deal.trick]
    played = [{card for trick in tricks for player, card in trick if player == other} for other in seats]
    table = dict(deal.trick)
    assert set_cards(observation[LAYOUT["hand"]]) == set(deal.hands[seat])
    unseen = set(itertools.chain.from_iterable(deal.hands[other] for other in seats[1:]))
    assert set_cards(observation[LAYOUT["unseen"]]) == unseen
    assert [set_cards(row) for row in observation[LAYOUT["played"]].reshape(4, 32)] == played
    on_table = [{table[other]} if other in table else set() for other in seats[1:]]
    assert [set_cards(row) for row in observation[LAYOUT["trick"]].reshape(3, 32)] == on_table
    if deal.phase == "play":
        live = set(DECK) - set().union(*played)
        masters = set()
        for suit in "CDHS":
            of_suit = [card for card in live if suit_of(card) == suit]
            if of_suit:
                masters.add(max(of_suit, key=lambda card: strength(card, deal.strain)))
        assert set_cards(observation[LAYOUT["masters"]]) == masters
        shown = [deal.shown(other) & live for other in seats]
        assert [set_cards(row) for row in observation[LAYOUT["shown"]].reshape(4, 32)] == shown

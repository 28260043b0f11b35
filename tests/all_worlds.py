"""All worlds that a seat may be in, found by trying every one: a pack for each way in which the unseen cards may lie.

Each pack is laid out and all that has been said and played is done again by the engine; then the seat must know the
same. A world is written as what each seat held as play began (until then: what it holds) and what was put aside.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blot_env import Game
from blot_env.compile import kernel
from blot_env.dealing import lay_out
from blot_env.engine import apply, is_legal, legal
from blot_env.state import AUCTION, HIDDEN, OVER, STATE
from blot_env.state import SWAP as SWAPPING

CHUNK = 10_000
World = tuple[tuple[int, ...], int]


def world_of(state: np.record) -> World:
    return tuple(int(cards) for cards in state.dealt), int(state.aside)


def all_worlds(game: Game, seat: int, most: int) -> Counter[World] | None:
    """By world the number of packs from which it comes; None if there are more than `most` packs to try.

    Packs count once that differ only in the order of cards which the same seat gets to see at the same time.
    """
    found: Counter[World] = Counter()
    boxes = _unseen_boxes(game, seat)
    cards = [int(game.state.deck[place]) for box in boxes for place in box.places]
    ways = np.empty((most, len(cards)), np.int8)
    number = _list_ways(
        np.array([sum(1 << i for i, box in enumerate(boxes) if box.may_have(game, card)) for card in cards]),
        np.array([len(box.places) for box in boxes]),
        ways,
    )
    if number > most:
        return None
    for chunk in np.split(ways[:number], range(CHUNK, number, CHUNK)):
        for state in _look_alike(game, seat, _states(game, boxes, cards, chunk)):
            found[world_of(state)] += 1
    return found


@dataclass
class _Box:
    """Places of the pack whose cards the same seat, or nobody, gets to see at the same time."""

    owner: int | None
    section: str
    places: list[int]

    def may_have(self, game: Game, card: int) -> bool:
        """Whether a card can lie here: if it has been played, its player had it."""
        played = game.state.public.played
        players = [seat for seat in range(game.rules.players) if played[seat] >> card & 1]
        return not players or (players == [self.owner] and self.section != "aside")


def _unseen_boxes(game: Game, seat: int) -> list[_Box]:
    rules, public = game.rules, game.state.public
    taken_up, namer = public.phase not in (AUCTION, SWAPPING), int(public.bidder)
    stock = rules.players * rules.dealt
    boxes: dict[tuple[int | None, str], _Box] = {}
    for place in range(int(rules.record.pack_size)):
        owner, section = _owner(game, place, taken_up)
        own = owner == seat and (taken_up or section == "seen")
        if not own and not (rules.auction == "turned" and place == stock):
            boxes.setdefault((owner, section), _Box(owner, section, [])).places.append(place)
    if rules.stock == "namer" and taken_up and namer != seat:  # it has put any of them aside
        hand = boxes[namer, "hand"].places
        number = int(game.state.aside).bit_count()
        boxes[namer, "aside"] = _Box(namer, "aside", [hand.pop() for _ in range(number)])
    return list(boxes.values())


def _owner(game: Game, place: int, taken_up: bool) -> tuple[int | None, str]:
    """The seat that gets the card of a place, and when it sees it, as far as it matters."""
    rules, namer = game.rules, int(game.state.public.bidder)
    owner, section = None, "stock"
    if place < rules.players * rules.dealt:
        owner, section = place // rules.dealt, "seen" if place % rules.dealt < rules.visible else "down"
    elif taken_up and rules.stock == "namer":
        owner = namer
    elif taken_up and rules.stock == "drawn":
        turn = (place - rules.players * rules.dealt) // (rules.hand_size - rules.dealt)
        owner = (namer + turn) % rules.players if turn < rules.players else None
    if taken_up and owner is not None and not rules.swap_seven:
        section = "hand"  # nothing depends on what it has seen first: each hand comes from as many packs
    return owner, section


def _states(game: Game, boxes: list[_Box], cards: list[int], ways: NDArray[np.int8]) -> NDArray[np.void]:
    """The states of the packs in which card `i` lies in box `ways[:, i]`, once all has been done again."""
    states = np.zeros(len(ways), STATE)
    states["deck"] = game.state.deck
    states["discards"] = game.state.discards
    for name in ("dealer", "target", "scores"):
        states["public"][name] = game.state.public[name]
    for i, box in enumerate(boxes):
        inside = np.array(cards, np.int8)[np.nonzero(ways == i)[1]].reshape(len(ways), -1)
        states["deck"][:, box.places] = inside
        if box.section == "aside":
            states["discards"][:, : len(box.places)] = inside
    public = game.state.public
    _play(game.rules.records, public.history[: public.length].copy(), states)
    return states


def _look_alike(game: Game, seat: int, states: NDArray[np.void]) -> Iterator[np.record]:
    """Those states that the seat cannot tell from the deal."""
    view = game.view(seat).tobytes()
    twin = game.copy()
    for i in np.flatnonzero(states["public"]["length"] == game.state.public.length):
        if _same_table(states[i].public, game.state.public):
            twin.states[0] = states[i]
            if twin.view(seat).tobytes() == view:
                yield states[i]


def _same_table(one: np.record, two: np.record) -> bool:
    return one.tobytes() == two.tobytes()


@kernel
def _play(records: NDArray, actions: NDArray[np.int16], states: NDArray) -> None:
    """Deal and do all actions; a state in which one is not legal is left with fewer of them."""
    rules = records[0]
    for i in range(len(states)):
        discards = states[i].discards.copy()
        lay_out(rules, states[i])
        discarded = 0
        for action in actions:
            public = states[i].public
            card = int(action)
            if action == HIDDEN:
                card = int(discards[discarded])
                discarded += 1
            if public.phase == OVER:
                break
            hand, dealt = states[i].hands[public.seat], states[i].dealt[public.seat]
            bits, first, stop, capot = legal(rules, public, hand, dealt)
            if not is_legal(rules, bits, first, stop, capot, card):
                break
            apply(rules, states[i], card)


@kernel
def _list_ways(allowed: NDArray[np.int64], capacity: NDArray[np.int64], ways: NDArray[np.int8]) -> int:
    """Write all ways to put each card in a box that it is allowed in; return their number, or one more than fit."""
    cards, room = len(allowed), capacity.copy()
    box = np.full(cards, -1)
    found, card = 0, 0
    while card >= 0:
        if card == cards:
            if found == len(ways):
                return found + 1
            ways[found] = box
            found += 1
            card -= 1
            continue
        if box[card] >= 0:
            room[box[card]] += 1
        box[card] += 1
        while box[card] < len(room) and not (room[box[card]] and allowed[card] >> box[card] & 1):
            box[card] += 1
        if box[card] == len(room):
            box[card] = -1
            card -= 1
        else:
            room[box[card]] -= 1
            card += 1
    return found

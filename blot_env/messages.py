"""What a seat sees as a JSON message, written and read.

A message is what a host tells a bot and nothing more:

    {"rules": "bazar", "target": 151, "scores": [0, 0], "dealer": 3, "seat": 0, "hand": "JC 8D 7D QC KH AH 9D 7C",
     "actions": ["9C", "pass", "pass", "pass", "pass", "JC"], "announced": [["terz"], null, null, null], "shown": null}

`hand` is the hand as dealt, `actions` what has been said and played; `announced` lists by seat the classes of all its
combinations (null before its first card); `shown` by seat the combination cards laid open after the first trick (null
before).
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from blot_env.actions import PASS
from blot_env.auction import call
from blot_env.cards import PACK, card_name, set_name, set_of
from blot_env.combinations import (
    FIFTY,
    FOUR,
    FOUR_RANK,
    HUNDRED,
    SPOKEN,
    TERZ,
    TWO_FIFTIES,
    TWO_FOURS,
    TWO_TERZES,
    announcement,
    best_combination,
    combination_cards,
    combination_points,
)
from blot_env.engine import is_legal, legal, open_card, remember
from blot_env.legality import why_not
from blot_env.observing import could_hold
from blot_env.random import absorb
from blot_env.records import MAX_TARGET, RecordError, check_keys, checked_cards, checked_int, checked_list, set_table
from blot_env.rules import RuleSet
from blot_env.seats import union
from blot_env.state import AUCTION, OVER, PHASES, VIEW
from blot_env.views import Decisions, decision_of

CLASSES = ("terz", "fifty", "hundred", "four")
_KEYS = ("rules", "target", "scores", "dealer", "seat", "hand", "actions", "announced", "shown", "seed")
_CLASS_BITS = ((TERZ, 0), (TWO_TERZES, 0), (FIFTY, 1), (TWO_FIFTIES, 1), (HUNDRED, 2), (FOUR, 3), (TWO_FOURS, 3))


def announced_classes(bits: int) -> list[str] | None:
    """Return the classes of an announcement, None when the seat has not spoken."""
    if not bits & SPOKEN:
        return None
    return [CLASSES[place] for bit, place in _CLASS_BITS if bits & bit]


def message_of(rules: RuleSet, view: np.record, scores: list[int], hand: list[int]) -> dict[str, Any]:
    """Return what a seat sees as a JSON message.

    Args:
        scores: match points by side as the deal began.
        hand: the seat's cards in the order dealt.
    """
    public = view.public
    seats = range(rules.players)
    return {
        "rules": rules.name,
        "target": rules.target,
        "scores": scores,
        "dealer": int(public.dealer),
        "seat": int(view.seat),
        "hand": " ".join(map(card_name, hand)),
        "actions": [rules.actions.text(int(action)) for action in public.history[: public.length]],
        "announced": [announced_classes(int(public.announced[seat])) for seat in seats],
        "shown": [set_name(public.shown[seat]) for seat in seats] if public.trick_number else None,
    }


def decision_from_message(rules: RuleSet, message: Any) -> Decisions:
    """Return the decision that a message describes (see the module's head).

    The message may hold a `seed` for the decision; by default it is made from the seat, its hand and the actions.

    Raises:
        RecordError: the message is malformed, impossible, or it is not the seat's turn.
    """
    if not isinstance(message, Mapping):
        raise RecordError(f"a message is a JSON object, not {type(message).__name__}")
    check_keys(message, _KEYS)
    if message.get("rules", rules.name) != rules.name:
        raise RecordError(f"rules: this is a seat of {rules.name!r}, not of {message['rules']!r}")
    view = np.zeros(1, VIEW)
    _seat_at_table(rules, view[0], message)
    for index, action in enumerate(checked_list(message, "actions", str)):
        try:
            _apply_seen(rules, view[0], action, message)
        except RecordError:
            raise
        except ValueError as error:
            raise RecordError(str(error), index, action) from None
    public = view[0].public
    if public.phase == OVER:
        raise RecordError("actions: the deal is over, there is nothing to decide")
    if public.seat != view[0].seat:
        raise RecordError(f"seat: it is the turn of seat {public.seat}, not of seat {view[0].seat}")
    seed = message.get("seed")
    if seed is None:
        seed = absorb(int(view[0].dealt), int(view[0].seat))
        for action in public.history[: public.length]:
            seed = absorb(int(seed), int(action))
    elif type(seed) is not int or not 0 <= seed < 1 << 63:
        raise RecordError(f"seed: a whole number of 0 to 2^63 - 1, not {seed!r}")
    return decision_of(rules, view, int(seed))


def _seat_at_table(rules: RuleSet, view: np.record, message: Mapping[str, Any]) -> None:
    target = checked_int(message, "target", 1, MAX_TARGET) if "target" in message else rules.target
    set_table(rules, view.public, message)
    view.public.target = target
    view.seat = checked_int(message, "seat", 0, rules.players - 1)
    view.dealt = view.hand = set_of(checked_cards(message.get("hand"), "hand", rules.hand_size))


def _apply_seen(rules: RuleSet, view: np.record, text: str, message: Mapping[str, Any]) -> None:
    """Apply an action that a seat saw; ValueError says why it cannot be."""
    public = view.public
    if public.phase == OVER:
        raise ValueError("the deal was over before it")
    action = rules.actions.parse(text, PHASES[public.phase])
    seat = int(public.seat)
    if public.phase == AUCTION or seat == view.seat:
        if not is_legal(rules.record, *legal(rules.record, public, view.hand, view.dealt), action):
            raise ValueError(why_not(rules, public, int(view.hand), action))
    elif action >= PASS:
        raise ValueError("the auction is over: a card is played")
    elif not _could_hold(view, seat) >> action & 1:
        raise ValueError(f"seat {seat} cannot hold that card")
    if public.phase == AUCTION:
        remember(public, action)
        call(rules.record, public, action)
        return
    if public.trick_number == 0:
        public.announced[seat] = _announced(rules, view, seat, message)
    if seat == view.seat:
        view.hand &= ~(1 << action)
    open_card(rules.record, public, action)
    if public.trick_number == 1 and public.trick_size == 0:
        _show(rules, view, message)


def _could_hold(view: np.record, seat: int) -> int:
    unseen = PACK & ~int(view.dealt) & ~int(union(view.public.played))
    return int(could_hold(view.public, unseen, seat))


def _announced(rules: RuleSet, view: np.record, seat: int, message: Mapping[str, Any]) -> int:
    given = message.get("announced")
    if not isinstance(given, list) or len(given) != rules.players:
        raise RecordError(f"announced: a list by seat is wanted once a card is played, not {given!r:.60}")
    classes = given[seat]
    if not isinstance(classes, list) or any(name not in CLASSES for name in classes):
        raise RecordError(
            f"announced: seat {seat} has played, so a list of {', '.join(CLASSES)} is wanted, not {classes!r:.60}"
        )
    bits = SPOKEN
    for bit, place in _CLASS_BITS:
        wanted = 2 if bit in (TWO_TERZES, TWO_FIFTIES, TWO_FOURS) else 1
        if classes.count(CLASSES[place]) >= wanted:
            bits |= bit
    if sorted(classes) != sorted(announced_classes(bits) or []):
        raise RecordError(f"announced: no hand of seat {seat} holds {' and '.join(classes)} at once")
    own = announcement(rules.record, view.public.strain, view.dealt)
    if seat == view.seat and bits != own:
        raise RecordError(f"announced: the hand of seat {seat} holds {announced_classes(own)}, not {classes}")
    return bits


def _show(rules: RuleSet, view: np.record, message: Mapping[str, Any]) -> None:
    public = view.public
    shown = [set_of(checked_cards(text, "shown")) for text in checked_list(message, "shown", str, rules.players)]
    for seat, cards in enumerate(shown):
        side = rules.side(seat)
        public.shown[seat] = cards
        public.combinations[side] += combination_points(rules.record, public.strain, cards)
        if not cards:
            continue
        own = seat == view.seat
        known = view.dealt if own else _could_hold(view, seat) | int(public.played[seat])
        if cards & ~int(known) & PACK or (own and cards != combination_cards(rules.record, public.strain, view.dealt)):
            raise RecordError(f"shown: seat {seat} cannot hold {set_name(cards)} as its combinations")
        if announcement(rules.record, public.strain, cards) != public.announced[seat]:
            raise RecordError(f"shown: {set_name(cards)} is not what seat {seat} announced")
    _check_best(rules, view, shown)


def _check_best(rules: RuleSet, view: np.record, shown: list[int]) -> None:
    """Check that exactly the side with the best combination shows, as far as the seat can tell."""
    public, rank = view.public, partial(best_combination, rules.record, view.public.strain)
    announcers = [seat for seat in range(rules.players) if public.announced[seat] != SPOKEN]
    sides = {rules.side(seat) for seat, cards in enumerate(shown) if cards}
    if len(sides) > 1:
        raise RecordError("shown: only one side's combinations score and are shown")
    if announcers and not sides:
        raise RecordError(f"shown: seat {announcers[0]} announced a combination, so somebody must show one")
    best = max(rank(cards) for cards in shown)
    for seat in announcers:
        if rules.side(seat) in sides and not shown[seat]:
            raise RecordError(f"shown: the side of seat {seat} scores and seat {seat} announced, so it shows too")
        if rules.side(seat) not in sides and (_least(public.announced[seat]) > best):
            raise RecordError(f"shown: seat {seat} announced a better combination than any that is shown")
    if rules.side(view.seat) not in sides and rank(int(view.dealt)) > best:
        raise RecordError("shown: the seat's own combination is better than any that is shown")


def _least(announced: int) -> int:
    """Return the least that `best_combination` can be for an announcement: a four, or the shortest run of its class."""
    if announced & FOUR:
        return FOUR_RANK
    length = 5 if announced & HUNDRED else 4 if announced & FIFTY else 3
    return length << 8

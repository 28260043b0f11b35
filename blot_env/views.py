"""What a seat knows: rows of `VIEW`, batches of them with masks (`Decisions`), and the same as a JSON message.

A message is what a host tells a bot and nothing more:

    {"rules": "bazar", "target": 151, "scores": [0, 0], "dealer": 3, "seat": 0, "hand": "JC 8D 7D QC KH AH 9D 7C",
     "actions": ["9C", "pass", "pass", "pass", "pass", "JC"], "announced": [["terz"], null, null, null], "shown": null}

`hand` is the hand as dealt, `actions` what has been said and played; `announced` lists by seat the classes of all its
combinations (null before its first card); `shown` by seat the combination cards laid open after the first trick (null
before).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env.cards import PACK, card_name, parse_card, set_name, set_of
from blot_env.combinations import (
    FIFTY,
    FOUR,
    HUNDRED,
    SPOKEN,
    TERZ,
    TWO_FIFTIES,
    TWO_FOURS,
    TWO_TERZES,
    announcement,
    combination_cards,
    combination_points,
)
from blot_env.compile import kernel
from blot_env.dealing import clear_table
from blot_env.engine import is_legal, legal, open_card
from blot_env.auction import call
from blot_env.observing import could_hold, observe, union, write_mask
from blot_env.random import absorb
from blot_env.rules import RuleSet
from blot_env.state import AUCTION, OVER, PHASES, PLAY, PUBLIC, VIEW

CLASSES = ("terz", "fifty", "hundred", "four")
_CLASS_BITS = ((TERZ, 0), (TWO_TERZES, 0), (FIFTY, 1), (TWO_FIFTIES, 1), (HUNDRED, 2), (FOUR, 3), (TWO_FOURS, 3))


class RecordError(ValueError):
    """A record or message that is no possible deal.

    Attributes:
        index: which of its actions is wrong, None when something else is.
        action: that action as written.
        reason: what is wrong and what would be right.
    """

    def __init__(self, reason: str, index: int | None = None, action: Any = None) -> None:
        self.index, self.action, self.reason = index, action, reason
        super().__init__(reason if index is None else f"action {index} ({action!r}): {reason}")


@dataclass(frozen=True)
class Decisions:
    """What the seats to act at `n` tables know, and what they may do.

    Attributes:
        rules: the rule set of all tables.
        views: rows of `VIEW`, shape (n,).
        observations: uint8, shape (n, rules.observation.size).
        masks: int8, shape (n, rules.actions.size), 1 for each legal action.
        seeds: int64, shape (n,), one for each decision: a hash of seed, board, seat and number of actions so far.
    """

    rules: RuleSet
    views: NDArray[np.void]
    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seeds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.seeds)

    def __getitem__(self, rows: Any) -> "Decisions":
        """Return the decisions of some rows (an index array, mask or slice)."""
        return Decisions(
            self.rules, self.views[rows], self.observations[rows], self.masks[rows], np.asarray(self.seeds[rows])
        )


def decision_of(rules: RuleSet, view: NDArray[np.void], seed: int) -> Decisions:
    """Return the one decision of a view.

    Args:
        view: shape (1,), dtype `VIEW`, whose seat is to act.
        seed: the decision's seed.
    """
    observation = np.zeros((1, rules.observation.size), np.uint8)
    mask = np.zeros((1, mask_width(rules)), np.int8)
    _observe_view(rules.record, view, observation[0], mask[0])
    return Decisions(rules, view, observation, mask[:, : rules.actions.size], np.array([seed], np.int64))


def mask_width(rules: RuleSet) -> int:
    """Return the length of a padded row of a mask, a multiple of 64."""
    return -(-rules.actions.size // 64) * 64


@kernel
def _observe_view(rules, views, observation, mask):  # type: ignore[no-untyped-def]
    view = views[0]
    observe(rules, view.public, view.seat, view.hand, view.dealt, observation)
    bits, first = 0, rules.actions
    if view.seat == view.public.seat:
        bits, first = legal(rules, view.public, view.hand)
    write_mask(rules, bits, first, mask)


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
    phases = [AUCTION if int(action) >= 32 else PLAY for action in public.history[: public.length]]
    assert phases == sorted(phases), "calls come before cards"
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


def view_from_message(rules: RuleSet, message: Any) -> Decisions:
    """Return the decision that a message describes (see the module's head).

    The message may hold a `seed` for the decision; by default it is made from the seat, its hand and the actions.

    Raises:
        RecordError: the message is malformed, impossible, or it is not the seat's turn.
    """
    if not isinstance(message, Mapping):
        raise RecordError(f"a message is a JSON object, not {type(message).__name__}")
    known = {"rules", "target", "scores", "dealer", "seat", "hand", "actions", "announced", "shown", "seed"}
    if unknown := sorted(set(message) - known):
        raise RecordError(f"{unknown[0]}: a message has no such key; it has {', '.join(sorted(known))}")
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
        seed = int(absorb(absorb(int(view[0].dealt), int(view[0].seat)), int(public.length)))
    elif type(seed) is not int or not 0 <= seed < 1 << 63:
        raise RecordError(f"seed: a whole number of 0 to 2^63 - 1, not {seed!r}")
    return decision_of(rules, view, seed)


def checked_list(data: Mapping[str, Any], key: str, kind: type, length: int | None = None) -> list[Any]:
    """Return `data[key]` if it is a list of one type (and length).

    Raises:
        RecordError: it is missing or something else.
    """
    value = data.get(key)
    if not isinstance(value, list | tuple) or any(type(item) is not kind for item in value):
        raise RecordError(f"{key}: a list of {'text' if kind is str else 'whole numbers'} is wanted, not {value!r:.60}")
    if length is not None and len(value) != length:
        raise RecordError(f"{key}: {length} entries are wanted, not {len(value)}")
    return list(value)


def checked_int(data: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """Return `data[key]` if it is a whole number from `low` to `high`.

    Raises:
        RecordError: it is missing or something else.
    """
    value = data.get(key)
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{key}: a whole number of {low} to {high} is wanted, not {value!r:.60}")
    return value


def checked_cards(text: Any, place: str, count: int | None = None) -> list[int]:
    """Return the cards of a text such as `JC 8D`, in its order.

    Raises:
        RecordError: it is no text, a card is unknown or twice in it, or there are not `count` of them.
    """
    if not isinstance(text, str):
        raise RecordError(f"{place}: cards are written as one text such as 'JC 8D TS', not {text!r:.60}")
    try:
        cards = [parse_card(name) for name in text.split()]
    except ValueError as error:
        raise RecordError(f"{place}: {error}") from None
    if twice := [card for card in cards if cards.count(card) > 1]:
        raise RecordError(f"{place}: {card_name(twice[0])} is there twice")
    if count is not None and len(cards) != count:
        raise RecordError(f"{place}: {count} cards are wanted, not {len(cards)}")
    return cards


MAX_SCORE = 1_000_000


def set_table(rules: RuleSet, public: np.record, data: Mapping[str, Any]) -> None:
    """Lay a table out for the scores and dealer of a record or message, and for the target of the rules.

    Raises:
        RecordError: one of them is missing or wrong.
    """
    scores = checked_list(data, "scores", int, rules.sides)
    if any(not -MAX_SCORE <= score <= MAX_SCORE for score in scores):
        raise RecordError(f"scores: match points lie between -{MAX_SCORE} and {MAX_SCORE}")
    public.dealer = checked_int(data, "dealer", 0, rules.players - 1)
    public.scores[: rules.sides] = scores
    public.target = rules.target
    clear_table(rules.record, public)


def _seat_at_table(rules: RuleSet, view: np.record, message: Mapping[str, Any]) -> None:
    target = checked_int(message, "target", 1, 100_000) if "target" in message else rules.target
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
        if not is_legal(rules.record, *legal(rules.record, public, view.hand), action):
            raise ValueError(f"seat {seat} may not do that there")
    elif action > 31 or not _could_hold(view, seat) >> action & 1:
        raise ValueError(f"seat {seat} cannot hold that card")
    if public.phase == AUCTION:
        public.history[public.length], public.actors[public.length] = action, seat
        public.length += 1
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
    if sum(1 for side in range(rules.sides) if any(shown[side :: rules.sides])) > 1:
        raise RecordError("shown: only one side's combinations score and are shown")

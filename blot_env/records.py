"""Reading records and messages: every part is checked, and what is wrong is named (docs/records.md)."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from blot_env.cards import card_name, pack_of, parse_card
from blot_env.dealing import clear_table
from blot_env.rules import RuleSet, load_rules

MAX_SCORE = 1_000_000
MAX_TARGET = 100_000
RECORD_KEYS = ("rules", "fields", "target", "scores", "dealer", "hands", "stock", "actions", "result", "trace")
"""`trace` is what held before each action; nothing reads it."""


class RecordError(ValueError):
    """A record or message that is no possible deal.

    Attributes:
        index: which of its actions is wrong, None when something else is.
        action: that action as written.
        reason: what is wrong and what would be right.
    """

    def __init__(self, reason: str, index: int | None = None, action: Any = None) -> None:
        self.index, self.action, self.reason = index, action, reason
        super().__init__(reason if index is None else f"action {index} ({action!r:.60}): {reason}")


def whole(name: str, value: Any) -> int:
    """Return a whole number that Python or NumPy holds.

    Raises:
        ValueError: it is something else, or not of 0 to 2^63 - 1 (scores may be negative).
    """
    lowest = -MAX_SCORE if name == "scores" else 0
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or not lowest <= value < 1 << 63:
        raise ValueError(f"{name}: a whole number of {lowest} to 2^63 - 1 is wanted, not {value!r:.60}")
    return int(value)


def check_keys(data: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise RecordError if there is a key that nobody would read."""
    if unknown := [key for key in data if key not in known]:
        there_are = f"there are {', '.join(sorted(known))}" if known else "none is wanted here"
        raise RecordError(f"{unknown[0]!r:.60}: there is no such key; {there_are}")


def check_result(written: Any, result: Mapping[str, Any] | None) -> None:
    """Raise RecordError if the result that a record has is not the one that its actions give."""
    if written is None:
        return
    if result is None:
        raise RecordError("result: the deal is not over, so it has none")
    if not isinstance(written, Mapping):
        raise RecordError(f"result: an object is wanted, not {written!r:.60}")
    check_keys(written, result)
    for key, value in written.items():
        if value != result[key]:
            raise RecordError(f"result: {key}: the actions give {result[key]!r}, the record says {value!r:.60}")


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


def checked_scores(rules: RuleSet, data: Mapping[str, Any]) -> list[int]:
    """Return the match points by side that a record or message has.

    Raises:
        RecordError: they are missing, or none that a match comes to.
    """
    scores = checked_list(data, "scores", int, rules.sides)
    if any(not -MAX_SCORE <= score <= MAX_SCORE for score in scores):
        raise RecordError(f"scores: match points lie between -{MAX_SCORE} and {MAX_SCORE}")
    return scores


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
    twice = next((card for card in cards if cards.count(card) > 1), None)  # soon: there are 32 different cards
    if twice is not None:
        raise RecordError(f"{place}: {card_name(twice)} is there twice")
    if count is not None and len(cards) != count:
        raise RecordError(f"{place}: {count} cards are wanted, not {len(cards)}")
    return cards


def set_table(rules: RuleSet, public: np.record, data: Mapping[str, Any]) -> None:
    """Lay a table out for the scores and dealer of a record or message, and for the target of the rules.

    Raises:
        RecordError: one of them is missing or wrong.
    """
    scores = checked_scores(rules, data)
    public.dealer = checked_int(data, "dealer", 0, rules.players - 1)
    public.scores[: rules.sides] = scores
    public.target = rules.target
    clear_table(rules.record, public)


def rules_of(record: Mapping[str, Any]) -> RuleSet:
    """Return the rule set of a record: its preset, its changed fields and its target.

    Raises:
        RecordError: there is no such rule set.
    """
    name = record.get("rules")
    if not isinstance(name, str) or name.endswith(".toml"):  # a record opens no file
        raise RecordError(f"rules: the name of a preset is wanted, not {name!r:.60}")
    fields = record.get("fields", {})
    if not isinstance(fields, Mapping) or not all(isinstance(key, str) for key in fields):
        raise RecordError(f"fields: an object of rule fields is wanted, not {fields!r:.60}")
    if "target" in fields:
        raise RecordError("fields: the target stands beside them, as the record's own")
    try:
        return load_rules(name, **{**fields, "target": checked_int(record, "target", 1, MAX_TARGET)})
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(str(error)) from None


def deck_of(rules: RuleSet, record: Mapping[str, Any]) -> list[int]:
    """Return the cards of a record's hands, seat by seat, each in the order dealt, and then its stock.

    Raises:
        RecordError: a hand is missing or no hand, or a card is dealt twice or not in the pack.
    """
    hands = record.get("hands")
    if not isinstance(hands, list | tuple) or len(hands) != rules.players:
        raise RecordError(f"hands: a list of {rules.players} hands is wanted, not {hands!r:.60}")
    deck = [card for seat, hand in enumerate(hands) for card in checked_cards(hand, f"hands[{seat}]", rules.dealt)]
    deck += checked_cards(record.get("stock", ""), "stock", rules.stock_size)
    if twice := [card for card in deck if deck.count(card) > 1]:
        raise RecordError(f"hands: {card_name(twice[0])} is dealt twice")
    if foreign := [card for card in deck if not pack_of(rules.ranks) >> card & 1]:
        raise RecordError(f"hands: {card_name(foreign[0])} is not in this game's pack, {rules.ranks} of each suit")
    return deck

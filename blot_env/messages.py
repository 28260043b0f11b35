"""What a seat sees as a JSON message, written and read (docs/bot-protocol.md).

A message is what a host tells a bot and nothing more:

    {"rules": "bazar", "target": 151, "scores": [0, 0], "dealer": 3, "seat": 0, "phase": "play",
     "hand": "JC 8D 7D QC KH AH 9D 7C", "actions": ["9C", "pass", "pass", "pass", "pass"],
     "announced": [null, null, null, null], "shown": null}

`hand` are the cards that the seat saw in the auction, in the order dealt; `actions` what has been said and played, the
discards of others as `discard`. `announced` lists by seat the classes that it has announced (null before it has
spoken), `shown` the cards that it has laid open (null before the first trick is complete). Games with hidden cards also
have `taken`, those with a turned card `turned`, those with a seven to swap `swap_asked`, changed rules `fields`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env.announcements import CLASSES, announced_bits, announced_classes
from blot_env.cards import cards_text, pack_of, set_name, set_of
from blot_env.dealing import turn_up
from blot_env.following import DISCARDED, Follower, Told
from blot_env.random import absorb
from blot_env.records import (
    MAX_TARGET,
    RecordError,
    check_keys,
    checked_cards,
    checked_int,
    checked_list,
    rules_of,
    set_table,
)
from blot_env.rules import RuleSet
from blot_env.state import AUCTION, HIDDEN, OVER, PHASES, VIEW
from blot_env.state import SWAP as SWAPPING
from blot_env.views import Decisions, decision_of

_KEYS = (
    "rules",
    "fields",
    "target",
    "scores",
    "dealer",
    "seat",
    "phase",
    "hand",
    "turned",
    "swap_asked",
    "taken",
    "actions",
    "announced",
    "shown",
    "seed",
)
_HIDDEN = ("hands", "stock", "deck", "down", "discards")
"""Where records and states hold cards that a seat does not see."""


def message_of(
    rules: RuleSet, view: np.record, scores: list[int], hand: list[int], discards: Sequence[int] = ()
) -> dict[str, Any]:
    """Return what a seat sees as a JSON message.

    Args:
        scores: match points by side as the deal began.
        hand: the cards that the seat saw in the auction, in the order dealt.
        discards: its own, in order.
    """
    public, changes = view.public, rules.changes
    seats = range(rules.players)
    return {
        "rules": rules.name,
        **({"fields": changes} if changes else {}),
        "target": rules.target,
        "scores": scores,
        "dealer": int(public.dealer),
        "seat": int(view.seat),
        "phase": PHASES[public.phase],
        "hand": cards_text(hand),
        **_hidden_cards(rules, view, set_of(hand)),
        "actions": _actions(rules, public, discards),
        "announced": [announced_classes(int(public.announced[seat])) for seat in seats],
        "shown": [set_name(public.shown[seat]) for seat in seats] if public.trick_number else None,
    }


def _hidden_cards(rules: RuleSet, view: np.record, hand: int) -> dict[str, Any]:
    """Return what a message tells of hidden cards, as far as the game has any."""
    public = view.public
    hidden: dict[str, Any] = {}
    if rules.auction == "turned":
        hidden["turned"] = set_name(1 << int(public.turned))
    if rules.swap_seven:
        hidden["swap_asked"] = next((seat for seat in range(rules.players) if public.known[seat]), None)
    if rules.hides_cards:
        got_by_swap = 1 << int(public.turned) if rules.swap_seven else 0
        taken = int(view.dealt | view.aside) & ~hand & ~got_by_swap
        hidden["taken"] = set_name(taken) if public.phase not in (AUCTION, SWAPPING) else None
    return hidden


def _actions(rules: RuleSet, public: np.record, discards: Sequence[int]) -> list[str]:
    own = map(rules.actions.text, discards)
    taken = [int(action) for action in public.history[: public.length]]
    return [next(own, DISCARDED) if action == HIDDEN else rules.actions.text(action) for action in taken]


def decision_from_message(rules: RuleSet, message: Any) -> Decisions:
    """Return the decision that a message describes (see the module's head).

    The message may hold a `seed` for the decision; by default it is made from the seat, its hand and the actions.

    Raises:
        RecordError: the message is malformed, impossible, of another game, or it is not the seat's turn.
    """
    views, follower = follow(rules, message)
    _check_turn(views[0], follower, message)
    return decision_of(rules, views, _seed(views[0], message))


def follow(rules: RuleSet, message: Any) -> tuple[NDArray[np.void], Follower]:
    """Return what the seat of a message knows, its turn or not: shape (1,), dtype `VIEW`; and who followed the deal.

    Raises:
        RecordError: the message is malformed, impossible, or of another game.
    """
    if not isinstance(message, Mapping):
        raise RecordError(f"a message is a JSON object, not {type(message).__name__}")
    check_seen(message)
    check_keys(message, _KEYS)
    check_rules(rules, message)
    views = np.zeros(1, VIEW)
    view = views[0]
    _sit_down(rules, view, message)
    follower = Follower(rules, view, _told(rules, message))
    for index, action in enumerate(checked_list(message, "actions", str)):
        try:
            follower.take(action)
        except RecordError:
            raise
        except ValueError as error:
            raise RecordError(str(error), index, action) from None
    follower.check_told()
    return views, follower


def check_seen(message: Mapping[str, Any]) -> None:
    """Raise RecordError if a message holds cards that its seat does not see."""
    if hidden := [key for key in _HIDDEN if key in message]:
        raise RecordError(f"{hidden[0]}: these are cards that a seat does not see: leave them out")


def check_rules(rules: RuleSet, message: Mapping[str, Any]) -> None:
    """Raise RecordError if a message that names its rules is of another game, whatever the target."""
    if "rules" not in message and "fields" not in message:
        return
    if message.get("rules", rules.name) != rules.name:
        raise RecordError(f"rules: this is a seat of {rules.name!r}, not of {message['rules']!r:.60}")
    given = rules_of({"rules": rules.name, "target": rules.target, "fields": message.get("fields", {})})
    wanted, own = given.model_dump(mode="json"), rules.model_dump(mode="json")
    for field, value in own.items():
        if wanted[field] != value:
            raise RecordError(f"fields: this is a seat of a game with {field} = {value!r}, not {wanted[field]!r}")


def _sit_down(rules: RuleSet, view: np.record, message: Mapping[str, Any]) -> None:
    """Begin a deal with what a seat sees of it."""
    target = checked_int(message, "target", 1, MAX_TARGET) if "target" in message else rules.target
    set_table(rules, view.public, message)
    view.public.target = target
    view.seat = checked_int(message, "seat", 0, rules.players - 1)
    view.dealt = view.hand = _cards(rules, message.get("hand"), "hand", rules.visible)
    if rules.auction == "turned":
        turned = _cards(rules, message.get("turned"), "turned", 1)
        if turned & view.hand:
            raise RecordError(f"turned: {set_name(turned)} is in the hand of seat {view.seat}")
        turn_up(view.public, turned.bit_length() - 1)
    elif message.get("turned") is not None:
        raise RecordError("turned: no card is turned up in this game")


def _cards(rules: RuleSet, text: Any, place: str, count: int | None = None) -> int:
    """Return the set of some cards of the game."""
    cards = set_of(checked_cards(text, place, count))
    if foreign := cards & ~pack_of(rules.ranks):
        raise RecordError(f"{place}: {set_name(foreign)}: the pack has {rules.ranks} of each suit")
    return cards


def _told(rules: RuleSet, message: Mapping[str, Any]) -> Told:
    """Return what a message tells besides the actions and the hand."""
    taken, shown = message.get("taken"), message.get("shown")
    return Told(
        taken=0 if taken is None else _cards(rules, taken, "taken"),
        swap_asked=checked_int(message, "swap_asked", 0, rules.players - 1)
        if message.get("swap_asked") is not None
        else None,
        announced=_announced(rules, message.get("announced")),
        shown=None
        if shown is None
        else [_cards(rules, text, "shown") for text in checked_list(message, "shown", str, rules.players)],
    )


def _announced(rules: RuleSet, given: Any) -> list[int]:
    """Return the announcements by seat, 0 where there is none yet."""
    if given is None:
        return [0] * rules.players
    if not isinstance(given, list | tuple) or len(given) != rules.players:
        raise RecordError(f"announced: a list of {rules.players} entries is wanted, not {given!r:.60}")
    announced = []
    for seat, classes in enumerate(given):
        if classes is None:
            announced.append(0)
            continue
        if not isinstance(classes, list | tuple) or any(name not in CLASSES for name in classes):
            raise RecordError(f"announced: seat {seat}: a list of {', '.join(CLASSES)} is wanted, not {classes!r:.60}")
        bits = announced_bits(list(classes))
        cards_in_runs = sum(3 + CLASSES.index(name) for name in classes if name != "four")
        bluff = rules.bluff and list(classes) == ["terz"]
        if bits is None or (cards_in_runs > rules.hand_size and not bluff):
            raise RecordError(f"announced: no hand of seat {seat} holds {' and '.join(classes)} at once")
        announced.append(bits)
    return announced


def _check_turn(view: np.record, follower: Follower, message: Mapping[str, Any]) -> None:
    """Check that it is the seat's turn, and ask it what the message says that it is asked."""
    public, phase = view.public, message.get("phase")
    if public.phase == OVER:
        raise RecordError("actions: the deal is over, there is nothing to decide")
    if public.seat != view.seat:
        raise RecordError(f"seat: it is the turn of seat {public.seat}, not of seat {view.seat}")
    if phase is None and follower.hearing.may_be_asked:
        raise RecordError(f"phase: seat {view.seat} may be asked to show before its card: say 'show' or 'play'")
    try:
        follower.hearing.ask(phase == "show")
    except ValueError as error:
        raise RecordError(f"phase: {error}") from None
    if phase not in (None, PHASES[public.phase]):
        raise RecordError(f"phase: {PHASES[public.phase]!r} is wanted, not {phase!r:.60}")


def _seed(view: np.record, message: Mapping[str, Any]) -> int:
    if message.get("seed") is not None:
        return checked_int(message, "seed", 0, (1 << 63) - 1)
    seed = absorb(int(view.dealt), int(view.seat))
    for action in view.public.history[: view.public.length]:
        seed = absorb(int(seed), int(action))
    return int(seed)

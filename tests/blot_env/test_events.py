"""Events: what a host tells a seat, and that the seat then knows what the engine says that it knows."""

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blot_env import RULESETS, Game, Listener, RecordError, RuleSet, events, load_rules
from blot_env.cards import parse_card
from tests.renaming import moments

HOUSE_RULES: list[tuple[str, dict[str, Any]]] = [
    ("bazar-classic", {"bluff": True}),
    ("bela4", {"announce": "by_choice"}),
    ("bela3", {"auction": "named", "forced_dealer": True}),
]
GAMES = [*((preset, {}) for preset in RULESETS), *HOUSE_RULES]


def told(game: Game, before: Game | None, seat: int) -> list[dict[str, Any]]:
    """The events of a seat, as they come off the wire."""
    return json.loads(json.dumps(events(seat, before, game)))


def steps(rules: RuleSet, seed: int, deals: int) -> Iterator[tuple[Game | None, Game]]:
    """The moments of a match, each with the one before."""
    game, rng, last = Game(rules, seed=seed), np.random.default_rng(seed), None
    while True:
        yield last, game
        for action in moments(game, rng):
            after = game.copy()
            after.take(action)
            yield game, after
        deals -= 1
        if not deals or game.winner is not None:
            return
        last = game.copy()
        game.next_deal()


def assert_knows(listener: Listener, game: Game) -> None:
    """The listener knows of a deal what the engine says that its seat knows, and is told no more than that."""
    if game.phase == "over":
        assert listener.message is None
        return
    seen = game.message(listener.seat)
    phase = seen.pop("phase")
    assert listener.message == seen
    if listener.seat == game.seat:
        wanted, decision = game.decision(seed=5), listener.decision(5, phase)
        for name in ("history", "actors"):  # behind their end an earlier deal may stand
            wanted.views["public"][name][:, wanted.views["public"]["length"][0] :] = 0
        assert decision.views.tobytes() == wanted.views.tobytes()
        assert decision.seeds == wanted.seeds
        for own, other in ((decision.observations, wanted.observations), (decision.masks, wanted.masks)):
            np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize(("preset", "fields"), GAMES)
def test_whoever_is_told_every_event_knows_what_the_engine_says(preset: str, fields: dict[str, Any]) -> None:
    rules = load_rules(preset, **fields)
    listeners = [Listener(rules, seat) for seat in range(rules.players)]
    for before, after in steps(rules, seed=3, deals=2):
        for listener in listeners:
            for event in told(after, before, listener.seat):
                listener.hear(event)
            assert_knows(listener, after)


@pytest.mark.parametrize("preset", [preset for preset in RULESETS if load_rules(preset).belot])
def test_a_belot_ends_the_deal(preset: str) -> None:
    rules = load_rules(preset)
    suit = [f"{rank}S" for rank in rules.ranks]
    deck = suit + [f"{rank}{strain}" for rank in rules.ranks for strain in "CDH"]
    size = rules.dealt
    hands = [" ".join(deck[seat * size : (seat + 1) * size]) for seat in range(rules.players)]
    if rules.auction == "turned":
        deck = deck[: rules.players * size] + deck[: rules.players * size - 1 : -1]
    record = {"rules": preset, "target": rules.target, "scores": [0] * rules.sides, "dealer": rules.players - 1}
    game = Game.from_record(record | {"hands": hands, "stock": " ".join(deck[rules.players * size :])})
    listeners = [Listener(rules, seat) for seat in range(rules.players)]
    before = None
    while True:
        for listener in listeners:
            for event in told(game, before, listener.seat):
                listener.hear(event)
        if game.phase == "over":
            break
        before = game.copy()
        legal = np.flatnonzero(game.mask())
        game.take(legal[-1] if game.phase == "auction" else legal[0])
    assert game.winner == rules.side(0)
    assert game.result
    assert game.result["made"] is None


def test_an_event_tells_no_hidden_card() -> None:
    """Nothing but its own hand, and what is laid open, comes to a seat."""
    for preset in ("bazar", "duel", "bela3", "bela2"):
        rules = load_rules(preset)
        for seat in (0, 1):
            seen: set[str] = set()
            for before, after in steps(rules, seed=4, deals=2):
                if not after.actions:
                    seen = set()
                text = json.dumps([event for event in told(after, before, seat) if event["type"] != "result"])
                seen |= {card for card in re.findall(r"\b[7-9TJQKA][CDHS]\b", text) if after.phase != "auction"}
                view = after.view(seat)[0]
                open_cards = int(np.bitwise_or.reduce(view.public.played | view.public.shown | view.public.known))
                own = int(view.dealt | view.aside)
                turned = 1 << int(view.public.turned) if view.public.turned >= 0 else 0
                for card in seen:
                    assert (open_cards | own | turned | int(view.public.out)) >> parse_card(card) & 1, (preset, card)


def midway(preset: str = "bazar", moment: int = 5) -> tuple[Listener, list[dict[str, Any]], list[dict[str, Any]]]:
    """A seat in the middle of a deal, what it was told and what it will be told."""
    rules = load_rules(preset)
    story = [event for before, after in steps(rules, seed=3, deals=2) for event in told(after, before, 1)]
    listener = Listener(rules, 1)
    for event in story[:moment]:
        listener.hear(event)
    return listener, story[:moment], story[moment:]


WRONG: list[tuple[Any, str]] = [
    ([], "an event is a JSON object, not list"),
    ({}, "type: an event is one of deal, action, result, not None"),
    ({"type": []}, "type: an event is one of"),
    ({"type": "deal"}, "deal: one goes on that has no result yet"),
    ({"type": "result", "scores": [0, 0]}, "result: no deal has ended"),
    ({"type": "action", "seat": 7}, "seat: a whole number of 0 to 3"),
    ({"type": "action", "seat": 1, "action": "9S"}, "seat: it is the turn of seat 0, not of seat 1"),
    ({"type": "action", "seat": 0}, "action: a text such as"),
    ({"type": "action", "seat": 0, "action": "jump"}, r"action 4 \('jump'\)"),
    ({"type": "action", "seat": 0, "action": "pass", "announced": ["terz"]}, "announced: seat 0 has not spoken"),
    ({"type": "action", "seat": 0, "action": "pass", "shown": ["AS", "", "", ""]}, "shown: the first trick"),
    ({"type": "action", "seat": 0, "action": "pass", "colour": 1}, "'colour': there is no such key"),
    (
        {"type": "action", "seat": 0, "action": "pass", "hands": ["AS"]},
        "hands: these are cards that a seat does not see",
    ),
    ({"type": "action", "seat": 0, "action": "pass", "belot": 0}, "belot: this game has none"),
    ({"type": "deal", "hand": "AS", "stock": "7C 8C"}, "stock: these are cards that a seat does not see"),
]


@pytest.mark.parametrize(("event", "reason"), WRONG)
def test_a_wrong_event_is_named_and_changes_nothing(event: Any, reason: str) -> None:
    listener, _, later = midway()
    before = json.dumps(listener.message)
    with pytest.raises(RecordError, match=reason) as caught:
        listener.hear(event)
    assert "\n" not in str(caught.value)
    assert json.dumps(listener.message) == before
    for right in later:
        listener.hear(right)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["pass", "9S", "AS"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
STORIES = {preset: midway(preset, 0)[2] for preset in ("bazar", "bela3", "bela2", "bazar-classic")}


@given(st.sampled_from(sorted(STORIES)), st.data())
@settings(max_examples=40, deadline=None)
def test_no_wrong_story_breaks_a_listener(preset: str, data: st.DataObject) -> None:
    """Events mutated, dropped, repeated and out of order are taken over or refused, and refused ones change nothing."""
    story = STORIES[preset]
    listener = Listener(load_rules(preset), 1)
    start = data.draw(st.integers(0, len(story) - 1))
    for event in story[:start]:
        listener.hear(event)
    for _ in range(data.draw(st.integers(1, 6))):
        event = dict(data.draw(st.sampled_from(story)))
        if data.draw(st.booleans()):
            event[data.draw(st.sampled_from(sorted(event)) | st.sampled_from(["announced", "shown", "taken"]))] = (
                data.draw(JSON)
            )
        before = json.dumps(listener.message)
        try:
            listener.hear(event)
        except RecordError:
            assert json.dumps(listener.message) == before
        try:
            decision = listener.decision(1, data.draw(st.sampled_from([None, "show", "play"])))
        except RecordError:
            continue
        assert decision.masks.any()


def test_only_one_action_is_told_at_a_time() -> None:
    game = Game("bazar", seed=7)
    before = game.copy()
    game.play("8H")
    game.play("pass")
    with pytest.raises(ValueError, match="one action at a time"):
        events(0, before, game)


def test_scores_go_on_from_deal_to_deal() -> None:
    listener, _, later = midway(moment=0)
    deals = [place for place, event in enumerate(later) if event["type"] == "deal"]
    for event in later[: deals[1]]:
        listener.hear(event)
    with pytest.raises(RecordError, match="scores: the last deal ended with"):
        listener.hear(later[deals[1]] | {"scores": [77, 0]})
    listener.hear(later[deals[1]])

"""A conversation with a bot: told a match event by event it plays as if it saw the engine's decisions."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import agents
from agents.bot import load_bot
from agents.session import Session
from agents.tiers import Tier
from agents.tiers.player import TierPlayer
from blot_env import RULESETS, Game, RuleSet, events, load_rules
from tests.transcript import PAGE, PLACE, transcript

Message = dict[str, Any]
PLAIN = Tier(name="plain", calls="rules", cards="rules", temperature=1.0, cap=2.0)
QUICK = Tier(
    name="quick", calls="rules", cards="search", worlds=2, weights="rules", candidates=2, temperature=1.0, cap=2.0
)


def say(session: Session, message: Any) -> Message:
    """What a session answers to a message."""
    return session.answer(json.dumps(message))


def sessions(rules: RuleSet, player: agents.Agent, seed: int) -> list[Session]:
    """One for each seat of a match."""
    found = [Session(rules, player) for _ in range(rules.players)]
    for seat, session in enumerate(found):
        assert say(session, {"type": "options", "seed": seed}) == {"ok": True}
        assert say(session, {"type": "match", "rules": rules.name, "fields": rules.changes, "seat": seat}) == {
            "ok": True
        }
    return found


def tell(table: list[Session], before: Game | None, after: Game) -> None:
    """Tell every seat what has happened."""
    for seat, session in enumerate(table):
        for event in events(seat, before, after):
            assert say(session, event) == {"ok": True}


SEARCHED = ("bazar", "bela3")
HOUSE_RULES: list[tuple[str, Message]] = [
    ("bazar-classic", {"bluff": True}),
    ("bela4", {"announce": "by_choice"}),
    ("bela3", {"auction": "named", "forced_dealer": True}),
]


@pytest.mark.parametrize(("preset", "fields"), [*((preset, {}) for preset in RULESETS), *HOUSE_RULES])
def test_told_events_a_bot_acts_as_one_that_sees_the_engines_decisions(preset: str, fields: Message) -> None:
    rules = load_rules(preset, **fields)
    player, game = TierPlayer(rules, QUICK if preset in SEARCHED else PLAIN), Game(rules, seed=11)
    table = sessions(rules, player, seed=11)
    before: Game | None = None
    for deal in range(2):
        if deal:
            before = game.copy()
            game.next_deal()
        tell(table, before, game)
        while game.phase != "over":
            reply = say(table[game.seat], {"type": "go", "phase": game.phase})
            assert reply == {"action": rules.actions.text(int(player.act(game.decision(seed=11))[0]))}
            before = game.copy()
            game.play(reply["action"])
            tell(table, before, game)
        if game.winner is not None:
            break


def test_an_exported_bot_plays_a_deal_event_by_event(bot: Path) -> None:
    rules, player = load_bot(bot)
    game, before, table = Game(rules, seed=4), None, sessions(rules, player, seed=4)
    tell(table, before, game)
    while game.phase != "over":
        reply = say(table[game.seat], {"type": "go"})
        assert reply == {"action": rules.actions.text(int(player.act(game.decision(seed=4))[0]))}
        before = game.copy()
        game.play(reply["action"])
        tell(table, before, game)


@pytest.fixture
def session() -> Session:
    """A bot of the bazar."""
    rules = load_rules("bazar")
    return Session(rules, TierPlayer(rules, PLAIN, name="bot:plain"))


KEYS = {"options": ("seed", "ms", "name"), "go": ("phase", "ms", "explain")}
DEAL = {"type": "deal", "scores": [0, 0], "dealer": 3, "hand": "JC 8D 7D QC KH AH 9D 7C"}


def test_it_says_who_it_is(session: Session) -> None:
    said = say(session, {"type": "identify"})
    assert said["name"] == "bot:plain"
    assert said["rules"] == "bazar"
    assert said["options"] == {"seed": 0, "ms": None, "name": None}
    assert say(session, {"type": "options", "name": "Արամ", "ms": 50}) == {"ok": True}
    said = say(session, {"type": "identify"})
    assert said["name"] == "Արամ"
    assert said["options"]["ms"] == 50


def test_the_seed_changes_what_is_drawn() -> None:
    rules = load_rules("bazar")
    player = TierPlayer(rules, Tier(name="bold", calls="rules", cards="rules", temperature=9.0, cap=50.0))
    chosen = set()
    for seed in range(20):
        session = Session(rules, player)
        for message in ({"type": "options", "seed": seed}, {"type": "match", "seat": 0}, DEAL):
            assert say(session, message) == {"ok": True}
        first = say(session, {"type": "go"})
        assert say(session, {"type": "go"}) == first
        chosen.add(first["action"])
    assert len(chosen) > 1


def test_it_explains_what_it_thought() -> None:
    session = Session(load_rules("bazar"), TierPlayer(load_rules("bazar"), QUICK))
    for message in (
        {"type": "match", "seat": 1},
        DEAL,
        *(action(seat, call) for seat, call in enumerate(["9S", "pass", "pass", "pass"])),
    ):
        say(session, message)
    say(session, action(0, "pass"))
    say(session, action(0, "AS"))
    reply = say(session, {"type": "go", "explain": True})
    assert reply["value"] == max(reply["values"].values()) or reply["value"] is not None
    assert reply["action"] in reply["values"]
    assert set(reply["values"]) <= set("JC 8D 7D QC KH AH 9D 7C".split())
    assert sum(world["weight"] for world in reply["worlds"]) == pytest.approx(1, abs=1e-4)
    for world in reply["worlds"]:
        cards = " ".join(world["hands"]).split()
        assert len(cards) == len(set(cards)) == 31
        assert sorted(world["hands"][1].split()) == sorted("JC 8D 7D QC KH AH 9D 7C".split())
    alone = say(session, {**json.loads(json.dumps(session_message(session))), "explain": True})
    assert set(alone) == {"action", "value", "values", "worlds"}


def action(seat: int, text: str, **more: Any) -> Message:
    """The event of an action."""
    return {"type": "action", "seat": seat, "action": text, **more}


def session_message(session: Session) -> Message:
    """The whole deal that a session was told as one message."""
    assert session.listener is not None
    assert session.listener.message is not None
    return session.listener.message


WRONG: list[tuple[Any, str]] = [
    ("hello", "a message is a JSON object, not str"),
    (
        {"type": "jump"},
        "type: one of identify, options, match, stop, quit, deal, action, result, go is wanted, not 'jump'",
    ),
    ({"type": []}, "type: one of"),
    ({"type": "identify", "please": 1}, "'please': there is no such key"),
    ({"type": "options", "depth": 3}, "'depth': there is no such key"),
    ({"type": "options", "ms": -1}, "ms: Input should be greater than 0"),
    ({"type": "options", "seed": "7"}, "seed: Input should be a valid integer"),
    ({"type": "match", "seat": 4}, "seat: a whole number of 0 to 3"),
    ({"type": "match", "seat": 1, "rules": "duel"}, "rules: this is a seat of 'bazar', not of 'duel'"),
    ({"type": "match", "seat": 1, "fields": {"must_beat": "all"}}, "fields: this is a seat of a game with"),
    ({"type": "match", "seat": 1, "hands": []}, "hands: these are cards that a seat does not see"),
    ({"type": "go", "ms": 0}, "ms: Input should be greater than 0"),
    ({"type": "go", "fast": True}, "'fast': there is no such key"),
    ({"type": "go", "phase": "show"}, "phase: "),
    ({"type": "deal", "hand": "AS"}, "deal: one goes on"),
    (action(1, "8H", stock="7C"), "stock: these are cards that a seat does not see"),
    (action(1, "AS"), "action 1"),
]


@pytest.mark.parametrize(("message", "reason"), WRONG)
def test_what_is_wrong_is_told_in_a_line_and_forgotten(session: Session, message: Any, reason: str) -> None:
    for right in ({"type": "match", "seat": 1}, DEAL, action(0, "9S")):
        assert say(session, right) == {"ok": True}
    answered = say(session, {"type": "go"})
    reply = say(session, message)
    assert reply["error"].startswith(reason), reply
    assert "\n" not in reply["error"]
    assert say(session, {"type": "go"}) == answered
    assert say(session, action(1, "pass")) == {"ok": True}


def test_scores_that_no_match_has_do_not_end_a_deal() -> None:
    """They would stand against every next deal."""
    game = Game("bazar", seed=1)
    session = Session(game.rules, TierPlayer(game.rules, PLAIN))
    say(session, {"type": "match", "seat": 1})
    before: Game | None = None
    while True:
        told = events(1, before, game)
        if game.result is not None:
            break
        assert all(say(session, event) == {"ok": True} for event in told)
        before = game.copy()
        game.take(int(agents.make("rules", game.rules).act(game.decision())[0]))
    for event in told[:-1]:
        say(session, event)
    for scores in ([10**40, 0], [-(10**40), 0], [0.5, 0], [True, 0], [0]):
        assert say(session, told[-1] | {"scores": scores})["error"].startswith("scores: ")
    assert say(session, told[-1]) == {"ok": True}
    game.next_deal()
    assert [say(session, event) for event in events(1, None, game)] == [{"ok": True}]


def test_nothing_is_decided_before_there_is_a_deal(session: Session) -> None:
    assert say(session, {"type": "go"})["error"].startswith("type: a match is to be told first")
    assert say(session, DEAL)["error"].startswith("type: a match is to be told first")
    say(session, {"type": "match", "seat": 1})
    assert say(session, {"type": "go"}) == {"error": "there is nothing to decide: no deal goes on"}
    say(session, DEAL)
    assert say(session, {"type": "go"}) == {"error": "seat: it is the turn of seat 0, not of seat 1"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def story(preset: str) -> list[Message]:
    """All that a host may say to seat 1 in a deal."""
    rules, before = load_rules(preset), None
    game, player = Game(rules, seed=2), TierPlayer(rules, PLAIN)
    said: list[Message] = [{"type": "identify"}, {"type": "options", "seed": 2}, {"type": "match", "seat": 1}]
    while True:
        said += events(1, before, game)
        if game.phase == "over":
            return said
        if game.seat == 1:
            said += [{"type": "go", "explain": True}, {"type": "stop"}, game.message()]
        before = game.copy()
        game.take(int(player.act(game.decision())[0]))


STORIES = {preset: story(preset) for preset in ("bazar", "bela3")}


@given(st.sampled_from(sorted(STORIES)), st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_a_host_says_is_answered(preset: str, data: st.DataObject) -> None:
    """Mutated, cut, repeated and out of order: every line gets an answer, and every action is legal."""
    rules, lines = load_rules(preset), STORIES[preset]
    session = Session(rules, TierPlayer(rules, PLAIN))
    start = data.draw(st.integers(0, len(lines) - 1))
    for message in lines[:start]:
        if message.get("type") not in (None, "go"):
            assert "error" not in say(session, message)
    for _ in range(data.draw(st.integers(1, 6))):
        message = dict(data.draw(st.sampled_from([*lines[start : start + 3], *lines])))
        if data.draw(st.booleans()):
            message[data.draw(st.sampled_from(sorted(message)) | st.text(max_size=5))] = data.draw(JSON)
        line = json.dumps(message).encode()
        if data.draw(st.integers(0, 4)) == 0:
            line = line[: data.draw(st.integers(0, len(line)))]
        state = session.listener and json.dumps(session.listener.message)
        reply = session.answer(line)
        assert "error" in reply or "ok" in reply or "action" in reply or "protocol" in reply
        if "error" in reply:
            assert "\n" not in reply["error"]
            assert (session.listener and json.dumps(session.listener.message)) == state
        if "action" in reply and message.get("type") == "go" and session.listener:
            legal = session.listener.decision(0, message.get("phase")).masks[0]
            assert legal[rules.actions.parse(reply["action"], message.get("phase") or phase_of(session))]


def phase_of(session: Session) -> str:
    """What a seat is asked, as far as it need not be said."""
    from blot_env.state import PHASES

    assert session.listener is not None
    return PHASES[session.listener.decision().views[0].public.phase]


def test_the_conversation_of_the_documentation_is_true() -> None:
    found = PLACE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == found[1] + transcript(), "python -m tests.transcript holds it anew"


@pytest.mark.parametrize("kind", ["options", "go", "stop", "quit"])
def test_a_key_too_many_is_named_with_what_may_stand_there(session: Session, kind: str) -> None:
    assert say(session, {"type": "match", "seat": 1}) == {"ok": True}
    said = say(session, {"type": kind, "worlds": 3})["error"]
    assert said.startswith("'worlds': there is no such key; ")
    assert said.endswith("none is wanted here" if kind in ("stop", "quit") else ", ".join(sorted(KEYS[kind])))

"""The line protocol: every line has one answer, whatever is in it."""

import io
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import agents
from agents import warming
from agents.agent import ImpossibleViewError
from agents.bot import load_bot
from agents.protocol import serve
from agents.session import Session
from agents.tiers.player import Thoughts
from blot_env import RULESETS, Decisions, Game, RuleSet, load_rules
from blot_env.actions import PASS

RULES = load_rules("bazar")


@pytest.fixture(scope="module")
def player() -> agents.Agent:
    return agents.make("random", RULES)


def games() -> list[dict[str, Any]]:
    """Messages of all seats through two deals."""
    messages = []
    for seed in (1, 2):
        game, player = Game(RULES, seed=seed), agents.make("random", RULES)
        while game.phase != "over":
            messages.append(game.message())
            game.play(RULES.actions.text(int(player.act(game.decision())[0])))
    return messages


MESSAGES = games()


def answer(rules: RuleSet, player: agents.Agent, line: str) -> dict[str, Any]:
    """What a player answers to a line."""
    return Session(rules, player).answer(line)


def test_a_bot_plays_a_deal_over_the_wire(bot: Path) -> None:
    player = agents.make(f"bot:{bot}", RULES)
    game = Game(RULES, seed=5)
    while game.phase != "over":
        decision = game.decision()
        reply = answer(RULES, player, json.dumps(game.message() | {"seed": int(decision.seeds[0])}))
        assert reply == {"action": RULES.actions.text(int(player.act(decision)[0]))}
        game.play(reply["action"])


HOUSE_RULES: list[tuple[str, dict[str, Any]]] = [
    ("bazar-classic", {"bluff": True}),
    ("bela4", {"announce": "by_choice"}),
    ("bela3", {"auction": "named", "forced_dealer": True}),
]


@pytest.mark.parametrize(("preset", "fields"), [*((preset, {}) for preset in RULESETS), *HOUSE_RULES])
def test_whole_deals_of_every_game_are_played_over_the_wire(preset: str, fields: dict[str, Any]) -> None:
    rules = load_rules(preset, **fields)
    session, game = Session(rules, agents.make("random:uniform", rules)), Game(rules, seed=8)
    for deal in range(3):
        if deal and game.winner is None:
            game.next_deal()
        while game.phase != "over":
            game.play(session.answer(json.dumps(game.message()))["action"])
    assert game.result


@pytest.fixture(scope="module", params=["duel", "bela3"])
def other_bot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained bot of another game."""
    from tests.untrained import untrained_bot

    return untrained_bot(load_rules(request.param), 1, tmp_path_factory.mktemp(request.param))


def test_a_bot_of_another_game_plays_in_its_own_process(other_bot: Path) -> None:
    rules, same = load_bot(other_bot)
    command = [sys.executable, "-m", "train.cli", "bot", str(other_bot)]
    seats = set()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        for board in range(3):
            game = Game(rules, seed=5, board=board)
            while game.phase != "over":
                seats.add(game.seat)
                print(json.dumps(game.message()), file=process.stdin, flush=True)
                reply = json.loads(process.stdout.readline())
                assert reply == {"action": rules.actions.text(int(same.act(game.decision())[0]))}
                game.play(reply["action"])
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.returncode == 0
    assert seats == set(range(rules.players))


def test_a_bot_refuses_another_game(other_bot: Path) -> None:
    rules, player = load_bot(other_bot)
    for other in (Game("bazar", seed=1), Game(load_rules(rules.name, must_beat="all"), seed=1)):
        reply = answer(rules, player, json.dumps(other.message()))
        assert re.match("rules: |fields: ", reply["error"]), reply
    longer = Game(load_rules(rules.name, target=999), seed=1)
    assert "action" in answer(rules, player, json.dumps(longer.message()))


def test_every_line_is_answered_by_one_and_errors_stop_nothing(player: agents.Agent) -> None:
    good = json.dumps(MESSAGES[0]).encode()
    lines = [good, b"\n", b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"{}", b'{"\\ud800": 1}', good]
    out = io.StringIO()
    serve(RULES, player, lines, out)
    replies = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [set(reply) for reply in replies] == [{"action"}, *[{"error"}] * 7, {"action"}]
    assert replies[0] == replies[-1]


def test_a_message_nested_however_deeply_is_answered(player: agents.Agent) -> None:
    """Also where it can just be read, but not be told."""
    event = {"type": "action", "seat": 0, "action": "9S", "taken": "DEEP"}
    told = [{"type": "match", "seat": 1}, {"type": "deal", "scores": [0, 0], "dealer": 3, "hand": MESSAGES[0]["hand"]}]
    lines = [json.dumps(message).encode() for message in told]
    depths = range(900, 1010)
    lines += [json.dumps(event).replace('"DEEP"', "[" * depth + "]" * depth).encode() for depth in depths]
    out = io.StringIO()
    serve(RULES, player, [*lines, json.dumps(event | {"taken": None}).encode()], out)
    replies = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [set(reply) for reply in replies] == [{"ok"}, {"ok"}, *[{"error"}] * len(depths), {"ok"}]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seat": 2}, "turn of seat"),
        ({"seat": "0"}, "seat: a whole number of 0 to 3"),
        ({"rules": "bela4"}, "rules"),
        ({"hand": "7C 8C"}, "hand: 8 cards are wanted, not 2"),
        ({"hand": "7C 7C 8C 9C TC JC QC KC"}, "hand: 7C is there twice"),
        ({"hand": None}, "hand"),
        ({"dealer": 4}, "dealer"),
        ({"scores": [0]}, "scores: 2 entries"),
        ({"actions": ["9S", "8S"]}, r"action 1 \('8S'\)"),
        ({"actions": ["jump"]}, r"action 0 \('jump'\)"),
        ({"actions": "pass"}, "actions: a list"),
        ({"colour": "red"}, "colour"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_is_wrong_is_named(player: agents.Agent, change: dict[str, Any], reason: str) -> None:
    reply = answer(RULES, player, json.dumps(Game(RULES, seed=1).message() | change))
    assert re.search(reason, reply["error"]), reply
    assert "\n" not in reply["error"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(MESSAGES), st.sampled_from(sorted(MESSAGES[0])), JSON)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_anywhere_gets_an_answer(player: agents.Agent, message: dict[str, Any], key: str, value: Any) -> None:
    reply = answer(RULES, player, json.dumps(message | {key: value}))
    assert set(reply) in ({"action"}, {"error"})


@given(st.sampled_from(MESSAGES), st.data())
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_history_gets_an_answer(player: agents.Agent, message: dict[str, Any], data: st.DataObject) -> None:
    actions = list(message["actions"])
    place = data.draw(st.integers(0, len(actions)))
    actions[place : place + data.draw(st.integers(0, 2))] = data.draw(
        st.lists(st.sampled_from(["pass", "contra", "recontra", "9S", "80H", "capotD", "7C", "AS", "swap"]), max_size=2)
    )
    reply = answer(RULES, player, json.dumps(message | {"actions": actions}))
    assert set(reply) in ({"action"}, {"error"})


class Ponderer:
    """Thinks until it is stopped, at most ten seconds, and then passes."""

    name = "ponderer"

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.interrupted = 0

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        return np.full(len(decisions), PASS)

    def think(self, decision: Decisions, ms: float | None = None, stopped: Callable[[], bool] = bool) -> Thoughts:
        self.begun.set()
        for _ in range(1000):
            if stopped():
                self.interrupted += 1
                break
            time.sleep(0.01)
        return Thoughts(PASS, None, {}, np.zeros((0, 4), np.int64), np.zeros(0))


GO = json.dumps(MESSAGES[0]).encode()
STOP, QUIT = b'{"type": "stop"}', b'{"type": "quit"}'


@pytest.mark.parametrize("last", [STOP, QUIT])
def test_a_stop_ends_a_thought_and_answers_keep_their_order(last: bytes) -> None:
    player, out = Ponderer(), io.StringIO()

    def host() -> Iterator[bytes]:
        yield b'{"type": "identify"}'
        yield GO
        assert player.begun.wait(10)
        yield last

    serve(RULES, player, host(), out)
    replies = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [sorted(reply)[0] for reply in replies] == ["blot", "action", "ok"]
    assert player.interrupted == 1


def test_a_stop_ends_whatever_was_asked_before_it_and_nothing_after() -> None:
    player, out = Ponderer(), io.StringIO()
    serve(RULES, player, [GO, GO, STOP, STOP, b"{}", QUIT, GO], out)
    assert player.interrupted == 2
    assert len(out.getvalue().splitlines()) == 6, "nothing is answered after quit"


def test_the_end_of_the_messages_does_not_end_a_thought() -> None:
    rules, out = load_rules("bazar"), io.StringIO()
    serve(rules, agents.make("random", rules), [GO, GO], out)
    assert ["action" in json.loads(line) for line in out.getvalue().splitlines()] == [True, True]


def test_a_host_hears_of_a_bug_before_it_writes_another_line() -> None:
    class Broken:
        name = "broken"

        def act(self, decisions: Decisions) -> NDArray[np.int64]:
            raise KeyError("a bug")

    out = io.StringIO()

    def host() -> Iterator[bytes]:
        yield GO
        ends = time.monotonic() + 10
        while not out.getvalue() and time.monotonic() < ends:
            time.sleep(0.01)
        yield STOP

    with pytest.raises(KeyError):
        serve(RULES, Broken(), host(), out)
    assert json.loads(out.getvalue().splitlines()[0]) == {"error": "the bot failed: KeyError: 'a bug'"}


def test_who_waits_long_is_told_once_that_kernels_are_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warming, "PATIENCE", 0.01)
    warming._tell.cache_clear()
    answers = io.StringIO()
    serve(RULES, agents.make("random", RULES), [b'{"type": "identify"}'], answers)

    class Slow:
        name = "slow"

        def act(self, decisions: Decisions) -> NDArray[np.int64]:
            time.sleep(0.1)
            return np.full(len(decisions), PASS)

    serve(RULES, Slow(), [GO, GO], answers)
    assert capsys.readouterr().err.count("blot: compiling the engine if it has not been") == 1
    assert len(answers.getvalue().splitlines()) == 3


def test_the_name_of_a_folder_that_is_no_text_is_told_as_text() -> None:
    player = Ponderer()
    player.name = "bot:\udcff"
    assert answer(RULES, player, '{"type": "identify"}')["name"] == "bot:\\udcff"


def test_a_host_that_no_longer_reads_ends_it() -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        serve(RULES, agents.make("random", RULES), [GO] * 3, Closed())


@pytest.mark.parametrize("spec", ["pimc:worlds=2", "pimc:worlds=2,weights=none", "ismcts:iterations=50"])
def test_what_no_deal_leads_to_is_refused(spec: str) -> None:
    """Without tens and kings nobody has five cards in a row."""
    message = {
        "rules": "bazar", "dealer": 3, "seat": 1, "scores": [0, 0], "hand": "TC TD TH TS KC KD KH KS",
        "actions": ["8H", "pass", "pass", "pass", "pass", "7C"],
        "announced": [["hundred"], None, None, None], "shown": None,
    }  # fmt: skip
    player = agents.make(spec, RULES)
    for _ in range(len(os.sched_getaffinity(0)) + 1):  # nor does it cost the player a thread
        assert answer(RULES, player, json.dumps(message)) == {"error": str(ImpossibleViewError())}
    possible = message | {"announced": [["terz"], None, None, None]}
    assert set(answer(RULES, player, json.dumps(possible))) == {"action"}


def test_a_quit_that_is_refused_does_not_end_it(player: agents.Agent) -> None:
    answers = io.StringIO()
    serve(RULES, player, [b'{"type": "quit", "now": true}\n', b'{"type": "identify"}\n'], answers)
    refused, identified = map(json.loads, answers.getvalue().splitlines())
    assert "'now'" in refused["error"]
    assert identified["rules"] == "bazar"

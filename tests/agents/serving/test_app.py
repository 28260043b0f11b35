"""The endpoints: they play whole deals, name what is wrong, and hold every request's answer apart."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from agents.serving.app import LARGEST_BODY, make_app
from agents.serving.bots import HostedBot
from agents.serving.desk import Desk
from blot_env import Game, decision_from_message


def ask(client: TestClient, name: str, body: Any, status: int = 200) -> Any:
    answer = client.post(f"/bots/{name}/decide", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_the_bots_are_listed(client: TestClient) -> None:
    cards = client.get("/bots").json()
    assert [(card["name"], card["rules"], card["tier"]) for card in cards] == [
        ("bazar", "bazar", "easy"),
        ("duel", "duel", "easy"),
    ]
    assert client.get("/health").json() == {"status": "ok", "bots": 2, "waiting": 0}


def test_deals_are_played_as_the_bot_plays_them(client: TestClient, bots: dict[str, HostedBot]) -> None:
    """Both games at once, decision by decision."""
    games = {name: Game(bot.rules, seed=3) for name, bot in bots.items()}
    while any(game.phase != "over" for game in games.values()):
        for name, game in games.items():
            if game.phase != "over":
                answer = ask(client, name, game.message() | {"seed": 5})
                assert answer["action"] == bots[name].decide(game.message() | {"seed": 5}, None, False).action
                game.play(answer["action"])


MESSAGE = Game("bazar", seed=1).message()


def nested(depth: int) -> bytes:
    """The message with lists in lists as what was taken."""
    return json.dumps(MESSAGE | {"taken": "DEEP"}).replace('"DEEP"', "[" * depth + "]" * depth).encode()


def test_thoughts_are_told_where_they_are_wanted(client: TestClient, bots: dict[str, HostedBot]) -> None:
    """What is weighed is legal, what is imagined agrees with what was seen, and the best is played by a cool head."""
    cards = (message for message in bots["duel"].play_a_deal() if message["phase"] == "play")
    asked = ((card, ask(client, "duel", card | {"explain": True})) for card in cards)
    card, long = next((card, answer) for card, answer in asked if answer["values"])  # there is something to weigh
    short = ask(client, "duel", card)
    assert set(short) == {"action", "value", "ms"}
    assert set(long) == {"action", "value", "ms", "values", "worlds"}
    assert (long["action"], long["value"]) == (short["action"], short["value"])
    assert long["values"][long["action"]] == long["value"]
    assert sum(world["weight"] for world in long["worlds"]) == pytest.approx(1)
    held = set(card["hand"].split()) | set(card["taken"].split())
    for world in long["worlds"]:
        assert set(world["hands"][card["seat"]].split()) == held - set(card["actions"])
        assert not held & set(world["hands"][1 - card["seat"]].split())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"hands": ["7C 8C"]},
            "hands: there is no such key (did you mean 'hand'?); a bot is told what its seat sees and",
        ),
        ({"explian": True}, "explian: there is no such key (did you mean 'explain'?)"),
        ({"stock": ""}, "stock: there is no such key"),
        ({"taken": "7C"}, "taken: "),
        ({"seat": 1}, "seat: it is the turn of seat 0, not of seat 1"),
        ({"seat": "0"}, 'seat: input should be a valid integer, not "0"'),
        ({"seat": None}, "seat: input should be a valid integer, not null"),
        ({"taken": 100 * [100 * "7"]}, "taken: input should be a valid string, not [" + '"' + 58 * "7" + "…"),
        ({"rules": "duel"}, "rules: this is a seat of 'bazar', not of 'duel'"),
        ({"fields": {"must_beat": "all"}}, "fields: this is a seat of a game with must_beat"),
        ({"hand": "7C 8C"}, "hand: 8 cards are wanted, not 2"),
        ({"actions": ["jump"]}, "action 0 ('jump')"),
        ({"phase": "over"}, "phase: input should be 'auction', "),
        ({"ms": 0}, "ms: input should be greater than 0"),
        ({"ms": 1e9}, "ms: input should be less than or equal to 60000"),
        ({"seed": -1}, "seed: input should be greater than or equal to 0"),
        ({"explain": "yes"}, "explain: input should be a valid boolean"),
        ({"scores": [10**400, 0]}, "scores"),
    ],
)
def test_what_is_wrong_is_named(client: TestClient, change: dict[str, Any], reason: str) -> None:
    problem = ask(client, "bazar", MESSAGE | change, 422)
    assert set(problem) == {"error"}
    assert reason in problem["error"]
    assert "\n" not in problem["error"]


@pytest.mark.parametrize(
    ("content", "kind", "status", "reason"),
    [
        (b"{", "application/json", 400, "the body is no JSON: "),
        (b"\xff\xfe", "application/json", 400, ""),
        (b"[" * 10_000, "application/json", 400, "the body is no JSON: it is not in UTF-8, or nested too deeply"),
        (nested(100), "application/json", 422, "taken: input should be a valid string, not [[["),
        (nested(900), "application/json", 422, "taken: input should be a valid string, not "),
        (b"{}", "application/json", 422, "scores: it is missing. Match points by side as the deal began."),
        (b"[]", "application/json", 422, "a JSON object is wanted"),
        (b"", "application/json", 422, "a JSON object is wanted"),
        (json.dumps(MESSAGE).encode(), "text/plain", 422, "sent with content-type: application/json"),
        (b'{"\\ud800": 1}', "application/json", 422, ""),
        (json.dumps(MESSAGE | {"hand": "x" * LARGEST_BODY}).encode(), "application/json", 413, "16384 bytes"),
    ],
)
def test_any_body_is_answered(client: TestClient, content: bytes, kind: str, status: int, reason: str) -> None:
    for sent in (content, iter([content])):  # the second tells no length
        answer = client.post("/bots/bazar/decide", content=sent, headers={"content-type": kind})
        assert answer.status_code == status
        assert reason in answer.json()["error"]


def test_other_doors_are_closed(client: TestClient) -> None:
    assert ask(client, "bazarr", MESSAGE, 404)["error"] == (
        "no bot is named 'bazarr' (did you mean 'bazar'?); there are bazar, duel"
    )
    nothing = client.get("/nothing")
    assert (nothing.status_code, nothing.json()["error"][:36]) == (404, "nothing is here; there are GET /bots")
    refused = client.put("/bots/bazar/decide")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert "access-control-allow-origin" not in client.get("/bots", headers={"origin": "https://a.example"}).headers


def test_a_page_is_let_in_that_is_named(bots: dict[str, HostedBot]) -> None:
    client = TestClient(make_app(bots, Desk(1, 1), origins=["https://a.example"]))
    for origin, allowed in (("https://a.example", "https://a.example"), ("https://b.example", None)):
        asked = {"origin": origin, "access-control-request-method": "POST"}
        answer = client.options("/bots/bazar/decide", headers=asked)
        assert answer.headers.get("access-control-allow-origin") == allowed


def test_a_client_that_asks_too_often_is_told_when_to_come_again(bots: dict[str, HostedBot]) -> None:
    with TestClient(make_app(bots, Desk(1, 1), rate=1)) as client:
        answers = (client.post("/bots/bazar/decide", json=MESSAGE) for _ in range(100))
        assert next(answers).status_code == 200
        refused = next(answer for answer in answers if answer.status_code != 200)  # the next one, on a quick machine
        assert refused.status_code == 429
        assert refused.json() == {"error": "testclient asks more often than 1 times a second; come again in 1 s"}
        assert refused.headers["retry-after"] == "1"
        assert client.get("/health").status_code == 200


def test_threads_do_not_disturb_one_another(client: TestClient, bots: dict[str, HostedBot]) -> None:
    messages = bots["bazar"].play_a_deal()
    alone = [bots["bazar"].decide(message, None, False).action for message in messages]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            together = pool.map(lambda message: bots["bazar"].decide(message, None, False).action, messages)
            assert list(together) == alone


def test_the_page_has_examples_that_work(client: TestClient) -> None:
    described = client.get("/openapi.json").json()["paths"]["/bots/{name}/decide"]["post"]
    examples = described["requestBody"]["content"]["application/json"]["examples"]
    assert len(examples) == 4
    for name, example in examples.items():
        assert ask(client, name.partition(":")[0], example["value"])["action"]
    assert set(described["responses"]) == {"200", "400", "404", "408", "413", "422", "429", "503"}
    page = client.get("/docs").text
    for file in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert client.get(file).status_code == 200, "the page needs nothing from elsewhere"


def test_who_never_plays_a_card_is_served_too(bots: dict[str, HostedBot], monkeypatch: pytest.MonkeyPatch) -> None:
    """All pass in the deal that gives the page its examples."""
    monkeypatch.setattr(HostedBot, "play_a_deal", lambda bot: [MESSAGE])
    client = TestClient(make_app({"bazar": bots["bazar"]}, Desk(1, 1)))
    described = client.get("/openapi.json").json()["paths"]["/bots/{name}/decide"]["post"]
    assert list(described["requestBody"]["content"]["application/json"]["examples"]) == ["bazar: its first call"]


def test_the_conversations_of_the_documentation_are_true(client: TestClient, bots: dict[str, HostedBot]) -> None:
    """The bot may have learnt since, but it says as much, and what it chose is legal."""
    page = (Path(__file__).parents[3] / "docs" / "serving.md").read_text(encoding="utf-8")
    transcript = re.search(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert transcript
    lines = transcript[1].splitlines()
    assert len(lines) == 10
    for request, answer in zip(lines[::2], lines[1::2], strict=True):
        url, _, body = request.removeprefix("> POST ").replace("/bots/easy/", "/bots/bazar/").partition(" ")
        status, _, documented = answer.removeprefix("< ").partition(" ")
        answered = client.post(url, content=body, headers={"content-type": "application/json"})
        assert answered.status_code == int(status)
        if status != "200":
            assert answered.json() == json.loads(documented)
        else:
            assert set(answered.json()) == set(json.loads(documented))
            mask = decision_from_message(bots["bazar"].rules, _seen(json.loads(body))).masks[0]
            legal = [bots["bazar"].rules.actions.text(int(action)) for action in mask.nonzero()[0]]
            assert json.loads(documented)["action"] in legal


def _seen(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in ("ms", "explain")}

"""The queue ends somewhere, what is accepted is answered, and the loop goes on meanwhile."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from fastapi.testclient import TestClient

from agents.serving.app import make_app
from agents.serving.bots import HostedBot
from agents.serving.desk import Desk
from blot_env import Game

MESSAGE = Game("bazar", seed=1).message()


def test_a_full_queue_refuses_and_loses_nothing(bots: dict[str, HostedBot], monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(make_app(bots, Desk(threads=2, queue=3))) as client, ThreadPoolExecutor(20) as clients:
        gate, decide = Event(), HostedBot.decide

        def waiting(*arguments: object) -> object:
            assert gate.wait(60)
            return decide(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(HostedBot, "decide", waiting)
        asked = [clients.submit(client.post, "/bots/bazar/decide", json=MESSAGE) for _ in range(20)]
        while sum(one.done() for one in asked) < 15:  # two are thought about, and three wait
            time.sleep(0.01)
        assert client.get("/health").json()["waiting"] == 3, "the loop is not held up"
        gate.set()
        answers = [one.result() for one in asked]
        assert sorted(answer.status_code for answer in answers) == 5 * [200] + 15 * [503]
        for answer in answers:
            if answer.status_code == 503:
                assert answer.headers["retry-after"] == "1"
                assert answer.json() == {"error": "too many requests wait; come again"}
        assert client.post("/bots/bazar/decide", json=MESSAGE).status_code == 200
        assert client.get("/health").json()["waiting"] == 0


def test_time_in_the_queue_counts(bots: dict[str, HostedBot], monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []
    decide = HostedBot.decide

    def noting(bot: HostedBot, message: object, ms: float | None, explain: bool) -> object:
        given.append(ms)
        time.sleep(0.05)
        return decide(bot, message, ms, explain)  # type: ignore[arg-type]

    with TestClient(make_app(bots, Desk(threads=1, queue=8))) as client, ThreadPoolExecutor(4) as clients:
        monkeypatch.setattr(HostedBot, "decide", noting)
        asked = [clients.submit(client.post, "/bots/bazar/decide", json=MESSAGE | {"ms": 120}) for _ in range(4)]
        assert [one.result().status_code for one in asked] == 4 * [200]
    first, second, third, last = (ms for ms in given if ms is not None)
    assert 120 >= first > second > third > last == 0

"""The process: told to end it answers what it has begun, takes nothing new, and one line says what is wrong."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from starlette.types import Message

from agents.networks import BotError
from agents.serving import app
from agents.serving.bots import HostedBot
from agents.serving.desk import Desk
from blot_env import Game, load_rules
from train.export import export_shipped_bot

ROOT = Path(__file__).parents[3]
BODY = json.dumps(Game("bazar", seed=1).message()).encode()
TYPE = {"content-type": "application/json"}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "train.cli", "serve", *arguments]


@contextmanager
def server(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process of `blot serve` on a free port."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command("--port", "0", *arguments), cwd=ROOT, text=True, **pipes) as process:
        try:
            assert process.stdout
            told = process.stdout.readline()
            found = re.search(r" on http://[\d.]+:(\d+),", told)
            assert found, told or (process.stderr and process.stderr.read())
            yield process, int(found[1])
        finally:
            process.kill()


def told(process: subprocess.Popen[str]) -> str:
    """What it says on standard error, but for its patience while kernels are compiled."""
    assert process.stderr
    return "".join(line for line in process.stderr if "compiling the engine" not in line)


def refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_it_answers_what_it_has_begun_and_ends(folders: Sequence[Path], number: signal.Signals) -> None:
    with server(str(folders[0])) as (process, port), socket.create_connection(("127.0.0.1", port)) as begun:
        head = f"POST /bots/bazar/decide HTTP/1.1\r\nHost: here\r\nContent-Length: {len(BODY)}\r\n"
        begun.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + BODY[:50])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:  # so the other has been read too
            assert answer.status == 200
        process.send_signal(number)
        while not refused(port):
            time.sleep(0.01)
        assert process.poll() is None
        begun.sendall(BODY[50:])
        received = b"".join(iter(lambda: begun.recv(65536), b""))
        assert received.startswith(b"HTTP/1.1 200 OK")
        assert b'"action"' in received
        assert process.wait(30) == 0
        assert told(process) == ""


def test_what_waits_as_it_ends_is_refused_and_what_is_begun_is_answered(tmp_path: Path) -> None:
    """One thread thinks for as long as it may, and two requests wait behind it."""
    knobs = tmp_path / "slow.toml"
    knobs.write_text('calls = "rules"\ncards = "search"\nworlds = 1000')
    export_shipped_bot(load_rules("bazar"), knobs, tmp_path / "slow")
    game = Game("bazar", seed=8)
    for call in ("8C", "pass", "pass", "pass", "pass"):
        game.play(call)
    with server(str(tmp_path / "slow"), "--threads=1") as (process, port), ThreadPoolExecutor(3) as hosts:

        def ask(number: int) -> tuple[int, str]:
            connection = HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/bots/slow/decide", json.dumps(game.message() | {"ms": 3000}), TYPE)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        answers = hosts.map(ask, range(3))
        while json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/health"))["waiting"] < 2:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        (status, told_one), *others = sorted(answers)
        assert status == 200
        assert '"action"' in told_one
        assert others == 2 * [(503, '{"error":"the server ends; ask another, or come again"}')]
        assert process.wait(30) == 0
        assert told(process) == ""


@pytest.mark.slow
def test_who_can_be_reached_is_told_so(folders: Sequence[Path]) -> None:
    with server(str(folders[0]), "--host", "0.0.0.0") as (process, port):
        assert not refused(port)
        process.send_signal(signal.SIGTERM)
        assert told(process) == ("blot: 0.0.0.0 can be reached from other machines, and whoever reaches it may ask\n")


def wrong(*arguments: str) -> str:
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_port_that_is_taken_is_refused(folders: Sequence[Path]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = wrong(str(folders[0]), f"--port={port}")
        assert told == f"blot: 127.0.0.1:{port}: Address already in use; --host and --port name another address\n"


@pytest.mark.slow
def test_what_is_asked_for_wrongly_is_one_line(folders: Sequence[Path], tmp_path: Path) -> None:
    assert "nowhere/manifest.json: No such file" in wrong("nowhere")
    assert "there is a bot named 'bazar' already" in wrong(str(folders[0]), str(folders[0]), "--port=0")
    assert "Invalid value for '--port'" in wrong(str(folders[0]), "--port=70000")
    assert "nowhere.invalid:8000: " in wrong(str(folders[0]), "--host=nowhere.invalid")
    assert "Missing argument 'DIR...'" in wrong()


def test_a_name_that_is_no_text_is_refused(folders: Sequence[Path], tmp_path: Path) -> None:
    place = os.fsencode(tmp_path) + b"/\xff"
    shutil.copytree(os.fsencode(folders[0]), place)
    with pytest.raises(BotError, match="a folder's name is its bot's, and is to be readable text; rename it"):
        HostedBot(Path(os.fsdecode(place)))


def test_a_body_that_never_comes_is_not_waited_for(bots: dict[str, HostedBot], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SLOWEST_BODY", 0.05)

    async def never() -> Message:
        return await asyncio.Future()

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"content-length", b"500")]
    scope = {"type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "query_string": b""}
    scope |= {"path": "/bots/bazar/decide", "raw_path": b"/bots/bazar/decide", "headers": headers}
    asyncio.run(app.make_app(bots, Desk(1, 1))(scope, never, send))
    assert sent[0]["status"] == 408
    assert b"the body has not come within" in sent[1]["body"]

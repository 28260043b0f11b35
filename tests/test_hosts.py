"""The example hosts play matches against exported bots, in processes of their own and over HTTP."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blot_env import load_rules
from train.export import export_shipped_bot

ROOT = Path(__file__).parent.parent
HOSTS = {"python": "examples/hosts/python/match.py", "node": "examples/hosts/node/match.js"}
BLOT = f"{sys.executable} -m train.cli"


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hosts") / "easy"
    export_shipped_bot(load_rules("bazar"), "easy", folder)
    return folder


@pytest.fixture(scope="module")
def url(bot: Path) -> Iterator[str]:
    """A server's address of the same bot."""
    command = [*BLOT.split(), "serve", str(bot), "--port", "0", "--threads", "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        told = server.stdout.readline()
        found = re.match(r"serving easy on (http://\S+),", told)
        assert found, told
        yield f"{found[1]}/bots/easy"
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0


def play(language: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    program = sys.executable if language == "python" else shutil.which("node")
    if program is None:
        pytest.skip("node is not installed, which runs the JavaScript host")
    return subprocess.run(
        [program, str(ROOT / HOSTS[language]), *arguments],
        input=text,
        env={**os.environ, "BLOT": BLOT, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("language", HOSTS)
def test_a_match_is_played_with_bots_in_processes_and_over_http(language: str, bot: Path, url: str) -> None:
    """Chance and its partner, who is asked over HTTP, against two more bots, of which one is a process."""
    done = play(language, "random", str(bot), url, url, "--target", "15", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    *_, result, winner = done.stdout.splitlines()
    points = re.fullmatch(r"side ([01]) wins, (-?\d+) to (-?\d+)", winner)
    assert points, winner
    side, *scores = map(int, points.groups())
    assert scores[side] == max(scores) >= 15
    assert result.startswith("result: ")
    cards = set(re.findall(r"^seat (\d): [7-9TJQKA][CDHS]\b", done.stdout, re.MULTILINE))
    assert cards == {"0", "1", "2", "3"}


@pytest.mark.parametrize("language", HOSTS)
def test_a_player_is_told_what_may_not_be_and_asked_again(language: str, url: str) -> None:
    done = play(language, "me", url, url, url, "--seed", "3", text="contra\npass\n")
    assert "contra: Contra needs an opponents' bid" in done.stdout
    assert "seat 0: pass" in done.stdout


@pytest.mark.parametrize("language", HOSTS)
@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (["random", "nowhere"], "nowhere/manifest.json: No such file"),
        pytest.param(["random"], "duel has 2 seats: name a player for each", marks=pytest.mark.slow),
        pytest.param(["http://127.0.0.1:9/bots/easy", "random"], "127.0.0.1:9/bots/easy: ", marks=pytest.mark.slow),
    ],
)
def test_what_goes_wrong_is_one_line_and_no_hang(language: str, players: list[str], reason: str) -> None:
    done = play(language, *players, "--rules", "duel")
    assert done.returncode == 1
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert "    at " not in done.stderr


@pytest.mark.slow
def test_a_refused_question_is_explained(url: str) -> None:
    """The bot served is of another game."""
    done = play("python", url, "random", "--rules", "duel")
    assert done.returncode == 1
    assert "rules: this is a seat of 'bazar', not of 'duel'" in done.stderr

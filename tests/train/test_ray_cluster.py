"""A Ray cluster is joined, or the reason why it cannot be is told at once; what tasks raise arrives as it was."""

import re
import socket
from importlib.metadata import version
from pathlib import Path

import pytest

from train.ray_cluster import Home, RayError, connected, result_of


@pytest.fixture
def silent_port() -> int:
    """A port of this machine at which nobody answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.mark.parametrize("address", ["", "somewhere", "here:", ":6379", "ray://", "host:port", "127.0.0.1:99999999"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(RayError, match=f"^--ray {address}: "):
        connected(address).__enter__()


def test_that_nobody_answers_is_said_at_once(silent_port: int) -> None:
    for address in (f"127.0.0.1:{silent_port}", f"ray://127.0.0.1:{silent_port}"):
        with pytest.raises(RayError, match=f"^--ray {address}: no cluster answers there: .*refused"):
            connected(address).__enter__()


def test_a_worker_has_the_same_blot_and_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = Home.here()
    assert re.fullmatch(rf"{version('blot')} \([0-9a-f]{{12}}\)", home.blot)
    assert home.folder == tmp_path
    monkeypatch.chdir("/")
    home.enter()
    assert Path.cwd() == tmp_path
    Home(home.blot, tmp_path / "none").enter()
    assert Path.cwd() == tmp_path
    with pytest.raises(
        RayError, match=re.escape(f"has blot {home.blot}, and the work comes from 9.9; install the same")
    ):
        Home("9.9", tmp_path).enter()


@pytest.mark.slow
def test_tasks_come_to_what_they_return_or_raise() -> None:
    ray = pytest.importorskip("ray")

    def add(first: int, second: int) -> int:
        return first + second

    def refuse() -> None:
        raise RayError("so it is\nand more")

    def die() -> None:
        import os

        os._exit(1)

    with connected("local") as cpus:
        assert cpus >= 1
        assert result_of(ray.remote(add).remote(3, 4)) == 7
        with pytest.raises(RayError, match=r"^so it is\nand more$"):
            result_of(ray.remote(refuse).remote())
        with pytest.raises(RayError, match="^the Ray cluster lost a task for good: "):
            result_of(ray.remote(max_retries=0)(die).remote())
    assert not ray.is_initialized()

"""A server's application with two bots, asked in this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from agents.serving.app import make_app
from agents.serving.bots import HostedBot, load_bots
from agents.serving.desk import Desk
from blot_env import load_rules
from train.export import export_shipped_bot


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two exported bots: `bazar` and `duel`, which play the games of these names."""
    found = [tmp_path_factory.mktemp("served") / preset for preset in ("bazar", "duel")]
    for folder in found:
        export_shipped_bot(load_rules(folder.name), "easy", folder)
    return found


@pytest.fixture(scope="session")
def bots(folders: list[Path]) -> dict[str, HostedBot]:
    return load_bots(folders)


@pytest.fixture(scope="session")
def client(bots: dict[str, HostedBot]) -> Iterator[TestClient]:
    with TestClient(make_app(bots, Desk(threads=2, queue=8))) as client:
        yield client

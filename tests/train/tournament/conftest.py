"""Agents that fail, known by their specs to every process that a test starts."""

import os
from pathlib import Path

import pytest

from agents.spec import AGENTS, Entry

ROOT = Path(__file__).parents[3]
REGISTER = "from agents.spec import AGENTS, Entry\nAGENTS['faulty'] = Entry('tests.train.tournament.faulty:Failing')\n"


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process and those that it starts know the agents `faulty:die` and the like."""
    monkeypatch.setitem(AGENTS, "faulty", Entry("tests.train.tournament.faulty:Failing"))
    (tmp_path / "sitecustomize.py").write_text(REGISTER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")

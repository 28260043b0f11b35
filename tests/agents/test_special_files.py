"""Pipes, devices and folders in place of files are refused in a line; nothing waits for them or reads without end."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import agents
from agents import SpecError
from agents.contract_values import VALUES
from agents.manifest import MANIFEST
from agents.match_odds import MATCH_ODDS, MatchOdds, MatchOddsError
from agents.networks import POLICY
from blot_env import RuleSet

STRANGE: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
}


@pytest.fixture(params=STRANGE)
def strange(request: pytest.FixtureRequest) -> Callable[[Path], object]:
    return STRANGE[request.param]


@pytest.mark.parametrize("name", [MANIFEST, POLICY, "README.md"])
def test_in_the_folder_of_a_bot(
    rules: RuleSet, bot: Path, tmp_path: Path, strange: Callable[[Path], object], name: str
) -> None:
    copy = tmp_path / "bot"
    shutil.copytree(bot, copy)
    (copy / name).unlink()
    strange(copy / name)
    with pytest.raises(SpecError, match=rf"{name}: this is no ordinary file; "):
        agents.make(f"bot:{copy}", rules)


def test_as_contract_values_and_odds(rules: RuleSet, tmp_path: Path, strange: Callable[[Path], object]) -> None:
    for name in (VALUES, MATCH_ODDS):
        strange(tmp_path / name)
    with pytest.raises(SpecError, match=rf"{VALUES}: this is no ordinary file; "):
        agents.make(f"values:{tmp_path}", rules)
    with pytest.raises(MatchOddsError, match=rf"{MATCH_ODDS}: this is no ordinary file; "):
        MatchOdds.load(tmp_path, rules)


def test_as_a_tier(rules: RuleSet, tmp_path: Path, strange: Callable[[Path], object]) -> None:
    strange(tmp_path / "mine.toml")
    with pytest.raises(SpecError, match="this is no ordinary file"):
        agents.make(f"tier:{tmp_path / 'mine.toml'}", rules)

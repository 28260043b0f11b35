"""What `blot train` does is said by its config."""

from pathlib import Path

import pytest

import train
from agents.resources import shipped
from train.config import load_config
from train.settings import ConfigError
from train.stages import kind_of


@pytest.mark.parametrize("name", [name for name in shipped() if "self-play" in name])
def test_stages_of_self_play_that_ship_are_valid(name: str) -> None:
    assert kind_of(name) == "self-play"
    assert load_config(name).game.name == Path(name).parent.name


def test_a_config_says_its_kind(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("stage = 'selfplay'\nminutes = 1")
    with pytest.raises(ConfigError, match=r"mine\.toml: stage: there is no stage 'selfplay' .did you mean 'self-play'"):
        train.run(mine)
    assert kind_of(mine, ["stage=self-play"]) == "self-play"
    assert kind_of("configs/quick.toml") == "self-play"

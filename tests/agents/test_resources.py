from pathlib import Path

import pytest

from agents import resources


def test_finds_what_ships_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "configs/quick.toml" in resources.shipped()
    assert resources.find("configs/quick.toml").is_file()
    assert resources.find(Path("configs")).is_dir()


def test_the_users_own_file_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "configs" / "quick.toml"
    own.parent.mkdir()
    own.write_text("seed = 1\n")
    assert resources.find("configs/quick.toml").read_text() == "seed = 1\n"


def test_a_wheel_carries_the_folders_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "site-packages" / "agents"
    config = installed / "shipped" / "configs" / "quick.toml"
    config.parent.mkdir(parents=True)
    config.touch()
    monkeypatch.setattr(resources, "__file__", str(installed / "resources.py"))
    monkeypatch.chdir(tmp_path)
    assert resources.shipped() == ["configs/quick.toml"]
    assert resources.find("configs/quick.toml") == config


def test_finds_nothing_else_beside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no blot_env"):
        resources.find("blot_env")


def test_names_the_nearest_file() -> None:
    with pytest.raises(
        FileNotFoundError, match="no configs/quik.toml; the nearest that ships with blot is configs/quick"
    ):
        resources.find("configs/quik.toml")

"""What nobody has named gets a folder of its own."""

from pathlib import Path

import pytest

from train.folders import free_folder


def test_a_taken_name_gets_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "mine-2", "mine-3"):
        folder = free_folder("mine")
        assert folder == Path("runs") / name
        folder.mkdir(parents=True)

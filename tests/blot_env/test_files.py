"""What is no ordinary file is refused before it is opened, and what is too long before it is read."""

import os
from pathlib import Path

import pytest

from blot_env.files import read_regular


def test_ordinary_files_of_a_bounded_size_are_read(tmp_path: Path) -> None:
    path = tmp_path / "some"
    path.write_bytes(b"four")
    assert read_regular(path, 4) == b"four"
    with pytest.raises(OSError, match="too long"):
        read_regular(path, 3)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "none")


def test_pipes_devices_and_folders_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="no ordinary file"):
            read_regular(path)

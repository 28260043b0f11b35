"""Text files that anybody may have written: ordinary ones of a bounded size, in UTF-8."""

import stat
from pathlib import Path

MAX_TOML = 32 << 10
"""Bytes of a TOML file of settings; one that gives every field, with comments, has a third of it."""


def read_text(path: str | Path, most: int) -> str:
    """Return the text of an ordinary file, without the byte order mark that some editors put before it.

    Args:
        most: how many bytes it may have.

    Raises:
        OSError: it cannot be read.
        ValueError: it is a folder, pipe or device, too long, or not in UTF-8; the message does not name the file.
    """
    path = Path(path)
    if not stat.S_ISREG(path.stat().st_mode):  # before it is opened, which may wait for ever
        raise ValueError("this is no ordinary file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >> 20 else f"{most >> 10} KiB"
        raise ValueError(f"this is more than {size}, which is too long")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start}: this is no UTF-8; save it in that encoding") from None

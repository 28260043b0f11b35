"""Files that anybody may have put there: ordinary ones of a bounded size are read, pipes and devices are not."""

import errno
import stat
from pathlib import Path

LARGEST = 1 << 30
"""Bytes of a file that is read at once: far more than any that blot writes for that."""


def check_regular(path: Path) -> None:
    """Check that a file is an ordinary one, before it is opened, which may wait for ever.

    Raises:
        OSError: it is not, or there is none.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "this is no ordinary file", str(path))


def read_regular(path: Path, limit: int = LARGEST) -> bytes:
    """Return what an ordinary file holds.

    Args:
        path: of the file.
        limit: how many bytes it may have.

    Raises:
        OSError: it is no ordinary file, longer, or cannot be read; `strerror` says so in plain words.
    """
    check_regular(path)
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"this is more than {limit >> 10:,} KiB, which is too long", str(path))
    return content

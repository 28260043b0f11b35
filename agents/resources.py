"""The files that ship with blot: configs, tiers and trained weights, found by one name wherever blot is installed.

In a checkout they stand in the top-level folders `configs/` and `checkpoints/`; a wheel carries these folders inside
this package.
"""

import difflib
from pathlib import Path

_FOLDERS = ("configs", "checkpoints")


def _home() -> Path:
    package = Path(__file__).parent
    wheel = package / "shipped"
    return wheel if wheel.is_dir() else package.parent


def shipped() -> list[str]:
    """Names of all files that ship, as `find` takes them: `configs/quick.toml`, `checkpoints/…`."""
    home = _home()
    files = (path for folder in _FOLDERS for path in (home / folder).rglob("*") if path.is_file())
    return sorted(path.relative_to(home).as_posix() for path in files)


def find(path: str | Path) -> Path:
    """Return the file or folder that `path` names: the user's own if there is one, else the one that ships with blot.

    Raises:
        FileNotFoundError: neither exists; the message names the nearest file that ships.
    """
    own = Path(path)
    if own.exists():
        return own
    if own.parts[:1] and own.parts[0] in _FOLDERS and (_home() / own).exists():
        return _home() / own
    nearest = difflib.get_close_matches(own.as_posix(), shipped(), n=1)
    hint = f"; the nearest that ships with blot is {nearest[0]}" if nearest else ""
    raise FileNotFoundError(f"there is no {own}{hint}")

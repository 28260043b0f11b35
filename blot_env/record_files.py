"""Records from files, which anybody may have written: one JSON object, or one a line."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from blot_env import text_files
from blot_env.game import Game, replay
from blot_env.records import RecordError

MAX_BYTES = 16 << 20
"""Of a file; a record has some thousand bytes."""


def load_record(path: str | Path, line: int | None = None) -> Game:
    """Return the game of a record in a file, with all its actions applied.

    Args:
        line: the number of the record's line, from 1, in a file that has one a line.

    Raises:
        RecordError: the file holds no record, or a wrong one; the message names the file, the place and what is wrong.
        OSError: it cannot be read.
    """
    place = f"{path}, line {line}" if line else str(path)
    try:
        return replay(parse_record(read_text(path), line))
    except RecordError as error:
        raise RecordError(f"{place}: {error}") from None


def read_text(path: str | Path) -> str:
    """Return the text of a file of JSON.

    Raises:
        RecordError: it is no ordinary file, too long, or not in UTF-8.
        OSError: it cannot be read.
    """
    try:
        return text_files.read_text(path, MAX_BYTES)
    except ValueError as error:
        raise RecordError(str(error)) from None


def parse_record(text: str, line: int | None = None) -> Any:
    """Return what a text says in JSON, or one of its lines.

    Raises:
        RecordError: it is no JSON, or more than one record and no line is named.
    """
    if line is None:
        return _parse(text)
    lines = text.removesuffix("\n").split("\n")  # a text in JSON may hold other ends of a line, such as U+2028
    if not 1 <= line <= len(lines):
        raise RecordError(f"there is no such line; there are {len(lines)}")
    return _parse(lines[line - 1])


def _parse(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise RecordError(_no_json(text, error)) from None
    except RecursionError:
        raise RecordError("this is nested too deeply for a record, whose lists and objects hold no others") from None
    except RecordError:
        raise
    except ValueError:  # Python reads no number of thousands of digits
        raise RecordError("there is a number of thousands of digits; match points have a few") from None


def _object(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key in counts if counts[key] > 1)
        raise RecordError(f"the key {twice!r:.60} is there twice; leave one of them out")
    return data


def _no_number(name: str) -> NoReturn:
    raise RecordError(f"{name} is no JSON; numbers in records are whole")


def _no_json(text: str, error: json.JSONDecodeError) -> str:
    """Return why a text is no JSON, and what to do about it."""
    where = f"line {error.lineno}, column {error.colno}"
    if not text.strip():
        return "the file is empty; a record is one JSON object"
    if error.msg == "Extra data":
        lines = sum(bool(line.strip()) for line in text.split("\n"))
        if lines > 1 and "\n" not in text[: error.pos].strip():
            return f"there are {lines} records, one a line: name one with --line"
        return f"{where}: the record has ended here; delete the rest"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return f"{where}: the text ends in the middle of the record; the rest is missing"
    return f"{where}: this is no JSON: {error.msg[0].lower()}{error.msg[1:]}"

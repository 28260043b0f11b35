"""The recorded deals of `tests/data/vectors`, one file a preset, chosen so that every branch of the rules occurs.

And twenty deals of `blotstar` worked by hand: `tests/data/blotstar.jsonl`.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "vectors"
PRESETS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))

Record = dict[str, Any]
Trace = list[dict[str, Any]]  # before each action: seat, phase, and legal (sorted) or legal_count


def load(preset: str) -> list[tuple[Record, Trace]]:
    """Each record without its trace, and the trace."""
    lines = (FOLDER / f"{preset}.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return [(record, record.pop("trace")) for record in records]


def worked() -> list[tuple[Record, Record]]:
    """Each worked deal without its notes, and the notes.

    `shows` says what the deal is there for, `why` is the scoring as a player would count it, and `differs` names fields
    with a value under which the deal would go another way.
    """
    lines = (FOLDER.parent / "blotstar.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return [(record, {key: record.pop(key) for key in ("shows", "differs", "why")}) for record in records]

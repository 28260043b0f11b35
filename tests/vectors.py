"""The recorded deals of `tests/data/vectors`, one file a preset, chosen so that every branch of the rules occurs."""

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

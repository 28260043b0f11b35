"""The files of a tournament, in one folder.

    report.html     the page, with everything in it
    results.json    the figures, one object
    standings.csv   one row an entrant
    meetings.csv    one row a meeting
    boards.csv      one row a deal
    standings.svg   the standings as a picture

The same tournament writes the same bytes, but for the time that decisions took.
"""

import json
from pathlib import Path
from typing import Any

from train.tournament.report.boards import pack
from train.tournament.report.csv_files import (
    deal_names,
    deal_rows,
    meeting_rows,
    names_of,
    standing_rows,
    write_csv,
)
from train.tournament.report.page import page
from train.tournament.report.picture import picture
from train.tournament.tournament import Tournament


def write_report(tournament: Tournament, summary: dict[str, Any], folder: Path) -> list[Path]:
    """Write all files into a folder, made if need be, and return their paths, the page first.

    Args:
        tournament: what was played.
        summary: what `train.tournament.summary.summary` says of it.
        folder: files of these names are replaced, others are left alone.

    Raises:
        OSError: they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "report.html": page(summary, pack(tournament)),
        "results.json": json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        "standings.svg": picture(summary),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    standings, meetings = standing_rows(summary), meeting_rows(summary)
    return [
        *(folder / name for name in texts),
        write_csv(folder / "standings.csv", standings, names_of(standings)),
        write_csv(folder / "meetings.csv", meetings, names_of(meetings)),
        write_csv(folder / "boards.csv", deal_rows(tournament), deal_names(tournament)),
    ]

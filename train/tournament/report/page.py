"""The report as one file for a browser: markup, style, script and data, and nothing that it would have to fetch."""

import json
import zlib
from base64 import b64encode
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

_PAGE = files("train.tournament.report") / "web"
_SCRIPTS = (
    "dom", "format", "charts", "section", "results", "contracts", "strength", "deals", "boards", "table_view",
    "replay", "main",
)  # fmt: skip


def page(summary: dict[str, Any], boards: dict[str, Any]) -> str:
    """Return the page.

    Args:
        summary: what `results.json` holds.
        boards: what `train.tournament.report.boards` packs.
    """
    return Template(_read("page.html")).substitute(
        title=escape(f"{summary['rules']}: {', '.join(entrant['name'] for entrant in summary['entrants'])}"),
        style=_read("style.css"),
        summary=_json(summary).replace("<", "\\u003c"),  # no name may end the script that holds it
        deals=b64encode(zlib.compress(_json(boards).encode())).decode(),
        script="\n".join(_read(f"{name}.js") for name in _SCRIPTS),
    )


def _read(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

"""The pages of docs/rules, one a preset, and the tables of games, made from the presets' own data.

    python -m blot_env.pages

writes them again in a checkout; a test compares them with what is written. The record beside a page, such as
docs/rules/duel.json, is its example.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from blot_env.explanation import combination_lines, scoring_lines
from blot_env.game import replay
from blot_env.prose import chapters
from blot_env.rules import RULESETS, RuleSet, load_rules
from blot_env.rules_text import differences, title, value_text

_ROOT = Path(__file__).parents[1]
_FOLDER = Path("docs/rules")
_WITH_TABLES = {Path("README.md"): "docs/rules/", _FOLDER / "README.md": ""}
"""Pages with a table of games, and where their links lead."""
_TABLE = re.compile(r"<!-- games -->\n.*?<!-- /games -->", re.DOTALL)
_AUCTIONS = {
    "numbered": "bids of a number and a strain",
    "turned": "a turned card, two rounds",
    "named": "naming a suit in turn",
    "eldest": "eldest names a suit",
}


def games_table(folder: str = "") -> str:
    """Return a table of the presets in Markdown, with links to their pages in a folder."""
    lines = ["| preset | game | players | cards | auction | played to |", "|---|---|---|---|---|---|"]
    for name in RULESETS:
        rules = load_rules(name)
        players = f"{rules.players}, in two teams" if rules.teams else str(rules.players)
        targets = ", ".join(map(str, rules.targets))
        row = (f"[`{name}`]({folder}{name}.md)", title(name), players, str(4 * len(rules.ranks)))
        lines.append(f"| {' | '.join((*row, _AUCTIONS[rules.auction], targets))} |")
    return "\n".join(lines)


def page(rules: RuleSet, example: dict[str, Any]) -> str:
    """Return the page of a preset in Markdown: its rules in prose, what differs from `bazar`, and a deal."""
    parts = [f"# {rules.name}", f"{title(rules.name)}."]
    parts.append(
        f"Made from [the preset](../../blot_env/presets/{rules.name}.toml) by `python -m blot_env.pages`. Terms and "
        f"what games share are in [README.md](README.md); `blot rules {rules.name}` shows every field with its meaning."
    )
    for heading, paragraphs in chapters(rules):
        parts += [f"## {heading}", *paragraphs]
    if table := _differences(rules):
        parts += ["## Where it differs from bazar", table]
    game = replay(example)
    parts += [
        "## A deal",
        f"`blot replay docs/rules/{rules.name}.json` shows [this record](../records.md) as a player reads it:",
        f"```json\n{record_text(example)}\n```",
        "It is scored so:",
        "\n".join(f"- {line}" for line in (*combination_lines(game), *scoring_lines(game))),
    ]
    return "\n\n".join(parts) + "\n"


def record_text(record: dict[str, Any]) -> str:
    """Return a record as JSON, a line for each key."""
    return "{" + ",\n ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()) + "}"


def pages(root: Path) -> dict[Path, str]:
    """Return the text of every page that is made, in a checkout."""
    made = {path: _TABLE.sub(_block(links), _read(root / path)) for path, links in _WITH_TABLES.items()}
    for name in RULESETS:
        example = json.loads(_read(root / _FOLDER / f"{name}.json"))
        made[_FOLDER / f"{name}.md"] = page(load_rules(name), example)
    return made


def _differences(rules: RuleSet) -> str:
    usual = load_rules("bazar")
    lines = ["| field | here | bazar | meaning |", "|---|---|---|---|"]
    for field in differences(rules, usual):
        values = (value_text(getattr(one, field)) for one in (rules, usual))
        lines.append(f"| `{field}` | {' | '.join(values)} | {RuleSet.model_fields[field].description} |")
    return "\n".join(lines) if lines[2:] else ""


def _block(links: str) -> str:
    return f"<!-- games -->\n{games_table(links)}\n<!-- /games -->"


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    for path, text in pages(_ROOT).items():
        (_ROOT / path).write_text(text, encoding="utf-8")
        print("written:", path, file=sys.stderr)

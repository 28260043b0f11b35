"""The README and the pages of docs/: links lead somewhere, Python does what they say, commands are commands."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from train.cli import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    """Code blocks of a language; those without one are for the shell."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def values(text: str) -> list[Any]:
    """JSON values one after the other."""
    found, decoder, place = [], json.JSONDecoder(), 0
    while place < len(text):
        value, end = decoder.raw_decode(text, place)
        found.append(value)
        place = end + len(text[end:]) - len(text[end:].lstrip())
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python_runs(
    page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A block of JSON right below one of Python is what that prints."""
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    shown = dict(re.findall(r"^```python\n([^`]*)^```\n\n```json\n([^`]*)^```$", text, re.MULTILINE))
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        capsys.readouterr()
        exec(compile(block, str(page), "exec"), names)
        printed = capsys.readouterr().out
        if block in shown:
            assert values(printed) == values(shown.pop(block))
    assert not shown


def commands() -> list[str]:
    text = "".join(block for page in PAGES for block in blocks(page, "") + blocks(page, "sh"))
    lines = (line.partition(" # ")[0].strip() for line in text.replace("\\\n", " ").splitlines())
    return sorted({line for line in lines if line.startswith("blot ")})


@pytest.mark.parametrize("command", commands())
def test_commands_are_commands(command: str) -> None:
    _, name, *arguments = shlex.split(command.partition(" < ")[0])
    subcommands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert name in subcommands
    subcommands[name].make_context(name, arguments)

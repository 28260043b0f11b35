"""What `blot tournament` is asked for is understood, or refused in words before anything is played."""

from pathlib import Path
from typing import Any

import pytest

from agents import SpecError
from train.settings import ConfigError
from train.tournament.banks import BankError
from train.tournament.command import tournament
from train.tournament.config import load_tournament
from train.tournament.entrants import EntrantError


@pytest.mark.parametrize(
    ("named", "options", "overrides", "error", "reason"),
    [
        ("", {}, [], ConfigError, "agents are wanted"),
        ("nothing.toml", {}, [], ConfigError, "there is no nothing.toml"),
        ("configs/tournaments/bazaar.toml", {}, [], ConfigError, "ships with blot is configs/tournaments/bazar.toml"),
        ("random rules", {"format": "knockout"}, [], ConfigError, "format: "),
        ("random rules", {}, ["bords=3"], ConfigError, "bords: there is no such key (did you mean 'boards'?)"),
        ("random rules", {"table": 3}, [], ConfigError, "table = 3 needs a game of three sides"),
        ("random rules", {"sprt.margins": (1.0, 0.0)}, [], ConfigError, "sprt.margins: give two rising numbers"),
        ("random rules", {"bank": "standard"}, [], BankError, "did you mean 'standard@1'?"),
        ("random+rules rules", {"rules": "duel"}, [], EntrantError, "there are no partners in duel"),
        ("random ruels", {}, [], SpecError, "did you mean 'rules'?"),
    ],
)
def test_what_cannot_be_played_leaves_no_folder(
    named: str, options: dict[str, Any], overrides: list[str], error: type[ValueError], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(error) as refused:
        tournament(named.split(), options, overrides, out=tmp_path / "out")
    assert reason in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_a_resume_takes_neither_agents_nor_another_folder(tmp_path: Path) -> None:
    for named, out in ((["random"], None), ([], tmp_path)):
        with pytest.raises(ConfigError, match="--resume DIR names agents and folder already"):
            tournament(named, {}, resume=tmp_path, out=out)


def test_flags_change_a_file_and_what_is_set_changes_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(
        'agents = ["random", "random:uniform"]\nrules = "bazar"\nboards = 9\nsprt = { margins = [0, 1], alpha = 0.1 }'
    )
    options = {"rules": "duel", "boards": 5, "sprt.margins": (-1.0, 1.0), "seed": None, "analysed": 0, "workers": 1}
    tournament([str(tmp_path / "mine.toml")], options, ["rules.blot=40", "boards=3"], fresh=True, out=tmp_path / "out")
    played = load_tournament(tmp_path / "out" / "tournament.toml")
    assert (played.rules.name, played.rules.changes) == ("duel", {"blot": 40})
    assert played.boards == 3
    assert played.sprt is not None
    assert (played.sprt.margins, played.sprt.alpha) == ((-1, 1), 0.1)
    assert played.seed > 0
    shown = capsys.readouterr().out
    assert "random:uniform@1" in shown
    assert "report.html" in shown

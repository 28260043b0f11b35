"""A tournament with a gate: its rungs end when they are settled, or when their time is over; what is written of it."""

import io
import json
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console
from typer.testing import CliRunner

import benchmarks.gate
from agents import make
from agents.digest import agent_digest
from blot_env import load_rules
from tests.train.tournament.test_run import Threads, alike
from train.cli import app
from train.settings import check_settings
from train.tournament import command
from train.tournament.config import TournamentConfig
from train.tournament.course import Progress
from train.tournament.live import line, picture
from train.tournament.report.gate_tables import gate_figures, markdown, print_gate
from train.tournament.run import resume_tournament, run_tournament
from train.tournament.schedule import MATCHES
from train.tournament.summary import summary
from train.tournament.tournament import Tournament
from train.tournament.verdict import verdict

SETTINGS: dict[str, Any] = {
    "agents": ["random:uniform", "random", "rules"],
    "rules": {"preset": "duel", "target": 51},
    "format": "ladder",
    "play": "matches",
    "boards": 4 * MATCHES,
    "analysed": 0,
    "workers": 1,
    "gate": {
        "shares": [0.9, 0.6],  # which random does not win against random:uniform
        "lows": [0.5, 0.55],
        "matches": MATCHES,
        "mean_ms": [1000, 1000, 1e-6],
        "p99_ms": [1000, 1000, 1000],
        "timed": 2,
    },
}
CONFIG = check_settings(TournamentConfig, SETTINGS)


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, Path]:
    folder = tmp_path_factory.mktemp("gated")
    return run_tournament(CONFIG, folder, Threads(1, 0)), folder


@pytest.fixture(scope="module")
def found(gated: tuple[Tournament, Path]) -> dict[str, Any]:
    return summary(gated[0])


def test_each_rung_ends_as_soon_as_it_is_settled(found: dict[str, Any]) -> None:
    low, high = found["gate"]
    assert low["outcome"] == "failed"
    assert high["outcome"] == "passed"
    assert (low["share"] < 0.9, high["share"] > 0.9) == (True, True)
    for rung, meeting in zip(found["gate"], found["meetings"], strict=True):
        assert rung["n"] == meeting["boards"] < CONFIG.boards
        assert rung["share"] == pytest.approx(meeting["wins"]["mean"])
        assert rung["low"] < meeting["wins"]["low"], "an interval for all looks is wider than one for a single look"
        tables = 2 * meeting["boards"]
        deals = found["entrants"][0]["contracts"]["deals"]  # of rules, who is first and met nobody but random
        if meeting is found["meetings"][1]:
            assert meeting["points_a_deal"]["mean"] == pytest.approx(meeting["points"]["mean"] * tables / deals)


def test_a_ladder_stands_in_the_order_of_its_ratings(found: dict[str, Any]) -> None:
    ratings = [entrant["rating"]["elo"] for entrant in found["entrants"]]
    assert ratings == sorted(ratings, reverse=True)
    told = verdict(found)
    assert told[0].startswith("rules@1 is better than random@1")
    assert "The gate, random@1 over random:uniform@1: failed." in told


@pytest.mark.parametrize("seed", range(2))
def test_it_comes_to_the_same_however_it_is_stopped(seed: int, gated: tuple[Tournament, Path], tmp_path: Path) -> None:
    for name in ("tournament.toml", "boards.jsonl"):
        content = (gated[1] / name).read_bytes()
        cut = len(content) if name.endswith("toml") else random.Random(seed).randrange(len(content))
        (tmp_path / name).write_bytes(content[:cut])
    assert alike(resume_tournament(tmp_path, workers=Threads(1 + seed, seed)), gated[0])


def test_a_rung_whose_time_is_over_ends_open_and_no_resume_goes_on_with_it(tmp_path: Path) -> None:
    gate = SETTINGS["gate"] | {"minutes": 1e-9, "matches": 1000}
    config = check_settings(TournamentConfig, SETTINGS | {"gate": gate})
    told: list[Progress] = []
    played = run_tournament(config, tmp_path, Threads(1, 0), told.append)
    assert [rung["outcome"] for rung in summary(played)["gate"]] == ["open", "open"]
    assert [len(each.boards) for each in played.played] == [MATCHES, MATCHES]
    assert told[-1].over
    again = Threads(1, 0)
    assert alike(resume_tournament(tmp_path, workers=again), played)
    assert not again.played


def test_the_terminal_shows_how_the_rungs_stand(tmp_path: Path) -> None:
    told: list[Progress] = []
    run_tournament(CONFIG, tmp_path, Threads(1, 0), told.append)
    console = Console(file=io.StringIO(), width=120, markup=False)
    console.print(*picture("a gate", told[-1]))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "rules@1 over random@1" in shown
    assert "required: 90 / 50 %, 60 / 55 %" in shown
    assert "passed" in shown
    assert "rules@1 over random@1 93.8 % of 16 (62.9 to 99.8 %) passed" in line(told[-1])
    assert "random@1 over random:uniform@1 – (0.0 to 100.0 %) open" in line(told[0])


def test_a_gate_is_passed_where_all_rungs_are_and_every_agent_is_in_time(found: dict[str, Any]) -> None:
    assert CONFIG.gate
    quick, slow, never, faulty, dead = (
        {"mean": mean, "p99": 0.01, "n": n, "faults": faults}
        for mean, n, faults in ((0.001, 9, 0), (2.0, 9, 0), (None, 0, 0), (0.001, 9, 1), (None, 0, 1))
    )
    allowed = CONFIG.gate.model_copy(update={"mean_ms": (5.0, 5.0, 5.0)})
    passed = found | {"gate": [rung | {"outcome": "passed"} for rung in found["gate"]]}
    still = found | {"gate": [rung | {"outcome": "open"} for rung in found["gate"]]}
    for figures, times, outcome in [
        (passed, [quick, quick, quick], "passed"),
        (passed, [quick, slow, quick], "failed"),
        (passed, [quick, never, quick], "open"),
        (passed, [quick, faulty, quick], "failed"),
        (passed, [quick, quick, dead], "failed"),
        (still, [quick, quick, quick], "open"),
        (still, [slow, quick, quick], "failed"),
        (found, [quick, quick, quick], "failed"),
    ]:
        assert gate_figures(figures, allowed, times, [None, "1f", None])["outcome"] == outcome


def test_the_terminal_has_room_for_both_tables(found: dict[str, Any]) -> None:
    assert CONFIG.gate
    times = [{"mean": 0.001, "p99": 0.01, "n": 9, "faults": 0}] * 3
    figures = gate_figures(found, CONFIG.gate, times, [None, None, None])
    console = Console(file=io.StringIO(), width=80, markup=False)
    print_gate(figures, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    for text in ("matches", "60 / 55 %", "passed", "failed", "1000, 1000 ms"):
        assert text in shown
    assert "…" not in shown.replace(" … ", ""), "no cell is cut off"
    tables = [line for line in markdown(figures) if line.startswith("|")]
    assert [line.count("|") for line in tables] == [9] * 4 + [8] * 5


def test_the_command_times_the_agents_writes_all_of_it_and_says_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then it is collected, as for the benchmarks, by its game, but not of other rules or another target."""
    settings = tmp_path / "gate.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in SETTINGS.items() if not isinstance(value, dict)]
    lines += ["[rules]", 'preset = "duel"', "target = 51"]
    lines += ["[gate]", *(f"{key} = {json.dumps(value)}" for key, value in SETTINGS["gate"].items())]
    settings.write_text("\n".join(lines))
    folder = tmp_path / "runs" / "gate" / "mine"
    assert not command.tournament([str(settings)], {}, out=folder)
    assert "The gate: failed." in capsys.readouterr().out
    figures = json.loads((folder / "gate.json").read_text())
    times = [agent["time"] for agent in figures["agents"]]
    assert all(0 < time["mean"] <= time["p99"] and time["n"] > 20 for time in times)
    assert [agent["outcome"] for agent in figures["agents"]] == ["passed", "passed", "failed"]
    assert [agent["spec"] for agent in figures["agents"]] == SETTINGS["agents"]

    (tmp_path / "benchmarks").mkdir()
    for left_out in (figures, figures | {"target": 151, "fields": {"must_beat": "all"}}):
        (folder / "gate.json").write_text(json.dumps(left_out))
        assert benchmarks.gate.main(tmp_path) == 0
        assert not (tmp_path / "checkpoints").exists()
        assert "left out" in capsys.readouterr().err
    (folder / "gate.json").write_text(json.dumps(figures | {"target": load_rules("duel").target}))
    assert benchmarks.gate.main(tmp_path) == 1
    assert (folder / "gate.md").read_text() in (tmp_path / "benchmarks" / "gate.md").read_text()
    rated = json.loads((tmp_path / "checkpoints" / "duel" / "ratings.json").read_text())
    assert list(rated) == SETTINGS["agents"]
    assert rated["rules"]["rating"] > rated["random"]["rating"] > rated["random:uniform"]["rating"] - 400
    assert [rung["agents"][0] for rung in rated["random"]["gate"]] == ["random@1", "rules@1"]
    drawn = ElementTree.parse(tmp_path / "benchmarks" / "gate" / "duel" / "ratings.svg")
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "ratings, 95 % intervals" in texts
    assert texts.index("rules@1") < texts.index("random@1")


def test_a_team_may_stand_on_a_ladder(tmp_path: Path) -> None:
    """It has no digest of its own; a tier has the one that it played by."""
    agents = ["random", "random+rules", "tier:easy"]
    gate = {
        "shares": [0.6, 0.6],
        "lows": [0.5, 0.5],
        "matches": 2,
        "mean_ms": [9e9] * 3,
        "p99_ms": [9e9] * 3,
        "timed": 1,
    }
    lines = [f"agents = {json.dumps(agents)}", 'format = "ladder"', 'play = "matches"', "boards = 2", "workers = 1"]
    lines += ["[rules]", 'preset = "bazar"', "target = 20", "[gate]"]
    settings = tmp_path / "gate.toml"
    settings.write_text("\n".join([*lines, *(f"{key} = {json.dumps(value)}" for key, value in gate.items())]))
    command.tournament([str(settings)], {}, out=tmp_path / "gate")
    digests = [agent["digest"] for agent in json.loads((tmp_path / "gate" / "gate.json").read_text())["agents"]]
    assert digests[:2] == [None, None]
    assert digests[2] == agent_digest(make("tier:easy", load_rules("bazar", target=20)))


@pytest.mark.parametrize(("passed", "code"), [(True, 0), (False, 1)])
def test_the_exit_code_says_whether_it_was_passed(passed: bool, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "tournament", lambda *args, **options: passed)
    assert CliRunner().invoke(app, ["tournament", "random", "rules"]).exit_code == code

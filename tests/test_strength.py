"""The ladder of strength: who meets whom, what is kept of it, and the share of the gap that an agent closes."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import strength
from benchmarks.strength import CHUNK, LADDERS, Ladder, Play, Report, write_section
from blot_env import load_rules
from train.duplicate import play_duplicate

SPECS = ("random:uniform", "random", "rules")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a ladder of cheap agents, `small`, keeps what it plays; `seer` is another random player."""
    monkeypatch.setattr(strength, "KEPT", tmp_path)
    monkeypatch.setitem(LADDERS, "small", Ladder("Small", "duel", SPECS))
    return tmp_path / "small.jsonl"


def test_each_meets_its_neighbours_and_rules() -> None:
    ladder = Ladder("", "bazar", ("random", "rules", "a", "b", "seer"))
    assert set(ladder.meetings) == {
        ("rules", "random"),
        ("a", "rules"),
        ("b", "rules"),
        ("seer", "rules"),
        ("b", "a"),
        ("seer", "b"),
    }
    assert len(Ladder("", "bazar", ("rules", "a", "b", "c"), everyone=True).meetings) == 6


@pytest.mark.slow
def test_a_ladder_goes_on_where_it_was_stopped(kept: Path) -> None:
    Play("small").run(minutes=1, boards=2 * CHUNK, workers=1)
    before = kept.read_text(encoding="utf-8")
    assert len(before.splitlines()) == len(SPECS) + 2 * 3, "each is examined, each meeting has two chunks"
    play = Play("small")
    play.run(minutes=1, boards=3 * CHUNK, workers=2)
    assert kept.read_text(encoding="utf-8").startswith(before)
    assert len(kept.read_text(encoding="utf-8").splitlines()) == len(SPECS) + 3 * 3
    play.run(minutes=0, boards=4 * CHUNK, workers=2)
    assert len(play.meeting("rules", "random").points) == 3 * CHUNK, "the time is over"
    agents = [strength.ready("duel", spec) for spec in ("rules", "random")]
    whole = play_duplicate(load_rules("duel"), *agents, 3 * CHUNK, strength.SEED)
    meeting = play.meeting("rules", "random")
    assert (meeting.points, meeting.cards) == (whole.margins.tolist(), whole.card_margins.tolist())
    assert meeting.first.deals == whole.first.deals


def test_what_another_version_of_an_agent_played_is_left_aside(kept: Path) -> None:
    chunk = strength.play_chunk("duel", "rules", "random", 0)
    older = {**strength.play_chunk("duel", "random", "random:uniform", 0), "names": ["random@0", "random:uniform@1"]}
    kept.write_text("".join(f"{json.dumps(line)}\n" for line in (chunk, older)), encoding="utf-8")
    play = Play("small")
    assert play.meeting("rules", "random").points == chunk["points"]
    assert play.meeting("random", "random:uniform").points == []
    assert play.seconds == chunk["seconds"]


@pytest.mark.usefixtures("kept")
def test_the_gap_closed_is_measured_on_the_same_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LADDERS, "small", Ladder("Small", "duel", ("rules", "random", "seer")))
    monkeypatch.setattr(Play, "__init__", lambda self, name: None)
    play = Play("small")
    play.ladder, play.names, play.examined = LADDERS["small"], {spec: spec for spec in ("rules", "random", "seer")}, {}
    seer = np.random.default_rng(0).normal(10, 5, 400)
    own = 0.4 * seer[:200] + np.random.default_rng(1).normal(0, 1, 200)
    play._chunks = {pair: {} for pair in play.ladder.meetings}
    for spec, margins in (("random", own), ("seer", seer)):
        for start in range(0, len(margins), CHUNK):
            part = margins[start : start + CHUNK].tolist()
            chunk = {"points": part, "cards": part, "seconds": 1.0, "tallies": [{}, {}], "start": start}
            play._chunks[spec, "rules"][start] = chunk
    cells = {row["agent"]: row for row in Report(play, "")._agents()}
    ratio, margin = (float(part.strip(" %")) / 100 for part in cells["`random`"]["gap closed"].split("±"))
    assert ratio == pytest.approx(own.mean() / seer[:200].mean(), abs=0.005)
    draws = np.random.default_rng(2).integers(0, 200, (2000, 200))
    resampled = own[draws].mean(1) / seer[:200][draws].mean(1)
    assert margin == pytest.approx(1.96 * resampled.std(), abs=0.006), "as the bootstrap has it"
    assert cells["`seer`"]["gap closed"] == cells["`rules`"]["gap closed"] == "–"


def test_a_section_is_written_in_the_place_of_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "strength.md"
    for lines in (["## One", "", "1"], ["## Two", "", "2"], ["## One", "", "3"]):
        write_section(path, lines)
    assert path.read_text(encoding="utf-8") == strength.HEAD + "\n## One\n\n3\n\n## Two\n\n2\n"

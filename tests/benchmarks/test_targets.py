"""The measures of strength, on a few boards with agents whose worth is known."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import targets
from benchmarks.targets import FAR, Bench, against, contras, cross_play, gap, measures, network_alone, short_by, tables
from blot_env import load_rules
from tests.train.tournament.test_run import Threads

BAZAR, DUEL = load_rules("bazar"), load_rules("duel")


def bench(preset: str, boards: int) -> Bench:
    return Bench(load_rules(preset), Threads(1, 0), boards, 600.0, seed=3)  # type: ignore[arg-type]


def test_what_a_game_lacks_is_not_measured() -> None:
    assert "cross-play" in measures(BAZAR, "rules", ["rules", "random"])
    assert "contras-hard" in measures(BAZAR, "rules", None)
    assert list(measures(DUEL, "rules", ["rules", "random"])) == ["network", "strongest", "gap"]


def test_the_cards_of_rules_close_nothing_of_the_gap_and_the_seers_all_of_it() -> None:
    measured = bench("duel", 12)
    with measured._workers:
        (nothing,) = gap(measured, "rules")
        (all_of_it,) = gap(measured, "seer")
    assert (nothing.measured, nothing.met) == (0.0, False)
    assert (all_of_it.measured, all_of_it.met) == (pytest.approx(1), True)
    assert all_of_it.low == pytest.approx(1), "of the same boards"


def test_contracts_of_the_others_are_counted_by_how_far_they_fail() -> None:
    measured = bench("bazar", 40)
    with measured._workers:
        played = measured.meet(measured.entrant("rules"), measured.entrant("random"))
        right, far = contras(measured, "rules")
    results = against(measured, played)
    assert 0 < len(results) < len(played.results)
    for result in results:
        side = BAZAR.side(int(result["bidder"]))
        taken = sum(int(result[name][side]) for name in ("card_points", "combinations", "blot"))
        assert short_by(BAZAR, result) == (0 if result["made"] else result["number"] - taken / 10)
    assert far.n > 0
    assert f"{FAR} or more" in far.name
    assert right.required == "at least 60%"


def test_partners_who_are_the_same_lose_nothing() -> None:
    measured = bench("bazar", 4)
    with measured._workers:
        found = [*cross_play(measured, "rules", "rules")]
    assert [(target.measured, target.met) for target in found] == [(0.0, True)] * 2


def test_boards_are_the_same_in_each_meeting_and_end_with_the_time() -> None:
    late = Bench(DUEL, Threads(1, 0), 400, 1e-9, seed=3)  # type: ignore[arg-type]
    with late._workers:
        rules, random = late.entrant("rules"), late.entrant("random")
        some = late.meet(rules, random)
    whole = bench("duel", 12)
    with whole._workers:
        more = whole.meet(rules, random)
    assert 0 < len(some.boards) < 12
    assert np.array_equal(late.margins(some), whole.margins(more)[: len(some.boards)])


def test_all_that_was_measured_stands_in_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "TIMED", 1)
    monkeypatch.setattr(targets, "SEARCH", "random")  # which would take longer
    measured = bench("duel", 4)
    with measured._workers:
        found = [*network_alone(measured, "rules")]
    strength, time = found
    assert strength.n == 4
    assert time.measured is not None
    assert time.measured > 0
    kept = {"network": {"seed": 3, "targets": [vars(target) for target in found]}}
    (tmp_path / "duel.json").write_text(json.dumps(kept))
    lines = [*tables(tmp_path)]
    assert "## `duel`" in lines
    assert sum(line.startswith("| ") for line in lines) == 1 + len(found)

"""Tournaments: the same result from any number of workers, honest intervals, files that say the same."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import agents
from blot_env import RuleSet, load_rules
from train.duplicate import play_duplicate
from train.tournament.old import CHUNK, TournamentError, estimate, run_tournament
from train.tournament.old_report import print_tournament, tournament_data, write_tournament

SPECS = ["random", "random:uniform", "random"]
BOARDS = CHUNK + 10
SEED = 3


def test_the_same_seed_writes_the_same_files_from_any_number_of_workers(rules: RuleSet, tmp_path: Path) -> None:
    heard: list[int] = []
    for workers in (1, 2):
        result = run_tournament(rules, SPECS, BOARDS, SEED, workers, heard.append)
        write_tournament(result, tmp_path / str(workers))
    assert sum(heard) == 2 * 3 * BOARDS
    names = ["results.json", "results.csv", "deals.csv"]
    one, two = ([(tmp_path / workers / name).read_bytes() for name in names] for workers in ("1", "2"))
    assert one == two

    data = json.loads(one[0])
    first, second = agents.make("random", rules), agents.make("random:uniform", rules)
    margins = play_duplicate(rules, first, second, BOARDS, SEED).margins
    pair, control, _ = data["pairs"]
    assert pair["points"] == pytest.approx(margins.mean())
    assert pair["interval"][1] - pair["points"] == pytest.approx(1.96 * margins.std(ddof=1) / BOARDS**0.5, rel=1e-3)
    assert (pair["won"], pair["drawn"], pair["lost"]) == tuple(
        int((np.sign(margins) == sign).sum()) for sign in (1, 0, -1)
    )
    assert (control["first"], control["second"]) == ("random@1 #1", "random@1 #2")
    assert (control["points"], control["interval"], control["drawn"]) == (0, [0, 0], BOARDS)
    ranked = [agent["points"] for agent in data["agents"]]
    assert ranked == sorted(ranked, reverse=True)
    assert data["agents"][-1]["points"] == pytest.approx(-margins.mean())

    rows = list(csv.DictReader(io.StringIO(one[1].decode())))
    assert [float(row["points"]) for row in rows] == [pair["points"] for pair in data["pairs"]]
    assert [int(row["first_contracts.bid"]) for row in rows] == [p["first_contracts"]["bid"] for p in data["pairs"]]
    deals = list(csv.DictReader(io.StringIO(one[2].decode())))
    assert len(deals) == 3 * 2 * BOARDS
    differences = [float(deal["first_points"]) - float(deal["second_points"]) for deal in deals[: 2 * BOARDS]]
    assert sum(differences) / len(differences) == pytest.approx(margins.mean())


def test_rules_against_rules_is_exactly_zero(rules: RuleSet) -> None:
    result = run_tournament(rules, ["rules", "rules"], 100, workers=1)
    assert (result.pairs[0].result.margins == 0).all()
    assert result.points(0).mean == result.points(1).mean == 0
    assert result.tally(0).bid == result.tally(1).bid > 0


def test_the_table_names_agents_points_and_contracts(rules: RuleSet) -> None:
    result = run_tournament(rules, ["random", "rules"], 20, workers=1)
    console = Console(file=io.StringIO(), width=100, markup=False)
    print_tournament(result, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    estimate = result.points(1)
    assert f"{estimate.mean:+.2f}" in text
    assert f"± {estimate.margin:.2f}" in text
    assert f"{100 * result.tally(1).made / result.tally(1).bid:.1f} %" in text
    assert text.index("rules@1") < text.index("random@1"), "the best stands first"


def test_rules_without_numbers_or_contra_show_no_such_columns() -> None:
    rules = load_rules("bela3", must_beat="all")
    result = run_tournament(rules, ["random:uniform", "random:uniform"], 4, workers=1)
    console = Console(file=io.StringIO(), width=120, markup=False)
    print_tournament(result, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert 'must_beat = "all"' in text
    assert "made" in text
    assert "number" not in text
    assert "contra" not in text.replace("Contracts", "").replace("contracts", "")
    data = tournament_data(result)
    assert (data["rules"], data["fields"]) == ("bela3", {"must_beat": "all"})
    assert len(result.pairs[0].result.seating) == 6


def test_95_of_100_intervals_hold_the_truth() -> None:
    generator = np.random.default_rng(0)
    samples = generator.normal(2.0, 5.0, (2000, 60))
    held = [abs(found.mean - 2.0) <= (found.margin or 0) for found in map(estimate, samples)]
    assert 0.93 < np.mean(held) < 0.97


def test_one_board_has_no_interval() -> None:
    assert estimate(np.array([4.0])).margin is None


@pytest.mark.parametrize(
    ("specs", "boards", "reason"),
    [
        (["random"], 10, "two or more agents"),
        (["random", "rules"], 0, "at least one board"),
        (["random", "ruels"], 10, "did you mean 'rules'"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_starts(
    rules: RuleSet, specs: list[str], boards: int, reason: str
) -> None:
    with pytest.raises((TournamentError, agents.SpecError), match=reason):
        run_tournament(rules, specs, boards)

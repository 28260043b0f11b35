"""What boards were worth: against plain sums, and even for an agent against itself."""

from pathlib import Path

import numpy as np
import pytest

import agents
from blot_env import RuleSet, load_rules
from tests.train.tournament.meetings import meet, meet_as
from train.duplicate import play_duplicate
from train.tournament.entrants import entrants_of, exchanged
from train.tournament.margins import forfeit_of, margins, wins
from train.tournament.played import Played
from train.tournament.seating import seatings

PRESETS = ["bazar", "duel", "bela3", "bela2"]


def plain_margins(rules: RuleSet, played: Played, entrants: int) -> np.ndarray:
    """The same, entrant by entrant and table by table."""
    seating = seatings(rules.sides, entrants)
    found = np.zeros((len(played.boards), entrants))
    for row, board in enumerate(played.boards):
        tables = sorted(set(played.table[played.board == board].tolist()))
        for entrant in range(entrants):
            for table in tables:
                deals = (played.board == board) & (played.table == table)
                points = played.results["points"][deals].sum(0)[: rules.sides]
                own = seating[table] == entrant
                found[row, entrant] += (points[own].mean() - points[~own].mean()) / len(tables)
    return found


@pytest.mark.parametrize("play", ["boards", "matches"])
@pytest.mark.parametrize("duplicate", [True, False])
@pytest.mark.parametrize("preset", PRESETS)
def test_margins_are_own_points_minus_the_others(preset: str, duplicate: bool, play: str) -> None:
    rules = load_rules(preset)
    boards = range(12 if play == "boards" else 3)
    for specs in [["random", "rules"], *[["random", "rules", "random:uniform"]] * (rules.sides == 3)]:
        played = meet(rules, specs, boards, duplicate=duplicate, play=play)
        seating = seatings(rules.sides, len(specs))
        found = margins(rules, played, seating, len(specs), forfeit=10)
        assert found == pytest.approx(plain_margins(rules, played, len(specs)))
        assert found.any()
        assert found.sum(1) == pytest.approx(0, abs=1e-9)
        shares = wins(rules, played, seating, len(specs), 10, "matches" if play == "matches" else "boards")
        assert shares.sum(1) == pytest.approx(1)


@pytest.mark.parametrize("preset", PRESETS)
def test_margins_are_those_of_duplicate_play(preset: str) -> None:
    rules = load_rules(preset)
    first, second = agents.make("random", rules), agents.make("rules", rules)
    found = margins(rules, meet(rules, ["random", "rules"], range(20)), seatings(rules.sides, 2), 2, forfeit=10)
    assert (found[:, 0] == play_duplicate(rules, first, second, 20, seed=4).margins).all()
    assert (found[:, 1] == -found[:, 0]).all()


@pytest.mark.parametrize("play", ["boards", "matches"])
@pytest.mark.parametrize("preset", PRESETS)
def test_an_entrant_against_itself_is_exactly_even(preset: str, play: str) -> None:
    rules = load_rules(preset)
    boards = range(20 if play == "boards" else 3)
    kind = "matches" if play == "matches" else "boards"
    for spec in ["random", "rules+random:uniform" if rules.teams else "random:uniform"]:
        for parts in (False, True):
            twins = entrants_of(rules, [spec, spec])
            if parts:
                rule_player = entrants_of(rules, ["rules"])[0]
                twins = exchanged(twins[0], rule_player), exchanged(twins[1], rule_player)
            played = meet_as(rules, twins, boards, play=play)
            assert (margins(rules, played, seatings(rules.sides, 2), 2, forfeit=10) == 0).all()
            assert (wins(rules, played, seatings(rules.sides, 2), 2, 10, kind) == 0.5).all()


@pytest.mark.parametrize("play", ["boards", "matches"])
def test_a_network_against_itself_is_exactly_even(rules: RuleSet, checkpoint: Path, play: str) -> None:
    """Though its last bits depend on what shares its batch."""
    twins = entrants_of(rules, [f"policy:{checkpoint}"] * 2)
    for meeting in (twins, [exchanged(twin, entrants_of(rules, ["rules"])[0]) for twin in twins]):
        played = meet_as(rules, meeting, range(13 if play == "boards" else 2), play=play)
        assert (margins(rules, played, seatings(rules.sides, 2), 2, forfeit=10) == 0).all()


@pytest.mark.parametrize(("preset", "points"), [("bazar", 16), ("duel", 16), ("bela3", 162), ("bazar-alltrump", 26)])
def test_a_forfeit_costs_all_the_cards_or_the_match(preset: str, points: int) -> None:
    rules = load_rules(preset)
    assert forfeit_of(rules) == points
    assert forfeit_of(rules, "matches") == rules.target

"""Agents that fail in every way there is cost themselves boards, each for its reason, and nobody else anything."""

from pathlib import Path

import numpy as np
import pytest

from blot_env import RuleSet
from tests.train.tournament.meetings import meet
from train.tournament.asking import DIED
from train.tournament.config import TournamentConfig
from train.tournament.margins import forfeit_of, margins
from train.tournament.run import run_tournament
from train.tournament.seating import seatings

REASONS = {
    "crash": "RuntimeError: out of cards",
    "sleep": "took longer than 0.5 s for a decision",
    "cheat": "answered with",
    "leave": "SystemExit: 3",
    "die": DIED,
}


@pytest.mark.slow
def test_the_rest_goes_on(rules: RuleSet, faulty: None, tmp_path: Path) -> None:
    specs = ["random", *(f"faulty:{how}" for how in REASONS)]
    config = TournamentConfig.model_validate(
        {"agents": specs, "format": "gauntlet", "boards": 40, "limit": 0.5, "workers": 2, "seed": 4, "analysed": 0}
    )
    tournament = run_tournament(config, tmp_path / "tournament")
    at_home = meet(rules, ["random", "faulty:crash"], range(40), alone=True)
    places = [(fault.board, fault.table) for fault in at_home.faults]
    assert places
    for played, how in zip(tournament.played, REASONS, strict=True):
        assert played.boards.tolist() == list(range(40))
        assert [(fault.board, fault.table) for fault in played.faults] == places
        assert {fault.entrant for fault in played.faults} == {1}
        assert all(fault.reason.startswith(REASONS[how]) for fault in played.faults), played.faults
        assert np.array_equal(played.actions, at_home.actions)
        won = margins(rules, played, seatings(2, 2), 2, forfeit_of(rules))[:, 0]
        assert (won[[board for board, _ in places]] > 0).all()

"""Agents that fail lose the tables at which they do, and nothing else changes."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from blot_env import BatchEnv, Decisions, RuleSet, load_rules
from tests.train.tournament.faulty import Failure, Faulty, cheat, crash, leave, sleep
from train.tournament.asking import DIED
from train.tournament.entrants import Entrant
from train.tournament.margins import margins, wins
from train.tournament.played import Fault, Played
from train.tournament.seating import seatings
from train.tournament.tables import play_boards

ROOT = Path(__file__).parents[3]


def sound(decisions: Decisions) -> object:
    return decisions.masks.argmax(1)


def against_rules(rules: RuleSet, agent: Any, boards: range = range(12), **options: Any) -> Played:
    """Boards of an agent, entrant 0, against `rules`."""
    meeting = [Entrant(spec, spec, (spec,), (spec,)) for spec in ("faulty", "rules")]
    players = {"faulty": agent, "rules": agents.make("rules", rules)}
    return play_boards(rules, players, meeting, boards, 4, **options)


def places(played: Played) -> list[tuple[int, int, int]]:
    return list(zip(played.board.tolist(), played.table.tolist(), played.deal.tolist(), strict=True))


ANSWERS: list[tuple[Failure, str]] = [
    (crash, "RuntimeError: out of cards"),
    (leave, "SystemExit: 3"),
    (cheat, "answered with "),
    (sleep, "took longer than 0.3 s for a decision"),
    (lambda decisions: np.array([500]), "answered with 500: actions are numbered 0 to "),
    (lambda decisions: np.array([-1]), "answered with -1: actions are numbered 0 to "),
    (lambda decisions: np.array([1 << 63], np.uint64), "answered with 9223372036854775808: actions are numbered"),
    (lambda decisions: None, "answered with object of shape () instead of 1 whole number"),
    (lambda decisions: 32, "answered with int64 of shape () instead of 1 whole number"),
    (lambda decisions: [32.0], "answered with float64 of shape (1,) instead of 1 whole number"),
    (lambda decisions: [True], "answered with bool of shape (1,) instead of 1 whole number"),
    (lambda decisions: ["pass"], "answered with <U4 of shape (1,) instead of 1 whole number"),
    (lambda decisions: [[1], [2, 3]], "ValueError: setting an array element with a sequence"),
]


@pytest.mark.parametrize(("failure", "reason"), ANSWERS)
def test_only_the_tables_of_guilty_decisions_are_forfeited(failure: Failure, reason: str) -> None:
    rules = load_rules("bazar")
    boards = range(7 if failure is sleep else 12)
    whole = against_rules(rules, Faulty(sound), boards)
    played = against_rules(rules, Faulty(failure), boards, limit=0.3 if failure is sleep else 60)
    assert 0 < len(played.faults) < len(whole.board)
    assert all(fault.entrant == 0 and fault.reason.startswith(reason) for fault in played.faults)
    guilty = {(fault.board, fault.table, fault.deal) for fault in played.faults}
    assert guilty == guilty_deals(rules, boards)
    kept = [place not in guilty for place in places(whole)]
    assert places(played) == [place for place in places(whole) if place not in guilty]
    assert (played.results == whole.results[kept]).all()


def guilty_deals(rules: RuleSet, boards: range) -> set[tuple[int, int, int]]:
    """Deals that would meet a decision at which `Faulty` fails, by playing them without failing."""
    found, place = set(), 0

    class Watched(Faulty):
        def act(self, decisions: Decisions) -> np.ndarray:
            if (decisions.seeds % 40 == 0).any():
                found.add(place)
            return decisions.masks.argmax(1)

    for board in boards:
        for table in (0, 1):
            place = (board, table, 0)
            seat = seatings(2, 2)[table]
            env = BatchEnv(rules, 1, seed=4)
            _, mask, turn = env.reset(boards=[board])
            done = np.zeros(1, bool)
            players = [Watched(sound), agents.make("rules", rules)]
            while not done[0]:
                action = mask.argmax(1)
                if mask.sum() > 1:
                    action = players[seat[turn[0] % 2]].act(env.decisions(seed=4))
                _, mask, turn, _, done = env.step(action)
    return found


@pytest.mark.parametrize("preset", ["bazar", "bela3"])
def test_a_match_keeps_the_deals_before_the_one_that_was_given_up(preset: str) -> None:
    rules = load_rules(preset)
    whole = against_rules(rules, Faulty(sound), range(2), play="matches")
    played = against_rules(rules, Faulty(crash, 100), range(2), play="matches")
    lost = {(fault.board, fault.table): fault.deal for fault in played.faults}
    assert any(deal > 0 for deal in lost.values())
    kept = [place for place in places(whole) if place[2] < lost.get(place[:2], 1 << 30)]
    assert places(played) == kept


def test_an_agent_that_is_slow_in_batches_but_not_alone_loses_nothing(rules: RuleSet) -> None:
    class Slow(Faulty):
        def act(self, decisions: Decisions) -> np.ndarray:
            if len(decisions) > 1:
                time.sleep(60)
            return super().act(decisions)

    played = against_rules(rules, Slow(sound), range(6), limit=0.5)
    assert not played.faults
    assert (played.results == against_rules(rules, Faulty(sound), range(6)).results).all()


def test_whoever_stops_the_program_is_no_fault_of_an_agent(rules: RuleSet) -> None:
    def interrupt(decisions: Decisions) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        against_rules(rules, Faulty(interrupt))


def test_compiled_code_that_never_returns_ends_its_process_which_has_told_who_was_asked(tmp_path: Path) -> None:
    """And the same boards with that table given up are those of an agent that crashes there."""
    notes = tmp_path / "notes"
    script = f"""
import json, dataclasses
import train.tournament.limit
from blot_env import load_rules
from tests.train.tournament.faulty import Faulty, hang
from tests.train.tournament.test_asking import against_rules

train.tournament.limit.GRACE = 0.1
with open({str(notes)!r}, "w", buffering=1) as file:
    note = lambda fault: print(json.dumps(dataclasses.asdict(fault)), file=file)
    against_rules(load_rules("bazar"), Faulty(hang), alone=True, limit=1, note=note)
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "")
    told = [Fault(**json.loads(line)) for line in notes.read_text().splitlines()]
    asked: list[Fault] = []
    crashed = against_rules(load_rules("bazar"), Faulty(crash), alone=True, note=asked.append)
    assert told == asked[: len(told)]
    assert replace(told[-1], reason="RuntimeError: out of cards") in crashed.faults
    assert all(fault.reason == DIED for fault in told)


def test_a_table_that_is_given_up_beforehand_is_not_asked(rules: RuleSet) -> None:
    crashed = against_rules(rules, Faulty(crash))
    again = against_rules(rules, Faulty(crash), forfeits=crashed.faults)
    assert again.faults == crashed.faults
    assert (again.results == crashed.results).all()
    sound_ones = against_rules(rules, Faulty(sound), forfeits=crashed.faults)
    assert sound_ones.faults == crashed.faults
    assert (sound_ones.results == crashed.results).all()


@pytest.mark.parametrize("play", ["boards", "matches"])
def test_a_board_with_forfeited_tables_counts_by_them_alone(rules: RuleSet, play: str) -> None:
    kind: Any = play
    played = against_rules(rules, Faulty(crash, 100), range(12 if play == "boards" else 4), play=play)
    seating = seatings(2, 2)
    found = margins(rules, played, seating, 2, 50)
    shares = wins(rules, played, seating, 2, 50, kind)
    forfeited = np.isin(played.boards, [fault.board for fault in played.faults])
    assert forfeited.any()
    assert (found[forfeited] == [-50, 50]).all()
    assert (shares[forfeited] == [0, 1]).all()
    assert not (found[~forfeited] == [-50, 50]).all(1).any()


def test_tables_that_both_forfeit_are_even(rules: RuleSet) -> None:
    meeting = [Entrant(spec, spec, (spec,), (spec,)) for spec in ("one", "other")]
    players: Any = {"one": Faulty(crash, 1), "other": Faulty(crash, 1)}
    played = play_boards(rules, players, meeting, range(3), 4)
    assert not len(played.board)
    assert [fault.entrant for fault in played.faults] == [0, 1] * 3 or [1, 0] * 3
    assert (margins(rules, played, seatings(2, 2), 2, 16) == 0).all()
    assert (wins(rules, played, seatings(2, 2), 2, 16) == 0.5).all()


def test_three_share_what_one_of_them_forfeits() -> None:
    rules = load_rules("bela3")
    meeting = [Entrant(spec, spec, (spec,), (spec,)) for spec in ("faulty", "rules", "random")]
    players: Any = {"faulty": Faulty(crash, 1), **{spec: agents.make(spec, rules) for spec in ("rules", "random")}}
    played = play_boards(rules, players, meeting, range(2), 4)
    assert (margins(rules, played, seatings(3, 3), 3, 162) == [-162, 81, 81]).all()
    assert (wins(rules, played, seatings(3, 3), 3, 162) == [0, 0.5, 0.5]).all()

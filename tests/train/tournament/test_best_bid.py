"""Contracts are worth what they bring when they are bid and played for the best, and calls are held against that."""

import numpy as np
import pytest

from agents.search.solver import play_best
from blot_env import RULESETS, Game, RuleSet, load_rules
from blot_env.actions import CONTRA, NAME
from tests.played import moments, play, seating
from train.tournament.best_bid import Calls, bidding_of, judge_calls, report_bidding
from train.tournament.played import Played
from train.tournament.replay import first_boards

SEED = 8
FEW_BIDS = {"max_number": 10, "capot_min": 10}


def meeting(rules: RuleSet, boards: int) -> tuple[Played, Calls]:
    played = play(rules, "random", "rules", boards, SEED)
    return played, judge_calls(rules, SEED, played)


def settled(game: Game) -> Game:
    """The game when its auction is over: nobody says more, or swaps."""
    while game.phase in ("auction", "swap"):
        game.play("pass")
    return game


def margins(games: list[Game], side: int) -> list[float]:
    """Match points of a side minus the mean of the others', when deals go on for the best."""
    if not games:
        return []
    sides = games[0].rules.sides
    ends = play_best(games[0].rules, np.concatenate([game.states for game in games]))
    points = ends["result"]["points"][:, :sides]
    return [float(row[side] - np.delete(row, side).mean()) for row in points]


def after(game: Game, action: int) -> Game:
    twin = game.copy()
    twin.take(action)
    return settled(twin)


def contracts_of(rules: RuleSet, board: int, side: int) -> list[Game]:
    """Every contract that a side may bid once the others have passed, about to be played."""
    found = {}
    game = Game(rules, seed=SEED, board=board)
    while game.phase == "auction":
        mask = game.mask()
        if rules.side(game.seat) == side:
            bids = np.flatnonzero(mask[NAME:]) + NAME
            found |= {action: after(game, action) for action in bids.tolist() if action not in found}
        if not mask[32]:
            break
        game.play("pass")
    return list(found.values())


@pytest.mark.parametrize("preset", RULESETS)
def test_the_contract_is_worth_what_the_best_play_brings(preset: str) -> None:
    rules = load_rules(preset)
    played, calls = meeting(rules, 1 if rules.sides == 3 else 3)
    place, seen = {int(row): at for at, row in enumerate(calls.deal)}, set()
    for row, game in moments(rules, SEED, played):
        public = game.state.public
        if game.phase in ("announce", "play") and row in place and row not in seen and "swap" not in game.actions:
            seen.add(row)
            namers = rules.side(int(public.bidder))
            assert calls.bidder[place[row]] == namers
            assert calls.judged.stood[place[row], namers] == margins([game], namers)[0]
            assert calls.judged.best[place[row], namers] >= calls.judged.bare[place[row], namers]
    assert len(seen) > 2


@pytest.mark.parametrize(("preset", "fields"), [("duel", {}), ("bela2", {}), ("bela4", {}), ("bazar", FEW_BIDS)])
def test_no_contract_of_the_side_is_better_than_its_best(preset: str, fields: dict[str, int]) -> None:
    rules = load_rules(preset, **fields)
    played, calls = meeting(rules, 2)
    seen = 0
    for at, row in enumerate(calls.deal):
        namers = int(calls.bidder[at])
        if namers >= 0 and seen < 2:
            tried = margins(contracts_of(rules, int(played.board[row]), namers), namers)
            assert calls.judged.best[at, namers] == max(tried)
            assert len(set(tried)) > 1
            seen += 1
    assert seen


@pytest.mark.parametrize(("preset", "fields"), [("duel", {}), ("bela2", {}), ("bela4", {}), ("bazar", FEW_BIDS)])
def test_what_was_passed_up_could_have_been_called(preset: str, fields: dict[str, int]) -> None:
    rules = load_rules(preset, **fields)
    played, calls = meeting(rules, 2 if preset == "bazar" else 3)
    tried: dict[tuple[int, int], list[Game]] = {}
    contra: dict[tuple[int, int], Game] = {}
    for row, game in moments(rules, SEED, played):
        if game.phase == "auction":
            mask, key = game.mask(), (row, rules.side(game.seat))
            if rules.numbered:
                tried[key] = []
                contra.pop(key, None)
            bids = [action for action in np.flatnonzero(mask).tolist() if action >= NAME]
            tried.setdefault(key, []).extend(after(game, action) for action in bids)
            if mask[CONTRA]:
                contra[key] = after(game, CONTRA)
    seen = 0
    for at, row in enumerate(calls.deal.tolist()):
        for side in range(rules.sides):
            if side == calls.bidder[at]:
                continue
            found = margins(tried.get((row, side), []), side)
            assert calls.judged.option[at, side] == max(found, default=-np.inf)
            if (row, side) in contra:
                gain = margins([contra[row, side]], side)[0] - calls.judged.bare[at, side]
                assert calls.judged.contra[at, side] == gain
            else:
                assert np.isnan(calls.judged.contra[at, side])
            seen += 1
    assert seen > 3
    assert bool(contra) == rules.contra


def test_an_entrant_is_held_against_the_best() -> None:
    rules = load_rules("bazar")
    played, calls = meeting(rules, 5)
    for entrant in (0, 1):
        bidding = bidding_of(played, seating(rules), calls, entrant)
        named = np.array(
            [
                seating(rules)[table][side] == entrant and side >= 0
                for table, side in zip(played.table[calls.deal], calls.bidder, strict=True)
            ]
        )
        assert (~np.isnan(bidding.underbid) == named).all()
        assert (~np.isnan(bidding.underbid) == ~np.isnan(bidding.overbid)).all()
        assert np.isnan(bidding.passed_up[named]).all()
        assert np.isnan(bidding.contra_lost[named]).all()
        for value in (bidding.underbid, bidding.overbid, bidding.passed_up, bidding.contra_missed):
            assert (value[~np.isnan(value)] >= 0).all()
        said = calls.contra[:, None] == np.arange(2)
        own = seating(rules)[played.table[calls.deal]] == entrant
        gains = np.where(said & own, calls.judged.contra, 0).sum()
        assert np.nansum(bidding.contra_won) - np.nansum(bidding.contra_lost) == pytest.approx(gains)


def test_exchanging_the_entrants_exchanges_what_they_missed() -> None:
    rules = load_rules("duel")
    played, calls = meeting(rules, 10)
    first = report_bidding([bidding_of(played, seating(rules), calls, 0)])
    assert first == report_bidding([bidding_of(played, 1 - seating(rules), calls, 1)])
    assert first != report_bidding([bidding_of(played, seating(rules), calls, 1)])
    assert first["n"] == 20
    assert first["underbid"]["points"]["n"] <= 10
    assert first["contra_missed"] == {"n": 0, "deals": 0, "points": None}


def test_boards_are_solved_once() -> None:
    rules = load_rules("duel")
    played, calls = meeting(rules, 5)
    solved: dict[bytes, np.ndarray] = {}
    once = judge_calls(rules, SEED, played, solved, threads=1)
    assert 0 < len(solved) <= 5 * rules.sides
    assert (once.judged.stood == calls.judged.stood).all()
    for values in solved.values():
        values[:] = 0  # so that it shows whether they are read
    again = judge_calls(rules, SEED, played, solved)
    assert (again.judged.stood != once.judged.stood).any()


def test_how_many_deals_are_judged_at_once_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules("duel")
    played, calls = meeting(rules, 5)
    monkeypatch.setattr("train.tournament.best_bid._AT_ONCE", 4)
    again = judge_calls(rules, SEED, played)
    assert report_bidding([bidding_of(played, seating(rules), again, 1)]) == report_bidding(
        [bidding_of(played, seating(rules), calls, 1)]
    )
    assert (again.deal == calls.deal).all()
    assert (again.judged.stood == calls.judged.stood).all()


def test_where_every_table_was_forfeited_nothing_is_judged() -> None:
    rules = load_rules("bazar")
    played = first_boards(play(rules, "random", "random", 1, SEED), 0)
    report = report_bidding([bidding_of(played, seating(rules), judge_calls(rules, SEED, played), 0)])
    assert report["n"] == report["underbid"]["n"] == 0
    assert report["underbid"]["points"] is None


def test_a_belot_leaves_no_call_to_judge() -> None:
    rules = load_rules("duel", belot=True)
    calls = judge_calls(rules, SEED, play(rules, "random", "rules", range(198, 200), SEED))
    assert calls.deal.tolist() == [2, 3]

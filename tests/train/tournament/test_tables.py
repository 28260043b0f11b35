"""Tables in lock-step, against games that are played one by one."""

import numpy as np
import pytest

import agents
from blot_env import Game, RuleSet, load_rules
from tests.train.tournament.meetings import meet, meet_as
from train.tournament.entrants import Entrant, entrants_of, exchanged
from train.tournament.played import Played, joined
from train.tournament.seating import lot, seatings

PRESETS = ["bazar", "duel", "bela3", "bela2"]
Deals = list[tuple[int, int, int, list[str], list[int], int]]


def one_by_one(rules: RuleSet, meeting: tuple[Entrant, ...], boards: list[int], seed: int, matches: bool) -> Deals:
    """Board, table, deal, actions, points and winner of each deal, each action asked of one agent in a `Game`."""
    specs = {spec for entrant in meeting for spec in entrant.agents}
    players = {spec: agents.make(spec, rules) for spec in specs}
    found: Deals = []
    for board in boards:
        for table, sides in enumerate(seatings(rules.sides, len(meeting))):
            game, deal = Game(rules, seed=seed, board=board), 0
            while True:
                while game.phase != "over":
                    entrant = meeting[sides[rules.side(game.seat)]]
                    specs = entrant.calls if game.phase == "auction" else entrant.cards
                    upper = rules.partner(game.seat) is not None and game.seat >= 2
                    spec = specs[(upper + board) % len(specs)]
                    game.take(int(players[spec].act(game.decision(seed=seed))[0]))
                assert game.result is not None
                winner = -1 if game.winner is None else game.winner
                found.append((board, table, deal, game.actions, game.result["points"], winner))
                if not matches or game.winner is not None:
                    break
                game.next_deal()
                deal += 1
    return found


def as_deals(rules: RuleSet, played: Played) -> Deals:
    return [
        (
            int(board),
            int(table),
            int(deal),
            [rules.actions.text(int(action)) for action in actions if action >= 0],
            result["points"][: rules.sides].tolist(),
            int(result["match_winner"]),
        )
        for board, table, deal, actions, result in zip(
            played.board, played.table, played.deal, played.actions, played.results, strict=True
        )
    ]


@pytest.mark.parametrize("matches", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_agrees_with_games_played_one_by_one(preset: str, matches: bool) -> None:
    rules = load_rules(preset)
    meeting = entrants_of(rules, ["random:uniform", "rules"])
    boards = [2] if matches else [0, 1, 5]
    played = meet_as(rules, meeting, boards, play="matches" if matches else "boards")
    assert as_deals(rules, played) == one_by_one(rules, meeting, boards, 4, matches)
    assert played.boards.tolist() == boards
    assert not played.faults


def test_three_entrants_at_a_table() -> None:
    rules = load_rules("bela3")
    meeting = entrants_of(rules, ["random", "rules", "random:uniform"])
    played = meet_as(rules, meeting, [0, 3])
    assert as_deals(rules, played) == one_by_one(rules, meeting, [0, 3], 4, False)


def test_partners_and_exchanged_parts_act_where_they_should() -> None:
    rules = load_rules("bazar")
    team, other = entrants_of(rules, ["rules+random:uniform", "random"])
    meeting = exchanged(team, other), exchanged(other, team)
    played = meet_as(rules, meeting, [0, 1, 2, 3])
    assert as_deals(rules, played) == one_by_one(rules, meeting, [0, 1, 2, 3], 4, False)


@pytest.mark.parametrize("play", ["boards", "matches"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_board_is_the_same_whatever_is_played_with_it_and_however_it_is_asked(preset: str, play: str) -> None:
    rules = load_rules(preset)
    boards = range(6 if play == "boards" else 2)
    together, alone = (meet(rules, ["random", "rules"], boards, play=play, alone=alone) for alone in (False, True))
    chunks = joined([meet(rules, ["random", "rules"], [board], play=play) for board in boards])
    for other in (alone, chunks):
        assert as_deals(rules, other) == as_deals(rules, together)
        assert (other.actions == together.actions).all()
        assert (other.results == together.results).all()
    assert sum(clock.counts.sum() for clock in alone.clocks) > 0
    assert not any(clock.counts.any() for clock in chunks.clocks)


def test_a_board_that_is_not_duplicated_is_played_at_one_of_its_tables(rules: RuleSet) -> None:
    single, all_tables = (
        meet(rules, ["random", "rules"], range(20), duplicate=duplicate) for duplicate in (False, True)
    )
    assert single.table.tolist() == [lot(4, board, 2) for board in range(20)]
    assert set(single.table.tolist()) == {0, 1}
    chosen = [2 * board + table for board, table in enumerate(single.table)]
    assert (single.results == all_tables.results[chosen]).all()


def test_a_match_that_nobody_bids_in_ends(rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    from agents.random_player import RandomPlayer
    from blot_env.actions import PASS

    monkeypatch.setattr(RandomPlayer, "act", lambda self, decisions: np.full(len(decisions), PASS))
    monkeypatch.setattr("train.tournament.tables.MOST_DEALS", 5)
    played = meet(rules, ["random", "random"], [7], play="matches")
    assert played.deal.tolist() == [0, 1, 2, 3, 4] * 2
    assert (played.results["match_winner"] == -1).all()

"""Double dummy as Python calls it: games, batches over threads, whole deals in every strain, and what is refused."""

import numpy as np
import pytest

from agents.search.solver import (
    NO_CARD,
    NO_TRICK,
    NotSolvable,
    double_dummy,
    solve_cards_of,
    solve_states,
    strain_table,
)
from agents.search.solver.double_dummy import _IDLE
from blot_env import RULESETS, Game, load_rules
from blot_env.cards import parse_card
from blot_env.state import PLAY, STATE
from tests.minimax import minimax, random_positions
from tests.tables import WHOLE_SUITS, play, table


def test_the_values_of_a_game_are_those_of_minimax_by_card() -> None:
    rules = load_rules("bela2")
    for state in random_positions(rules, 1, 3, 4, 20, seed=4):
        game = Game(rules)
        game.states[0] = np.array([state], STATE)[0]
        worth = double_dummy(game)
        points = minimax(rules, game.states)[1][0]
        assert worth == {card: max(int(points[card]), 0) for card in range(32) if points[card] != NO_CARD}
        assert all(type(card) is int and type(value) is int for card, value in worth.items())


def test_a_whole_suit_takes_all_tricks_or_none() -> None:
    game = play(table(*WHOLE_SUITS), "8C pass pass pass pass")
    assert double_dummy(game) == dict.fromkeys(range(8), 252)
    game = play(table(*WHOLE_SUITS), "pass 8C pass pass pass pass")
    assert double_dummy(game) == dict.fromkeys(range(8), 0)
    assert solve_states(game.rules, game.states).tolist() == [NO_TRICK]


def test_asking_changes_nothing() -> None:
    game = play(table(*WHOLE_SUITS), "8NT pass pass pass pass 7C")
    before = game.states.copy()
    assert set(double_dummy(game)) == {parse_card(card) for card in WHOLE_SUITS[1].split()}
    assert game.states.tobytes() == before.tobytes()


def test_asked_to_announce_or_to_show_is_in_the_play() -> None:
    game = play(table(*WHOLE_SUITS, preset="bazar-classic"), "8C pass pass pass")
    assert game.phase == "announce"
    assert double_dummy(game) == dict.fromkeys(range(8), 252)


def test_what_is_not_in_the_play_is_refused() -> None:
    game = table(*WHOLE_SUITS)
    with pytest.raises(NotSolvable, match="no cards are played yet: auction"):
        double_dummy(game)
    play(game, "8C pass pass pass pass")
    for _ in range(32):
        game.play(game.legal_actions()[0])
    with pytest.raises(NotSolvable, match="the deal is over"):
        double_dummy(game)
    states = np.concatenate([random_positions(game.rules, 0, 2, 2, 3, seed=0), game.states])
    for solver in (solve_states, solve_cards_of):
        with pytest.raises(NotSolvable, match="state 3: the deal is over"):
            solver(game.rules, states)


def test_more_points_than_the_solver_can_count_are_refused() -> None:
    for fields in ({"last_trick": 400}, {"points_at": [60] * 8}, {"all_tricks_set": 600}):
        rules = load_rules("bazar-alltrump", **fields)
        with pytest.raises(NotSolvable, match="below 500 points"):
            solve_states(rules, random_positions(rules, 0, 1, 1, 1, seed=0))


@pytest.mark.parametrize("n", [0, 1, 7])
def test_threads_share_any_number_of_positions(n: int) -> None:
    rules = load_rules("hayblot")
    states = random_positions(rules, 4, 1, 3, n, seed=0)
    values, cards = minimax(rules, states)
    for threads in (None, 1, 2, 5):
        assert solve_states(rules, states, threads).tolist() == values.tolist()
        assert solve_cards_of(rules, states, threads).tolist() == cards.tolist()


def test_searches_are_used_again() -> None:
    rules = load_rules("bazar")
    states = random_positions(rules, 0, 3, 3, 40, seed=0)
    solve_states(rules, states, threads=2)
    kept = len(_IDLE)
    for _ in range(10):
        solve_states(rules, states, threads=2)
    assert 1 <= len(_IDLE) <= max(kept, 2)


# Whole deals


@pytest.mark.parametrize("preset", RULESETS)
def test_a_deal_in_play_is_solved_in_every_strain(preset: str) -> None:
    """With the hands as play began; its own strain and bidder are those of the deal itself."""
    rules = load_rules(preset)
    deal = next(state for state in random_positions(rules, 1, rules.hand_size, rules.hand_size, 20, 0) if is_new(state))
    worth = strain_table(rules, deal)
    assert worth.shape == (len(rules.strains), rules.sides)
    side = rules.side(int(deal["public"]["bidder"]))
    assert worth[1, side] == solve_states(rules, np.array([deal], STATE))[0]
    game = Game(rules)
    game.states[0] = np.array([deal], STATE)[0]
    while game.phase != "over":
        game.play(game.legal_actions()[0])
    assert strain_table(rules, game.state).tolist() == worth.tolist()


def is_new(state: np.void) -> bool:
    return bool(state["public"]["phase"] == PLAY and state["public"]["trick_size"] == 0)


@pytest.mark.parametrize("preset", [name for name in RULESETS if name not in ("bela3", "duel")])
def test_a_board_has_the_same_table_before_the_auction_and_in_the_play(preset: str) -> None:
    rules = load_rules(preset)
    game = Game(rules, seed=3)
    worth = strain_table(rules, game.state)
    game.play(next(call for call in game.legal_actions() if call[0] in "8n"))
    assert strain_table(rules, game.state).tolist() == worth.tolist()
    while game.phase in ("auction", "swap"):
        game.play("pass")
    assert strain_table(rules, game.state).tolist() == worth.tolist()


def test_the_taker_of_a_duel_draws_other_cards() -> None:
    game = Game("duel", seed=1)
    worth = strain_table(game.rules, game.state)
    for seat, calls in ((0, ["name"]), (1, ["pass", "name"])):
        taken = Game("duel", seed=1)
        for call in calls:
            taken.play(next(action for action in taken.legal_actions() if action.startswith(call)))
        strain = int(taken.state.public.strain)
        assert worth[strain, seat] == solve_states(taken.rules, taken.states)[0]


def test_a_whole_suit_in_the_table() -> None:
    game = table(*WHOLE_SUITS)
    worth = strain_table(game.rules, game.state)
    assert worth[0].tolist() == [252, NO_TRICK]
    assert worth[1].tolist() == [NO_TRICK, 252]
    assert worth[4].tolist() == [252, NO_TRICK]


def test_discards_that_are_not_settled_and_belots_are_refused() -> None:
    game = Game("bela3", seed=1)
    with pytest.raises(NotSolvable, match="has yet to discard"):
        strain_table(game.rules, game.state)
    game.play("nameC")
    with pytest.raises(NotSolvable, match="has yet to discard"):
        strain_table(game.rules, game.state)
    while game.phase == "discard":
        game.play(game.legal_actions()[0])
    assert strain_table(game.rules, game.state).shape == (4, 3)
    game = table(*WHOLE_SUITS, preset="bela4")
    for calls in ("", "nameC"):
        play(game, calls)
        with pytest.raises(NotSolvable, match="a whole suit in one hand"):
            strain_table(game.rules, game.state)


def test_what_is_no_position_is_refused() -> None:
    rules = load_rules("bazar")
    states = random_positions(rules, 2, 1, 3, 2, seed=0)
    with pytest.raises(TypeError, match="a Game is wanted, not int"):
        double_dummy(5)  # type: ignore[arg-type]
    for wrong in ([1], states[:1].reshape(1, 1), states["hands"], None):
        with pytest.raises(TypeError, match="rows of STATE"):
            solve_states(rules, wrong)  # type: ignore[arg-type]
    with pytest.raises(NotSolvable, match="of other rules"):
        solve_states(load_rules("duel"), random_positions(rules, 2, 8, 8, 2, seed=0))
    with pytest.raises(ValueError, match="at least 1"):
        solve_states(rules, states, threads=0)

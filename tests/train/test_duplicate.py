"""Duplicate boards: the same cards at both tables, margins as a single game gives them."""

import numpy as np
import pytest

import agents
from blot_env import RULESETS, Decisions, Game, RuleSet, load_rules
from train.duplicate import play_duplicate


class First:
    """Takes its first legal action."""

    name = "first"

    def act(self, decisions: Decisions) -> np.ndarray:
        return decisions.masks.argmax(1)


@pytest.mark.parametrize("spec", ["random", "random:uniform", "rules"])
def test_an_agent_against_itself_is_exactly_even(rules: RuleSet, spec: str) -> None:
    twin = [agents.make(spec, rules) for _ in range(2)]
    result = play_duplicate(rules, *twin, boards=100, seed=4)
    assert (result.margins == 0).all()
    assert (result.results[:, 0] == result.results[:, 1]).all()


def test_exchanging_the_agents_changes_the_sign(rules: RuleSet) -> None:
    random, uniform = agents.make("random", rules), agents.make("random:uniform", rules)
    one, other = (play_duplicate(rules, *pair, boards=50, seed=4) for pair in ((random, uniform), (uniform, random)))
    assert (one.margins == -other.margins).all()
    assert one.margins.any()


def test_a_board_is_the_same_whatever_is_played_with_it(rules: RuleSet) -> None:
    pair = agents.make("random", rules), agents.make("random:uniform", rules)
    together = play_duplicate(rules, *pair, boards=40, seed=4)
    alone = play_duplicate(rules, *pair, boards=[17, 39, 3], seed=4)
    assert alone.boards.tolist() == [17, 39, 3]
    assert (together.results[[17, 39, 3]] == alone.results).all()
    assert (together.margins[[17, 39, 3]] == alone.margins).all()


def test_another_seed_is_another_board(rules: RuleSet) -> None:
    pair = agents.make("random", rules), agents.make("random:uniform", rules)
    margins = [play_duplicate(rules, *pair, boards=20, seed=seed).margins.tolist() for seed in (4, 5)]
    assert margins[0] != margins[1]


def test_agrees_with_games_played_one_by_one(rules: RuleSet) -> None:
    first, second = agents.make("random", rules), agents.make("random:uniform", rules)
    boards, seed = 15, 9
    duplicate = play_duplicate(rules, first, second, boards, seed)
    for board in range(boards):
        margin = 0.0
        for table, sides in enumerate([(first, second), (second, first)]):
            game = Game(rules, seed=seed, board=board)
            while game.phase != "over":
                action = int(sides[game.seat % 2].act(game.decision(seed=seed))[0])
                game.play(rules.actions.text(action))
            result = game.result
            assert result is not None
            assert duplicate.results[board, table]["points"][:2].tolist() == result["points"]
            margin += (result["points"][0] - result["points"][1]) * (1 if table == 0 else -1)
        assert duplicate.margins[board] == margin / 2


@pytest.mark.parametrize("preset", [name for name in RULESETS if name != "bazar"])
def test_every_game_is_played_from_every_place(preset: str) -> None:
    """Against games one by one: each agent sits wherever the other sat, the rest of the table being the other's."""
    rules = load_rules(preset)
    first, second = agents.make("random:uniform", rules), First()
    boards, seed = 6, 9
    duplicate = play_duplicate(rules, first, second, boards, seed)
    seats = range(rules.players)
    places = [[rules.side(seat) == side for seat in seats] for side in range(rules.sides)]
    if rules.sides == 3:
        places += [[not own for own in place] for place in places]
    assert {tuple(row) for row in duplicate.seating[:, [rules.side(seat) for seat in seats]]} == set(map(tuple, places))
    for board in range(boards):
        margin = 0.0
        for table, sides in enumerate(duplicate.seating):
            game = Game(rules, seed=seed, board=board)
            while game.phase != "over":
                agent = first if sides[rules.side(game.seat)] else second
                game.take(int(agent.act(game.decision(seed=seed))[0]))
            assert game.result is not None
            points = np.array(game.result["points"])
            assert duplicate.results[board, table]["points"][: rules.sides].tolist() == points.tolist()
            margin += points[sides].mean() - points[~sides].mean()
        assert duplicate.margins[board] == pytest.approx(margin / len(duplicate.seating))
    exchanged = play_duplicate(rules, second, first, boards, seed)
    assert exchanged.margins == pytest.approx(-duplicate.margins)
    assert play_duplicate(rules, first, first, boards, seed).margins == pytest.approx(0)


def test_an_illegal_action_is_no_result(rules: RuleSet) -> None:
    class Cheat:
        name = "cheat"

        def act(self, decisions: object) -> np.ndarray:
            return np.full(len(decisions), 31)  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="AS: No card is played before the auction is over"):
        play_duplicate(rules, Cheat(), agents.make("random", rules), boards=2)

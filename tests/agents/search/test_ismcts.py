"""Information set Monte Carlo tree search: its tree, its choices, and that neither depends on what it should not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
from agents import SpecError
from agents.search.ismcts import IsmctsPlayer, player
from agents.search.ismcts.search import begin, iterate
from agents.search.ismcts.tree import MOVES, ROOT, after, find, node_key
from agents.search.ismcts.workspace import Findings
from agents.search.worlds import sample_worlds
from blot_env import RULESETS, BatchEnv, Decisions, Game, RuleSet, load_rules
from blot_env.state import AUCTION, PLAY
from tests.agents.test_information import SETTINGS, assert_blind
from tests.positions import Position, positions

GOLDEN = Path(__file__).parents[2] / "data" / "ismcts.json"


def some_decisions(rules: RuleSet, steps: int, tables: int = 8, seed: int = 1) -> Decisions:
    """Decisions with a choice, after some steps of the rule-based player at each table."""
    env = BatchEnv(rules, tables, seed=seed)
    env.reset()
    rule_player = agents.make("rules", rules)
    for _ in range(steps):
        env.step(rule_player.act(env.decisions()))
    decisions = env.decisions(seed=seed)
    return decisions[np.flatnonzero(decisions.masks.sum(1) > 1)]


def found_at(findings: Findings, row: int) -> dict[int, int]:
    """Visits by action."""
    return {
        int(action): int(visits)
        for action, visits in zip(findings.actions[row], findings.visits[row], strict=True)
        if action >= 0
    }


# The tree


def tree_of(decisions: Decisions, row: int, iterations: int, **options: Any) -> tuple[IsmctsPlayer, np.ndarray, Any]:
    """The nodes of a search and what it keeps besides."""
    search = IsmctsPlayer(decisions.rules, iterations, **options)
    space = search._spaces.get()
    fixed = (search._rules, search._values, decisions.views, row)
    seed = int(decisions.seeds[row])
    begin(*fixed, search._options, seed, *space)
    iterate(*fixed, search._options, seed, iterations, *space)
    return search, space.nodes, space.search[0]


def children(nodes: np.ndarray, place: int, seats: range) -> dict[tuple[int, int], Any]:
    """The nodes of the moves at a place, by seat and move, where one observer sees all."""
    slots = {(seat, move): find(nodes, node_key(place, seat, move)) for seat in seats for move in range(MOVES)}
    return {key: nodes[slot] for key, slot in slots.items() if nodes[slot]["key"]}


@pytest.mark.parametrize("steps", [3, 8, 20, 31])
@pytest.mark.parametrize("prior", ["none", "rules"])
def test_the_counts_of_a_tree_add_up(rules: RuleSet, steps: int, prior: str) -> None:
    decisions = some_decisions(rules, steps)
    iterations = 400
    for row in range(len(decisions)):
        _, nodes, search = tree_of(decisions, row, iterations, prior=prior)
        used = nodes[nodes["key"] != 0]
        assert len(used) == search.nodes <= iterations
        assert search.iterations == iterations
        assert (used["visits"] >= 1).all()
        assert (used["available"] >= used["visits"]).all()
        public = decisions.views[row]["public"]
        assert (np.abs(used["total"]) <= 800 * used["visits"]).all()
        seats = range(rules.players)
        first = children(nodes, ROOT, seats)
        assert {seat for seat, _ in first} == {int(decisions.views[row]["seat"])}
        assert sum(int(node["visits"]) for node in first.values()) == iterations
        for (seat, move), node in first.items():
            if public["phase"] == PLAY:
                later = children(nodes, int(after(ROOT, seat, move)), seats)
                assert sum(int(child["visits"]) for child in later.values()) < node["visits"]


@pytest.mark.parametrize("observers", ["one", "many"])
def test_a_tree_grows_no_larger_than_its_pool(rules: RuleSet, observers: str) -> None:
    decisions = some_decisions(rules, 10)
    search = IsmctsPlayer(rules, 500, observers=observers)
    search._options = search._options._replace(most=60)
    found = search.search(decisions)
    assert (found.nodes == 60).all()
    assert (found.visits.sum(1) == 500).all()


def golden_tree(rules: RuleSet, **options: Any) -> list[dict[str, Any]]:
    """What searches find in some positions, as JSON has it."""
    trees = []
    for steps in (0, 5, 9, 22):
        decisions = some_decisions(rules, steps, tables=6)[:3]
        found = IsmctsPlayer(rules, 300, **options).search(decisions)
        for row in range(len(decisions)):
            moves = found.visits[row] > 0
            trees.append(
                {
                    "nodes": int(found.nodes[row]),
                    "actions": [rules.actions.name(int(action)) for action in found.actions[row][moves]],
                    "visits": found.visits[row][moves].tolist(),
                    "available": found.available[row][moves].tolist(),
                    "totals": np.round(found.totals[row][moves], 4).tolist(),
                }
            )
    return trees


GOLDEN_OPTIONS: dict[str, dict[str, Any]] = {
    "one observer": {},
    "many observers": {"observers": "many"},
    "UCB, random rollouts": {"prior": "none", "rollouts": "random", "weights": "none"},
    "many observers, UCB, random rollouts": {"observers": "many", "prior": "none", "rollouts": "random"},
}


@pytest.mark.parametrize("name", GOLDEN_OPTIONS)
@pytest.mark.parametrize("preset", ["bazar", "bela3"])
def test_trees_are_those_on_record(preset: str, name: str) -> None:
    """`python -m tests.agents.search.test_ismcts` writes the record again, after a change that is meant."""
    golden = json.loads(GOLDEN.read_text())
    assert golden_tree(load_rules(preset), **GOLDEN_OPTIONS[name]) == golden[preset][name]


def write_golden() -> None:
    """Write the trees of today."""
    trees = {
        preset: {name: golden_tree(load_rules(preset), **options) for name, options in GOLDEN_OPTIONS.items()}
        for preset in ("bazar", "bela3")
    }
    GOLDEN.write_text(json.dumps(trees, indent=1) + "\n")


# Its choices


@pytest.mark.parametrize("observers", ["one", "many"])
@pytest.mark.parametrize("preset", RULESETS)
def test_it_plays_every_game(preset: str, observers: str) -> None:
    """An illegal action raises."""
    env = BatchEnv(load_rules(preset), 6, seed=2)
    env.reset()
    search = agents.make(f"ismcts:iterations=12,observers={observers},rollouts=random,prior=none", env.rules)
    phases = set()
    for _ in range(80):
        decisions = env.decisions()
        phases |= set(decisions.views["public"]["phase"].tolist())
        env.step(search.act(decisions))
    assert {AUCTION, PLAY} <= phases


def margins(game: Game, actions: list[str], seat: int) -> float:
    """The match points, own minus others', that a seat gets from here on when all see all the cards: plain minimax."""
    line = replay(game, actions)
    if line.phase == "over":
        points = line.result["points"]
        own = points[seat % 2]
        win = 0 if line.winner is None else 20 if line.winner == seat % 2 else -20
        return own - (sum(points) - own) + win
    values = [margins(game, [*actions, action], seat) for action in line.legal_actions()]
    return max(values) if line.seat % 2 == seat % 2 else min(values)


def replay(game: Game, actions: list[str]) -> Game:
    line = game.copy()
    for action in actions:
        line.play(action)
    return line


@pytest.mark.parametrize("observers", ["one", "many"])
def test_where_all_cards_are_known_it_finds_the_exact_choice(rules: RuleSet, observers: str) -> None:
    search = agents.make(f"ismcts:iterations=300,observers={observers},prior=none", rules)
    rule_player, choices = agents.make("rules", rules), 0
    for board in range(200):
        game = Game(rules, seed=board)
        while game.phase != "over":
            decision = game.decision(seed=board)
            legal = game.legal_actions()
            if game.phase == "play" and game.state.public.trick_number == 6 and len(legal) > 1:
                worlds = sample_worlds(rules, decision.views, 30, 1)
                if (worlds["hands"] == worlds["hands"][0]).all():
                    values = {action: margins(game, [action], game.seat) for action in legal}
                    chosen = rules.actions.text(int(search.act(decision)[0]))
                    assert values[chosen] == max(values.values()), game.record()
                    choices += len(set(values.values())) > 1
            game.take(int(rule_player.act(decision)[0]))
    assert choices >= 10


def test_it_takes_the_only_action_without_a_search(rules: RuleSet) -> None:
    game = Game(rules, seed=7)
    for call in ("capotH", "pass", "pass"):
        game.play(call)
    assert game.legal_actions() == ["contra", "pass"]
    game.play("pass")
    while len(game.legal_actions()) > 1:
        game.play(game.legal_actions()[0])
    search = IsmctsPlayer(rules, 10)
    search._pool.shutdown()  # a search would raise
    (action,) = search.act(game.decision())
    assert rules.actions.text(int(action)) == game.legal_actions()[0]


def test_a_last_choice_without_difference_is_made(rules: RuleSet) -> None:
    """Rewards that are all alike have no spread to explore by."""
    decisions = some_decisions(rules, 34, tables=20)
    assert len(decisions)
    found = IsmctsPlayer(rules, 100).search(decisions)
    assert (found.visits.sum(1) == 100).all()
    assert np.isfinite(found.totals).all()


# What it must not depend on


SPECS = ["ismcts:iterations=60", "ismcts:iterations=60,observers=many,threads=3", "ismcts:iterations=61,threads=2"]


@pytest.mark.parametrize("spec", SPECS)
def test_a_decision_is_the_same_in_any_batch(rules: RuleSet, spec: str) -> None:
    search = agents.make(spec, rules)
    for steps in (0, 6, 15):
        decisions = some_decisions(rules, steps)
        actions = search.act(decisions)
        assert (search.act(decisions[2:5]) == actions[2:5]).all()
        assert (agents.make(spec, rules).act(decisions[::-1]) == actions[::-1]).all()


BLIND = ["ismcts:iterations=50", "ismcts:iterations=50,observers=many,rollouts=random,prior=none"]


@settings(max_examples=25, **SETTINGS)
@given(at=st.sampled_from(RULESETS).flatmap(lambda preset: positions(0, 45, preset)))
def test_hidden_cards_change_no_action(at: Position) -> None:
    assert_blind(at, BLIND)


@pytest.mark.slow
@settings(max_examples=500, **SETTINGS)
@given(at=st.sampled_from(RULESETS).flatmap(lambda preset: positions(0, 45, preset)))
def test_hidden_cards_change_no_action_in_many_positions(at: Position) -> None:
    assert_blind(at, BLIND)


def test_trees_and_not_cores_make_the_difference(rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = some_decisions(rules, 12)
    many = IsmctsPlayer(rules, 90, threads=3).search(decisions)
    monkeypatch.setattr(player, "cores", lambda: 1)
    alone = IsmctsPlayer(rules, 90, threads=3).search(decisions)
    for name, counts in vars(many).items():
        assert (counts == getattr(alone, name)).all()
    assert (many.visits.sum(1) == 90).all()
    one = IsmctsPlayer(rules, 90).search(decisions)
    assert (one.visits != many.visits).any()


def test_another_seed_grows_another_tree(rules: RuleSet) -> None:
    decisions = some_decisions(rules, 12)
    other = Decisions(rules, decisions.views, decisions.observations, decisions.masks, decisions.seeds + 1)
    search = IsmctsPlayer(rules, 100)
    assert (search.search(decisions).totals != search.search(other).totals).any()


# Options


def test_a_search_for_a_time_says_so_and_stops(rules: RuleSet) -> None:
    search = agents.make("ismcts:ms=1", rules)
    assert search.name == "ismcts:ms=1@1 (timed)"
    decisions = some_decisions(rules, 10)
    assert (decisions.masks[np.arange(len(decisions)), search.act(decisions)] == 1).all()
    found = search.search(decisions[:1])
    assert found.visits.sum() >= player.CHUNK


def test_names_tell_how_it_plays(rules: RuleSet) -> None:
    assert agents.make("ismcts", rules).name == "ismcts:iterations=2000@1"
    spec = "ismcts:iterations=50,exploration=0.5,rollouts=random,observers=many,prior=none,weights=none,threads=2"
    assert agents.make(spec, rules).name == f"{spec}@1"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ismcts:iterations=0", "iterations"),
        ("ismcts:exploration=nan", "exploration"),
        ("ismcts:rollouts=policy", "policy=PATH"),
        ("ismcts:prior=policy", "policy=PATH"),
        ("ismcts:observers=two", "observers"),
        ("ismcts:policy=nowhere", "nowhere"),
    ],
)
def test_wrong_options_are_refused(rules: RuleSet, spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        agents.make(spec, rules)


# With a network


@pytest.mark.parametrize("options", ["", ",rollouts=policy", ",prior=rules,rollouts=policy", ",rollouts=random"])
def test_a_network_gives_priors_and_plays_deals_out(rules: RuleSet, checkpoint: Path, options: str) -> None:
    search = agents.make(f"ismcts:iterations=20,policy={checkpoint}{options}", rules)
    for steps in (0, 5, 18, 30):
        decisions = some_decisions(rules, steps)
        actions = search.act(decisions)
        assert (decisions.masks[np.arange(len(decisions)), actions] == 1).all()
        assert (search.act(decisions[1:3]) == actions[1:3]).all()


def test_a_network_turns_the_search_to_the_moves_it_likes(rules: RuleSet, checkpoint: Path) -> None:
    decisions = some_decisions(rules, 9)
    liked = agents.make(f"policy:{checkpoint}", rules).act(decisions)
    found = IsmctsPlayer(rules, 16, policy=str(checkpoint), exploration=50.0).search(decisions)
    assert (found.best() == liked).mean() > 0.8
    assert (found.visits.sum(1) == 16).all()


@pytest.mark.nojit
def test_it_searches_without_a_compiler() -> None:
    game = Game(load_rules("duel"), seed=3)
    game.play("nameC" if "nameC" in game.legal_actions() else game.legal_actions()[0])
    while game.phase != "over" and (game.state.public.trick_number < 6 or len(game.legal_actions()) < 2):
        game.play(game.legal_actions()[0])
    decision = game.decision()
    found = IsmctsPlayer(game.rules, 8).search(decision)
    assert found.visits.sum() == 8
    assert decision.masks[0, found.best()[0]]


if __name__ == "__main__":
    write_golden()

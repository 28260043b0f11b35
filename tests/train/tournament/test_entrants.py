"""Entrants: agents and teams by their specs."""

import pytest

from agents import SpecError
from blot_env import RuleSet, load_rules
from train.tournament.entrants import EntrantError, entrants_of, exchanged


def test_an_agent_and_a_team(rules: RuleSet) -> None:
    agent, team = entrants_of(rules, ["random:uniform", "rules+random"])
    assert (agent.spec, agent.name, agent.calls, agent.cards) == (
        "random:uniform",
        "random:uniform@1",
        ("random:uniform",),
        ("random:uniform",),
    )
    assert (team.spec, team.name) == ("rules+random", "rules@1 + random@1")
    assert team.calls == team.cards == team.agents == ("rules", "random")


def test_equal_names_are_numbered(rules: RuleSet) -> None:
    names = [entrant.name for entrant in entrants_of(rules, ["rules", "random", "rules"])]
    assert names == ["rules@1 #1", "random@1", "rules@1 #2"]


def test_a_path_may_hold_a_plus(rules: RuleSet, checkpoint, tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a+b").symlink_to(checkpoint)
    path = f"policy:{tmp_path / 'a+b'}"
    assert entrants_of(rules, [path])[0].calls == (path,)


@pytest.mark.parametrize(
    ("preset", "spec", "error", "message"),
    [
        ("bazar", "rules+nobody", SpecError, "no agent is named 'nobody'"),
        ("bazar", "rules+", SpecError, "no agent is named ''"),
        ("bazar", "nobody", SpecError, "no agent is named 'nobody'"),
        ("bazar", "rules+rules+rules", EntrantError, "a team has two partners"),
        ("duel", "rules+random", EntrantError, "there are no partners in duel"),
    ],
)
def test_what_cannot_play_is_told(preset: str, spec: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        entrants_of(load_rules(preset), ["random", spec])


def test_the_parts_of_the_game_are_exchanged(rules: RuleSet) -> None:
    first, second = entrants_of(rules, ["rules+random", "random:uniform"])
    both = exchanged(first, second)
    assert (both.calls, both.cards) == (("rules", "random"), ("random:uniform",))
    assert both.agents == ("rules", "random", "random:uniform")
    assert both.name == "calls of rules@1 + random@1, cards of random:uniform@1"

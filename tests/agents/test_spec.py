"""Agents by spec: what is right makes an agent, what is wrong is named with the nearest right name."""

import pytest

import agents
from agents import SpecError
from agents.spec import AGENTS, Entry
from blot_env import RuleSet


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("random", "random@1"),
        ("random:mixed", "random@1"),
        ("random:uniform", "random:uniform@1"),
        ("random,style=uniform", "random:uniform@1"),
        ("random:style=uniform", "random:uniform@1"),
        ("rules", "rules@1"),
    ],
)
def test_a_spec_makes_the_agent_that_it_names(rules: RuleSet, spec: str, name: str) -> None:
    assert agents.make(spec, rules).name == name


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ruls", "no agent is named 'ruls' (did you mean 'rules'?)"),
        ("", "no agent is named ''; there are bot, ismcts, pimc, policy, random, rules, seer, tier, values"),
        ("rules:2", "agent 'rules' takes nothing after its name, so 'rules:2' means nothing"),
        ("rules,depth=3", "agent 'rules' has no option 'depth'; it has none"),
        ("rules:depth=3", "agent 'rules' takes nothing after its name, so 'rules:depth=3' means nothing"),
        ("random:styl=uniform", "agent 'random' has no option 'styl' (did you mean 'style'?); there are style"),
        ("random:style=uniform,style=mixed", "style is given twice"),
        ("random,styl=uniform", "agent 'random' has no option 'styl' (did you mean 'style'?)"),
        ("random:unform", "agent 'random': style is 'unform'; input should be 'mixed' or 'uniform'"),
        ("random,uniform", "'uniform' is no option; write options as key=value"),
        ("random:mixed,style=mixed", "style is given twice"),
        ("policy", "agent 'policy' needs its path: write policy:PATH"),
        ("bot:/nowhere", "agent 'bot:/nowhere': "),
    ],
)
def test_what_is_wrong_is_named(rules: RuleSet, spec: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        agents.make(spec, rules)
    assert message in str(error.value)


class Counter:
    """Stands for an agent whose options are numbers."""

    def __init__(self, rules: RuleSet, worlds: int, temperature: float = 1.0) -> None:
        self.name, self.options = "counter@1", (worlds, temperature)


class Reader:
    """Stands for an agent that is read from a file."""

    def __init__(self, rules: RuleSet, path: str, worlds: int = 1) -> None:
        self.name, self.options = "reader@1", (path, worlds)


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "counter", Entry(f"{__name__}:Counter"))
    monkeypatch.setitem(AGENTS, "reader", Entry(f"{__name__}:Reader"))


@pytest.mark.parametrize("spec", ["counter:20,temperature=0.5", "counter:worlds=20,temperature=0.5"])
def test_options_are_read_as_what_the_factory_wants(rules: RuleSet, spec: str) -> None:
    assert agents.make(spec, rules).options == (20, 0.5)
    with pytest.raises(SpecError, match="agent 'counter': worlds is 'many'; input should be a valid integer"):
        agents.make("counter:many", rules)


def test_a_path_may_hold_what_options_are_written_with(rules: RuleSet) -> None:
    assert agents.make("reader:runs/lr=0.1,worlds=3", rules).options == ("runs/lr=0.1", 3)
    assert agents.make("reader:path=lr=0.1", rules).options == ("lr=0.1", 1)
    with pytest.raises(SpecError, match="agent 'reader' needs its path: write reader:PATH"):
        agents.make("reader:worlds=3", rules)


def test_a_missing_dependency_is_named(rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "policy", Entry("no_such_module:Agent", "train"))
    with pytest.raises(SpecError, match="No module named 'no_such_module'.*pip install '.\\[train\\]' in a clone"):
        agents.make("policy:somewhere", rules)

"""A training learns, can be killed and resumed to the same curve, and stops when it is asked to."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load, load_file, save
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents
import train
from agents.checkpoint import load_checkpoint
from agents.random_player import RandomPlayer
from agents.spec import AGENTS, Entry
from blot_env import RULESETS, RuleSet, load_rules
from train import trainer
from train.config import Config
from train.duplicate import play_duplicate
from train.settings import ConfigError, check_settings, toml_of
from train.tournament.estimates import bootstrap


class Searcher(RandomPlayer):
    """Stands for agents that search, without the time that they take."""

    searches = True

    def __init__(self, rules: RuleSet, worlds: int = 1, ms: int = 0) -> None:
        super().__init__(rules)
        self.timed = ms > 0


def tiny(**changes: Any) -> Config:
    """A training of some seconds with all its parts: imitation, league, forced contracts, evaluation."""
    sizes = {"width": 32, "blocks": 1}
    values = {
        "iterations": 4,
        "threads": 1,
        "save_every": 1,
        "network": {"cards": sizes, "auction": sizes, "critic": sizes},
        "rollout": {"tables": 24},
        "imitation": {"iterations": 1},
        "ppo": {"minibatch": 256},
        "league": {"every": 1, "past": 0.3, "opponents": {"rules": 0.2, "random": 0.1}, "partners": {"rules": 0.1}},
        "evaluation": {"every": 2, "boards": 4},
    }
    return check_settings(Config, values | changes)


def scalars(folder: Path) -> dict[str, dict[int, float]]:
    """All curves of a run but its speed."""
    events = EventAccumulator(str(folder)).Reload()
    tags = [tag for tag in events.Tags()["scalars"] if not tag.startswith("speed/")]
    return {tag: {event.step: event.value for event in events.Scalars(tag)} for tag in tags}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def searcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "searcher", Entry(f"{__name__}:Searcher"))


@pytest.mark.parametrize(
    "preset",
    [name if name in ("bazar", "bela3") else pytest.param(name, marks=pytest.mark.slow) for name in RULESETS],
)
def test_training_learns_to_beat_random_play(preset: str) -> None:
    folder = train.run(
        tiny(
            rules=preset,
            iterations=20,
            network={"cards": {"width": 64, "blocks": 1}, "auction": {"width": 64, "blocks": 1}},
            rollout={"tables": 192},
            imitation={"iterations": 16, "learning_rate": [3e-3, 1e-3]},
            ppo={"minibatch": 512},
            evaluation={"every": 100, "boards": 2},
        ),
        name="smoke",
    )
    rules = load_rules(preset)
    policy, random = agents.make(f"policy:{folder}", rules), agents.make("random", rules)
    points = bootstrap(play_duplicate(rules, policy, random, 150, seed=5).margins)
    assert points.low is not None
    assert points.low > (5 if preset == "bazar" else 0)


def test_a_killed_run_resumes_to_the_same_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train.run(tiny(), name="whole")

    class Killed(BaseException):
        pass

    def die(self: trainer.Trainer) -> dict[str, float]:
        if self.progress.iteration == 2:
            improve(self)  # work that no file knows of
            raise Killed
        return improve(self)

    improve = trainer.Trainer.improve
    with monkeypatch.context() as patch:
        patch.setattr(trainer.Trainer, "improve", die)
        with pytest.raises(Killed):
            train.run(tiny(), name="killed")
    resumed = train.run(tiny(), resume="runs/killed")

    assert resumed == Path("runs/killed")
    first, second = (load_file(folder / "resume.safetensors") for folder in (whole, resumed))
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert np.array_equal(tensor, second[name]), name
    curves = scalars(whole)
    assert curves == scalars(resumed)
    assert sorted(curves["loss/value"]) == [1, 2, 3, 4]
    assert sorted(curves["evaluation/rules"]) == [0, 2, 4]


@pytest.mark.usefixtures("searcher")
def test_a_run_says_at_how_many_tables_agents_searched(capsys: pytest.CaptureFixture[str]) -> None:
    league = {"opponents": {"searcher": 0.25, "rules": 0.25}, "partners": {"searcher": 0.25}, "search_tables": 3}
    folder = train.run(tiny(iterations=1, imitation={}, league=league), name="searched")
    curves = scalars(folder)
    assert (curves["league/searching"], curves["league/searching_wanted"]) == ({1: 3 / 24}, {1: 0.5})
    assert "; tables where an agent searches 12.5%; ... as the shares want it 50.0%; " in capsys.readouterr().err
    assert not [tag for tag in scalars(train.run(tiny(iterations=2), name="cheap")) if tag.startswith("league/")]


@pytest.mark.parametrize("spec", ["ismcts:iterations=3", "pimc:worlds=1,deals=1", "seer"])
def test_a_run_against_search_resumes_to_the_same_weights(spec: str) -> None:
    def config(iterations: int) -> Config:
        league = {"opponents": {spec: 0.3}, "partners": {spec: 0.1}, "search_tables": 4}
        return tiny(iterations=iterations, league=league, evaluation={"agents": ["rules"], "boards": 2})

    whole, part = (train.run(config(iterations), name=f"of{iterations}") for iterations in (3, 2))
    resumed = train.run(config(3), resume=part)
    first, second = (load_file(folder / "resume.safetensors") for folder in (whole, resumed))
    assert all(np.array_equal(tensor, second[name]) for name, tensor in first.items())
    assert list(scalars(resumed)["league/searching"].values()) == pytest.approx([4 / 24] * 2)


@pytest.mark.usefixtures("searcher")
def test_what_depends_on_the_clock_is_refused() -> None:
    for key, values in (
        ("imitation.agent", {"imitation": {"agent": "searcher:ms=50", "iterations": 1}}),
        ("evaluation.agents", {"evaluation": {"agents": ["rules", "searcher:ms=50"]}}),
        ("league.opponents, league.partners, league.others", {"league": {"partners": {"searcher:ms=50": 0.1}}}),
    ):
        with pytest.raises(ConfigError, match=rf"^{key}: agent 'searcher:ms=50' thinks for a given time, so a run"):
            train.run(tiny(**values), name="timed")
    assert not Path("runs/timed").exists()


def test_a_run_keeps_its_house_rules_and_resumes_by_them(tmp_path: Path) -> None:
    """Three sides, cards face down, discards; the user's file is not needed again."""
    house = tmp_path / "house.toml"
    house.write_text("preset = 'bela3'\nmust_beat = 'all'\nlast_trick = 20")
    rules = load_rules(str(house), target=500)
    whole, part = (train.run(tiny(rules=str(house), target=500, iterations=n), name=f"of{n}") for n in (3, 2))
    house.unlink()
    resumed = train.run(f"{part}/config.toml", ["iterations=3"], resume=part)
    first, second = (load_file(folder / "resume.safetensors") for folder in (whole, resumed))
    assert all(np.array_equal(tensor, second[name]) for name, tensor in first.items())
    _, manifest = load_checkpoint(resumed, rules)
    assert manifest.rules == rules
    assert manifest.training["config"]["rules"] == {"preset": "bela3", "must_beat": "all", "last_trick": 20}
    with pytest.raises(ConfigError, match="rules: 'bela3', but the run to resume has {'preset': 'bela3'"):
        train.run(f"{part}/config.toml", ["rules=bela3"], resume=part)
    agent = agents.make(f"policy:{resumed}", load_rules("bela3", must_beat="all", last_trick=20, target=701))
    assert play_duplicate(rules, agent, agent, 3).results.size == 18


def test_speed_counts_the_time_that_saving_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 0.0

    def takes(duration: float, result: dict[str, float]) -> Callable[[trainer.Trainer], dict[str, float]]:
        def act(self: trainer.Trainer) -> dict[str, float]:
            nonlocal seconds
            seconds += duration
            return dict(result)

        return act

    monkeypatch.setattr(trainer, "time", SimpleNamespace(perf_counter=lambda: seconds))
    monkeypatch.setattr(trainer.Trainer, "improve", takes(1, {"decisions": 22}))
    monkeypatch.setattr(trainer.Trainer, "evaluate", takes(0, {}))
    monkeypatch.setattr(trainer.Trainer, "save", takes(10, {}))
    folder = train.run(tiny(iterations=3, imitation={}), name="slow")
    speeds = EventAccumulator(str(folder)).Reload().Scalars("speed/decisions")
    assert [event.value for event in speeds] == [22, 2, 2], "a save counts for the next iteration"


def test_other_seeds_learn_otherwise() -> None:
    first, second = (train.run(tiny(iterations=2, seed=seed), name=f"seed{seed}") for seed in (0, 1))
    assert (first / "policy.safetensors").read_bytes() != (second / "policy.safetensors").read_bytes()


def test_ctrl_c_finishes_the_iteration_and_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: trainer.Trainer) -> dict[str, float]:
        os.kill(os.getpid(), signal.SIGINT)
        return imitate(self)

    imitate = trainer.Trainer.imitate
    monkeypatch.setattr(trainer.Trainer, "imitate", interrupt)
    before = signal.getsignal(signal.SIGINT)  # ignored where a shell runs the tests in the background
    folder = train.run(tiny(), name="stopped")
    assert sorted(scalars(folder)["loss/value"]) == [1]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_run_starts_from_committed_weights() -> None:
    first = train.run(tiny(iterations=1), name="first")
    still = {"learning_rate": 0, "minibatch": 256}
    second = train.run(tiny(iterations=1, init=str(first), imitation={}, ppo=still), name="second")
    assert (first / "policy.safetensors").read_bytes() == (second / "policy.safetensors").read_bytes()
    with pytest.raises(ConfigError, match="init: runs/first has a network of"):
        train.run(tiny(init="runs/first", network={}), name="third")


def test_runs_are_not_overwritten_or_mixed() -> None:
    folder = train.run(tiny(iterations=1), name="taken")
    with pytest.raises(ConfigError, match="runs/taken: this run exists; go on with it by --resume runs/taken"):
        train.run(tiny(iterations=1), name="taken")
    with pytest.raises(ConfigError, match="seed: 7, but the run to resume has 0"):
        train.run(tiny(iterations=1, seed=7), resume=folder)
    with pytest.raises(ConfigError, match="runs/none: no training run"):
        train.run(tiny(iterations=1), resume="runs/none")
    resume = folder / "resume.safetensors"
    tensors = load_file(resume)
    del tensors[next(name for name in tensors if ".weights." in name)]
    for damaged in (
        save(tensors, metadata={"progress": json.dumps({"iteration": -1})}),
        save(tensors, metadata={"progress": "{}"}),
        resume.read_bytes()[:1000],
    ):
        resume.write_bytes(damaged)
        with pytest.raises(ConfigError, match=r"resume\.safetensors: damaged") as caught:
            train.run(tiny(iterations=1), resume=folder)
        assert "\n" not in str(caught.value)
    resume.unlink()
    with pytest.raises(ConfigError, match="runs/taken: exists, but holds nothing to resume"):
        train.run(tiny(iterations=1), name="taken")
    for name in ("../mine", "..", ""):
        with pytest.raises(ConfigError, match=f"--name {name}: give the name"):
            train.run(tiny(iterations=1), name=name)


def _content(folder: Path) -> dict[str, bytes]:
    """All files of a run but its curves."""
    files = (path for path in folder.rglob("*") if path.is_file() and "tfevents" not in path.name)
    return {str(path): path.read_bytes() for path in files}


def test_a_resume_that_is_refused_leaves_the_run_as_it_is() -> None:
    """It had ended; nothing of it is deleted or written anew before all has been read."""
    folder = train.run(tiny(iterations=2, imitation={}), name="ended")
    resume = folder / "resume.safetensors"
    whole = resume.read_bytes()
    tensors = load(whole)
    with safe_open(resume, "pt") as file:
        progress = json.loads(file.metadata()["progress"])
    weights, step, moment = (
        next(name for name in tensors if name.startswith(start) and name.endswith(end))
        for start, end in (("policy.weights", ""), ("critic.optimizer", ".step"), ("policy.optimizer", ".exp_avg"))
    )

    def refused(content: bytes | None = None) -> None:
        if content is not None:
            resume.write_bytes(content)
        before = _content(folder)
        with pytest.raises(ValueError, match=r"runs/ended/") as caught:
            train.run(f"{folder}/config.toml", ["iterations=4"], resume=folder)
        assert "\n" not in str(caught.value)
        assert _content(folder) == before
        assert (folder / "learner.safetensors").exists()

    text = json.dumps(progress)
    for wrong in (
        {weights: torch.full_like(tensors[weights], torch.nan)},
        {weights: tensors[weights].double()},
        {step: torch.tensor(1e30)},
        {step: torch.tensor(-1.0)},
        {step: torch.ones(2)},
        {moment: tensors[moment].half()},
        {moment: tensors[moment][:1]},
        {"policy.optimizer.99.step": torch.tensor(1.0)},
        {"diary": torch.ones(1)},
    ):
        refused(save(tensors | wrong, metadata={"progress": text}))
    refused(save({name: tensor for name, tensor in tensors.items() if name != moment}, metadata={"progress": text}))
    for key, value in (
        ("iteration", 1 << 70), ("seconds", 1e308), ("seconds", float("inf")), ("imitated", 3),
        ("past", [7]), ("margins", {"rules": [float("nan"), 1]}),
    ):  # fmt: skip
        refused(save(tensors, metadata={"progress": json.dumps(progress | {key: value})}))
    resume.unlink()
    os.mkfifo(resume)
    with pytest.raises(ConfigError, match=r"resume\.safetensors: .*: this is no ordinary file"):
        train.run(f"{folder}/config.toml", resume=folder)
    resume.unlink()
    resume.write_bytes(whole)
    (folder / "checkpoints").rename("elsewhere")
    refused()
    Path("elsewhere").rename(folder / "checkpoints")
    train.run(f"{folder}/config.toml", ["iterations=3"], resume=folder)


def test_weights_that_are_no_numbers_are_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(self: trainer.Trainer) -> dict[str, float]:
        metrics = improve(self)
        if self.progress.iteration == 2:
            next(self.policy.parameters()).data[0] = float("nan")
        return metrics

    improve = trainer.Trainer.improve
    monkeypatch.setattr(trainer.Trainer, "improve", spoil)
    with pytest.raises(trainer.TrainingError, match=r"iteration 3: .* no longer finite; lower ppo\.learning_rate"):
        train.run(tiny(), name="wild")
    assert all(weights.isfinite().all() for weights in load_file("runs/wild/policy.safetensors").values())


def test_a_training_goes_on_when_nobody_reads_what_it_says() -> None:
    Path("tiny.toml").write_text(toml_of(tiny(iterations=1)), encoding="utf-8")
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{sys.executable} -m train.cli train tiny.toml --name '[x]' 2>&1 | true"],
        env={**os.environ, "PYTHONPATH": str(Path(train.__file__).parents[1])},
        timeout=300,
    )
    assert done.returncode == 0
    assert Path("runs/[x]/policy.safetensors").exists()


def test_the_key_of_a_wrong_agent_is_named() -> None:
    for section, values in (
        ("imitation", {"agent": "ruels"}),
        ("evaluation", {"agents": ["ruels"]}),
        ("league", {"opponents": {"ruels": 0.1}}),
    ):
        with pytest.raises(ConfigError, match=rf"^{section}\..*: no agent is named 'ruels'"):
            train.run(tiny(**{section: values}), name="wrong")


def test_a_stage_goes_on_with_the_learner_of_the_one_before() -> None:
    """Critic and optimizers, whoever else sits at the tables: it knows nothing of new agents."""
    first = train.run(tiny(iterations=3), name="first")
    assert load_file(first / "learner.safetensors").keys() == {
        name for name in load_file(first / "resume.safetensors") if not name.startswith("policy.weights.")
    }
    ended = trainer.Trainer(tiny(), first)
    ended.restore()
    league = {"opponents": {"random": 0.2, "seer": 0.1}, "partners": {"rules": 0.1}}
    next_stage = trainer.Trainer(tiny(init=str(first), imitation={}, league=league), Path("runs/second"))
    before, after = ended.learner.tensors(), next_stage.learner.tensors()
    assert before.keys() == after.keys()
    assert {name for name in before if not torch.equal(before[name], after[name])} == {
        "critic.weights.trunk.first.weight",
        "critic.optimizer.0.exp_avg",
        "critic.optimizer.0.exp_avg_sq",
    }
    observed, agents_before = ended.rules.oracle.size, len(ended.league.agents)
    assert (ended.league.agents, next_stage.league.agents) == (("rules", "random"), ("random", "seer", "rules"))
    same = torch.rand(8, observed)
    for seat in range(3):
        for spec in ("rules", "random"):
            inputs = []
            for trained in (ended, next_stage):
                told = torch.zeros(8, 3, len(trained.league.agents))
                told[:, seat, trained.league.agents.index(spec)] = 1
                inputs.append(torch.cat([same, told.flatten(1)], 1))
            values = ended.learner.critic(inputs[0]), next_stage.learner.critic(inputs[1])
            assert torch.allclose(*values, atol=1e-6)
    assert agents_before == 2


def test_a_learner_that_does_not_fit_is_refused() -> None:
    first = train.run(tiny(iterations=1, imitation={}), name="first")
    size = tiny().network.model_dump()
    other = {**size, "critic": {"width": 16, "blocks": 1}}
    with pytest.raises(
        ConfigError, match=r"^init: runs/first/learner\.safetensors does not fit: .* give network\.critic"
    ):
        train.run(tiny(init="runs/first", network=other), name="second")
    (first / "learner.safetensors").write_bytes(b"{}")
    with pytest.raises(ConfigError, match=r"^init: runs/first/learner\.safetensors is damaged"):
        train.run(tiny(init="runs/first"), name="second")
    (first / "learner.safetensors").write_bytes(save({}))
    assert not any(
        name.startswith("critic.optimizer")
        for name in trainer.Trainer(tiny(init="runs/first"), Path("runs/second")).learner.tensors()
    )
    assert not Path("runs/second").exists()


def test_an_anchored_run_resumes_to_the_same_weights() -> None:
    """The anchor is the policy of `init`, not that of the resume."""
    first = train.run(tiny(iterations=1), name="first")
    still = {"learning_rate": 1e-3, "critic_learning_rate": 1e-3, "entropy_cards": 0.01, "entropy_calls": 0.01}
    stage = {"init": str(first), "imitation": {}, "ppo": {"minibatch": 256, "anchor": 0.5, **still}}
    whole, part = (train.run(tiny(iterations=n, **stage), name=f"of{n}") for n in (3, 2))
    resumed = train.run(tiny(iterations=3, **stage), resume=part)
    assert load_file(whole / "resume.safetensors").keys() == load_file(resumed / "resume.safetensors").keys()
    assert (whole / "policy.safetensors").read_bytes() == (resumed / "policy.safetensors").read_bytes()
    for name in ("anchor/calls", "anchor/cards"):
        assert all(value > 0 for value in scalars(resumed)[name].values())
    with pytest.raises(ConfigError, match=r"ppo\.anchor: it is the policy of init"):
        tiny(ppo={"anchor": 0.1})


@pytest.mark.parametrize("iterations", [2, 3])
def test_a_run_that_goes_on_after_its_end_has_not_ended(iterations: int) -> None:
    folder = train.run(tiny(iterations=1, imitation={}), name="short")
    assert (folder / "learner.safetensors").exists()

    def look(self: trainer.Trainer) -> None:
        save(self)
        saved.append(self.progress.iteration)
        assert not (folder / "learner.safetensors").exists(), "that of the weights before is gone"

    save, saved = trainer.Trainer.save, list[int]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainer.Trainer, "save", look)
        train.run(tiny(iterations=iterations, imitation={}), resume=folder)
    assert saved[-1] == iterations
    assert (folder / "learner.safetensors").exists()

"""A distillation can be killed and resumed to the same weights, and says what is wrong with a config."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load, load_file, save
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import agents
from agents.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from blot_env import RULESETS, load_rules
from train.distillation.config import DistillationConfig
from train.distillation.trainer import Distillation, run
from train.folders import LEARNER
from train.learner_file import read_left, write_learner
from train.loop import TrainingError
from train.settings import ConfigError, check_settings, toml_of

SMALL = NetworkSize(cards=TrunkSize(width=16, blocks=1), auction=TrunkSize(width=16, blocks=0))


def tiny(preset: str = "bazar", **changes: Any) -> DistillationConfig:
    """A distillation of a second or two; its policy is untrained."""
    rules = load_rules(preset)
    torch.manual_seed(3)
    save_checkpoint(Path(f"init-{preset}"), PolicyNetwork(rules, SMALL), rules, {})
    values = {
        "rules": preset,
        "iterations": 4,
        "threads": 1,
        "save_every": 1,
        "init": f"init-{preset}",
        "teacher": {"width": 16, "blocks": 1},
        "deals": {"tables": 8},
        "labels": {"positions": [0, 0, 0, 1]},
        "learning": {"minibatch": 32, "memory": 150},
        "evaluation": {"every": 2, "boards": 2, "agents": ["random"]},
    }
    return check_settings(DistillationConfig, values | changes)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "preset",
    [name if name in ("duel", "bela3") else pytest.param(name, marks=pytest.mark.slow) for name in RULESETS],
)
def test_every_game_can_be_distilled(preset: str) -> None:
    folder = run(tiny(preset, iterations=2), name="run")
    rules = load_rules(preset)
    policy, manifest = load_checkpoint(folder, rules)
    before, _ = load_checkpoint(f"init-{preset}", rules)
    assert not torch.equal(policy.cards_head.weight, before.cards_head.weight)
    assert torch.equal(policy.auction_head.weight, before.auction_head.weight)
    assert manifest.training["positions"] > 0
    assert agents.make(f"policy:{folder}", rules).name == f"policy:{folder}"
    curves = EventAccumulator(str(folder)).Reload()
    steps = {tag: [event.step for event in curves.Scalars(tag)] for tag in curves.Tags()["scalars"]}
    assert steps["evaluation/random"] == [0, 2]
    assert steps["policy/gain"] == steps["loss/labels"] == steps["speed/positions"] == [1, 2]


@pytest.mark.parametrize("labels", [{}, {"worlds": 2, "candidates": 2, "weights": "policy"}])
def test_a_killed_run_resumes_to_the_same_weights(labels: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny(labels={"positions": [0, 0, 0, 0, 1], **labels})
    whole = run(config, name="whole")

    class Killed(BaseException):
        pass

    def die(self: Distillation) -> dict[str, float]:
        metrics = improve(self)
        if self.progress.iteration == 2:
            raise Killed
        return metrics

    improve = Distillation.improve
    with monkeypatch.context() as patch:
        patch.setattr(Distillation, "improve", die)
        with pytest.raises(Killed):
            run(config, name="killed")
    resumed = run("runs/killed/config.toml", resume="runs/killed")
    first, second = (load_file(folder / "resume.safetensors") for folder in (whole, resumed))
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert np.array_equal(tensor, second[name]), name
    assert len(first["memory.legal"]) == 150


def test_a_stage_that_has_ended_hands_the_critic_on() -> None:
    config = tiny(iterations=1)
    critic = {"critic.weights.head.bias": torch.ones(1)}
    write_learner(Path("init-bazar"), {**critic, "policy.optimizer.0.step": torch.zeros(1)}, ["rules"])
    folder = run(config, name="handed")
    assert read_left(folder) == (critic, ["rules"])
    (Path("init-bazar") / LEARNER).write_bytes(b"nothing")
    with pytest.raises(ConfigError, match=r"learner\.safetensors is damaged"):
        run(config)


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    config = tiny(iterations=1)
    text = toml_of(config)
    for line, error in (
        ("init = 3", "init: input should be a valid string, not 3"),
        ("labels.position = [1]", "labels.position: there is no such key (did you mean 'labels.positions'?)"),
        ("labels.positions = [1.5]", "labels.positions: input should be less than or equal to 1, not 1.5"),
        ("labels.positions = [0]", "labels.positions: of no trick is a position labelled"),
        ("learning.temperature = 0", "learning.temperature: input should be greater than 0, not 0"),
        ("iterations = 0", "give minutes or iterations: a training has to end"),
        ('stage = "self-play"', "stage: input should be 'distillation', not 'self-play'"),
    ):
        key = line.split(" = ")[0]
        lines = [own for own in text.splitlines() if not own.startswith(f"{key} ")]
        Path("wrong.toml").write_text("\n".join([*lines, line]))
        with pytest.raises(ConfigError, match=re.escape(f"wrong.toml: {error}")):
            run("wrong.toml")
    Path("none.toml").write_text("\n".join(own for own in text.splitlines() if not own.startswith("init ")))
    with pytest.raises(ConfigError, match=r"init: field required"):
        run("none.toml")
    with pytest.raises(CheckpointError, match="nowhere"):
        run(tiny(init="nowhere"))
    with pytest.raises(CheckpointError, match="init-bazar: "):
        run(tiny("duel", init="init-bazar"))
    with pytest.raises(ConfigError, match=r"evaluation\.agents: no agent is named 'ruels'"):
        run(tiny(evaluation={"agents": ["ruels"]}))
    folder = run(config, name="taken")
    with pytest.raises(ConfigError, match="runs/taken: this run exists"):
        run(config, name="taken")
    with pytest.raises(ConfigError, match=r"learning\.temperature: 2\.0, but the run to resume has 0\.5"):
        run("runs/taken/config.toml", ["learning.temperature=2.0"], resume=folder)
    resume = folder / "resume.safetensors"
    resume.write_bytes(resume.read_bytes()[:1000])
    with pytest.raises(ConfigError, match=r"resume\.safetensors: damaged"):
        run("runs/taken/config.toml", resume=folder)


def test_a_tampered_resume_file_is_refused() -> None:
    folder = run(tiny(iterations=1), name="mine")
    resume = folder / "resume.safetensors"
    tensors = load(resume.read_bytes())
    progress = {"progress": '{"iteration": 1}'}
    resume.write_bytes(save(tensors, metadata=progress))
    Distillation(tiny(), folder).restore()
    for wrong in (
        {"memory.values": tensors["memory.values"].float()},
        {"memory.values": torch.full_like(tensors["memory.values"], torch.inf)},
        {"memory.points": tensors["memory.points"][:1]},
        {"memory.inputs": tensors["memory.inputs"][:, 1:].contiguous()},
        {"memory.legal": torch.zeros_like(tensors["memory.legal"])},
        {"memory.more": torch.ones(1)},
        {"more": torch.ones(1)},
    ):
        resume.write_bytes(save(tensors | wrong, metadata=progress))
        with pytest.raises(ConfigError, match=r"resume\.safetensors: damaged"):
            run("runs/mine/config.toml", ["iterations=2"], resume=folder)
        assert (folder / LEARNER).exists()


def test_weights_that_are_no_numbers_are_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(self: Distillation) -> dict[str, float]:
        metrics = improve(self)
        if self.progress.iteration == 1:
            next(self.learner.teacher.parameters()).data[0] = float("nan")
        return metrics

    improve = Distillation.improve
    monkeypatch.setattr(Distillation, "improve", spoil)
    with pytest.raises(TrainingError, match=r"iteration 2: .* no longer finite; lower learning\.learning_rate"):
        run(tiny(), name="wild")
    assert all(weights.isfinite().all() for weights in load_file("runs/wild/resume.safetensors").values())

"""A pipeline runs its stages one after the other, may be killed anywhere, and keeps only what has not become worse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

import train
from agents.checkpoint import CheckpointError, load_checkpoint
from agents.resources import shipped
from blot_env import load_rules
from train import pipeline, trainer
from train.config import Config
from train.contract_values import ContractValuesConfig
from train.contract_values.export import VALUE_FILES
from train.distillation.config import DistillationConfig
from train.pipeline import Pipeline, PipelineConfig
from train.settings import ConfigError, check_settings, read_settings, toml_of


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_stage(name: str, **changes: Any) -> str:
    """Write the config of a stage of a second or less."""
    size = {"width": 16, "blocks": 0}
    values = {
        "rules": "duel",
        "iterations": 2,
        "threads": 1,
        "save_every": 1,
        "network": {"cards": size, "auction": size, "critic": size},
        "rollout": {"tables": 16, "forced_contracts": 0.0},
        "ppo": {"minibatch": 64},
        "league": {"past": 0.0, "opponents": {}, "partners": {}},
        "evaluation": {"every": 100, "boards": 2, "agents": ["random"]},
    }
    path = Path(f"{name}.toml")
    path.write_text(toml_of(check_settings(Config, values | changes)), encoding="utf-8")
    return str(path)


def write_other_stages() -> tuple[str, str]:
    """Write a distillation and contract values."""
    distillation = {
        "rules": "duel",
        "iterations": 1,
        "threads": 1,
        "init": "the stage before",
        "teacher": {"width": 16, "blocks": 0},
        "deals": {"tables": 8, "forced_contracts": 0.0},
        "labels": {"positions": [0, 0, 0, 0, 0, 1]},
        "learning": {"minibatch": 16},
        "evaluation": {"boards": 2, "agents": []},
    }
    values = {
        "rules": "duel",
        "iterations": 1,
        "threads": 1,
        "deals": 10,
        "network": {"width": 16},
        "agent": "random",
        "forced_contracts": 0.0,
    }
    Path("distil.toml").write_text(toml_of(check_settings(DistillationConfig, distillation)))
    Path("values.toml").write_text(toml_of(check_settings(ContractValuesConfig, values)))
    return "distil.toml", "values.toml"


def settings(*stages: str, **changes: Any) -> PipelineConfig:
    """A pipeline that measures little."""
    values = {"keep": {"boards": 10}, "results": {"agents": {"random": 4}, "parts": 6}}
    return check_settings(PipelineConfig, {"stages": list(stages)} | values | changes)


def files(folder: Path) -> dict[str, bytes]:
    """What a run leaves, but for curves and for how long it took."""
    kept = ("results.json", "policy.safetensors", "learner.safetensors")
    return {str(path.relative_to(folder)): path.read_bytes() for name in kept for path in folder.rglob(name)}


def test_a_pipeline_that_is_killed_everywhere_equals_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    config = settings(write_stage("first"), write_stage("second", ppo={"minibatch": 64, "anchor": 0.1}, init="x"))
    whole = train.run(config, name="whole")

    class Killed(BaseException):
        pass

    died: set[tuple[Any, ...]] = set()

    def dying(work: Callable[..., Any], place: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
        def act(*args: Any) -> Any:
            if (here := place(*args)) not in died:
                died.add(here)
                raise Killed
            return work(*args)

        return act

    improve, play, hand_on = trainer.Trainer.improve, pipeline.play_duplicate, Pipeline._hand_on
    monkeypatch.setattr(trainer.Trainer, "improve", dying(improve, lambda self: (self.folder, self.progress.iteration)))
    monkeypatch.setattr(pipeline, "play_duplicate", dying(play, lambda *args: (args[1].name, *args[3:])))
    monkeypatch.setattr(Pipeline, "_hand_on", dying(hand_on, lambda *_: ("the end",)))
    with pytest.raises(Killed):
        train.run(config, name="killed")
    killed = Path("runs/killed")
    while not (killed / "learner.safetensors").exists():
        try:
            train.run(f"{killed}/config.toml", resume=killed)
        except Killed:
            continue
    assert len(died) == 2 * 2 + 1 + 4 + 1  # iterations, figures of each stage, the end
    before = {name: content.replace(b"whole", b"killed") for name, content in files(whole).items()}
    assert before == files(killed)
    assert len(before) == 1 + 3 + 3


@pytest.mark.slow
def test_stages_of_all_kinds_follow_each_other() -> None:
    """The critic is handed on by those that have none, and contract values leave the policy as it is."""
    first = write_stage("first", iterations=1, league={"past": 0.0, "opponents": {"random": 0.2}, "partners": {}})
    last = write_stage("last", iterations=1, ppo={"minibatch": 64, "anchor": 0.1}, init="the stage before")
    stages = (first, *write_other_stages(), last)
    folder = train.run(settings(*stages, keep={"boards": 10, "tolerance": 1000.0}), name="mine")
    found = json.loads((folder / "results.json").read_text())["stages"]
    before = [None, *(f"runs/mine/{stage}" for stage in ("first", "distil", "values"))]
    assert [each["init"] for each in found.values()] == before
    assert found["distil"]["measured"]["before"]["n"] == 10
    assert found["values"]["measured"].keys() == {"against random"}, "by its calls, whose cards are those of the rules"
    for file in VALUE_FILES:
        assert (folder / file).read_bytes() == (folder / "values" / file).read_bytes(), "handed on, too"
    critics = [load_file(folder / stage / "learner.safetensors") for stage in ("first", "distil", "values")]
    for name, tensor in critics[0].items():
        if name.startswith("critic."):
            assert all(torch.equal(tensor, critic[name]) for critic in critics[1:])


def test_a_stage_that_got_worse_is_not_kept(capsys: pytest.CaptureFixture[str]) -> None:
    learns = {"iterations": 8, "rollout": {"tables": 96, "forced_contracts": 0.0}}
    rates = {"learning_rate": 1e-2, "critic_learning_rate": 1e-3, "iterations": 8}
    good = write_stage("good", **learns, imitation={"agent": "rules", **rates})
    worse = write_stage("worse", **learns, imitation={"agent": "random", **rates})
    still = write_stage("still", iterations=1, ppo={"minibatch": 64, "learning_rate": 0})
    folder = train.run(settings(good, worse, still, keep={"boards": 100}), name="mine")

    found = json.loads((folder / "results.json").read_text())["stages"]
    assert [each["kept"] for each in found.values()] == [True, False, True]
    assert [each["init"] for each in found.values()] == [None, "runs/mine/good", "runs/mine/good"]
    assert found["worse"]["measured"]["before"]["high"] < 0
    assert found["still"]["measured"] == {}, "the same weights"
    assert (folder / "policy.safetensors").read_bytes() == (folder / "good" / "policy.safetensors").read_bytes()
    load_checkpoint(folder, load_rules("duel"))

    shown = capsys.readouterr().out
    rows = {line.split()[0]: line.split() for line in shown.splitlines() if line.strip()}
    assert rows["worse"][1] == "good"
    assert (rows["good"][-1], rows["worse"][-1], rows["still"][-1]) == ("yes", "no", "yes")
    assert "… by the auction" in shown


def test_an_interrupted_stage_ends_the_pipeline(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    config = settings(write_stage("first"), write_stage("second"))
    monkeypatch.setattr(trainer.Trainer, "done", property(lambda self: self.progress.iteration / 3))  # not over
    monkeypatch.setattr(trainer, "interruptible", _interrupted)
    folder = train.run(config, name="mine")
    assert not (folder / "second").exists()
    assert f"to go on: blot train --resume {folder}" in capsys.readouterr().err


class _interrupted:
    def __enter__(self) -> "_interrupted":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def is_set(self) -> bool:
        return True


def test_a_damaged_learner_is_not_handed_on() -> None:
    folder = train.run(settings(write_stage("first")), name="mine")
    whole = files(folder)
    (folder / "first" / "learner.safetensors").write_bytes(b"junk")
    with pytest.raises(ConfigError, match=r"first/learner\.safetensors: damaged, so it is not handed on"):
        train.run(f"{folder}/config.toml", resume=folder)
    assert (folder / "learner.safetensors").read_bytes() == whole["learner.safetensors"]


def test_what_is_wrong_is_said_before_anything_runs() -> None:
    first = write_stage("first")
    for stages, message in (
        ([], "stages: .* at least 1 item"),
        ([first, "sub/first.toml"], "stages: two of them are named first"),
        ([first, "none.toml"], "there is no none.toml"),
        ([first, write_stage("other", rules="bazar")], "stages: other.toml is for bazar, the first one for duel"),
    ):
        with pytest.raises(ConfigError, match=message):
            train.run(settings(*stages), name="mine")
    Path("broken.toml").write_text("stage = 'self-play'\nminutes = 1\n[ppo]\nclips = 1")
    with pytest.raises(ConfigError, match=r"broken\.toml: ppo\.clips: there is no such key"):
        train.run(settings(first, "broken.toml"), name="mine")
    Path("both.toml").write_text(toml_of(settings(first)))
    with pytest.raises(ConfigError, match=r"stages: both\.toml is a pipeline, too"):
        train.run(settings(first, "both.toml"), name="mine")
    with pytest.raises(ConfigError, match=r"results\.agents: no agent is named 'ruels'"):
        train.run(settings(first, results={"agents": {"ruels": 2}}), name="mine")
    with pytest.raises(ConfigError, match="--ray: a cluster plays the rollouts of self-play, and this is"):
        train.run(settings(first), ray="auto")
    with pytest.raises(ConfigError, match=r"results\.parts: one board has no interval: give 0, or 2 or more, not 1"):
        settings(first, results={"parts": 1})
    for name in ("config.toml", "results.json", "learner.safetensors", "values.onnx"):
        with pytest.raises(ConfigError, match=f"stages: sub/{name}.toml: a stage cannot be named {name}, as a file"):
            settings(first, f"sub/{name}.toml")
    with pytest.raises(CheckpointError, match="nowhere"):
        train.run(settings(first, init="nowhere"), name="mine")
    assert not Path("runs").exists()

    folder = train.run(settings(first), name="mine")
    with pytest.raises(ConfigError, match=f"{folder}: this run exists; go on with it by --resume {folder}"):
        train.run(settings(first), name="mine")
    with pytest.raises(ConfigError, match=r"keep\.boards: 12, but the run to resume has 10"):
        train.run(f"{folder}/config.toml", ["keep.boards=12"], resume=folder)
    points = [f'{{"mean": 1, "low": {low}, "high": 2, "sd": 3, "n": 4}}' for low in ('"-1"', "null", "NaN")]
    for damaged in (
        "{", "{}", '{"stages": {"first": {}}}', '{"stages": []}', '{"stages": {"first": {"init": 3}}}',
        *(f'{{"stages": {{"first": {{"init": null, "measured": {{"before": {each}}}}}}}}}' for each in points),
        '{"stages": {"first": {"init": null, "kept": false}}}',
    ):  # fmt: skip
        (folder / "results.json").write_text(damaged)
        with pytest.raises(ConfigError, match=r"runs/mine/results\.json: damaged"):
            train.run(f"{folder}/config.toml", resume=folder)


def test_later_stages_are_checked_before_the_first_one_is_trained() -> None:
    first, size = write_stage("first"), {"width": 24, "blocks": 0}
    _, values = write_other_stages()
    small = {"cards": {"width": 16, "blocks": 0}, "auction": {"width": 16, "blocks": 0}}
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("agent", {"evaluation": {"agents": ["ruels"]}}, r"evaluation\.agents: no agent is named 'ruels'"),
        ("league", {"league": {"opponents": {"policy:nowhere": 0.1}}}, "league: .*nowhere"),
        ("policy", {"network": {**small, "cards": size, "critic": small["cards"]}}, "has a network of .*width=24"),
        ("critic", {"network": {**small, "critic": size}}, "has a network of .*width=24"),
    ]
    if not torch.cuda.is_available():
        wrong.append(("device", {"device": "cuda"}, "device: 'cuda', but torch finds no such device"))
    for name, changes, message in wrong:
        with pytest.raises(ConfigError, match=rf"stages: {name}\.toml:? {message}"):
            train.run(settings(first, write_stage(name, **changes)), name="mine")
    with pytest.raises(ConfigError, match=r"stages: values\.toml needs a policy to start from, so give init"):
        train.run(settings(values, first), name="mine")
    assert not Path("runs").exists()


def test_what_was_trained_is_never_removed() -> None:
    """Not even where the files are gone that say how far it has come."""
    folder = train.run(settings(write_stage("first", iterations=1)), name="mine")
    stage = folder / "first"
    (stage / "notes.txt").write_text("mine")
    for name in ("resume.safetensors", "learner.safetensors"):
        (stage / name).unlink()
    whole = sorted(path.name for path in stage.iterdir())
    train.run(f"{folder}/config.toml", resume=folder)  # what was measured had ended
    (folder / "results.json").write_text('{"stages": {}}')
    with pytest.raises(ConfigError, match=f"{stage}: holds manifest.json, but neither learner.safetensors of a run"):
        train.run(f"{folder}/config.toml", resume=folder)
    assert sorted(path.name for path in stage.iterdir()) == whole
    for name in ("manifest.json", "policy.safetensors", "notes.txt"):
        (stage / name).unlink()
    train.run(f"{folder}/config.toml", resume=folder)  # as if it had been killed before it was saved
    assert (stage / "learner.safetensors").exists()


@pytest.mark.parametrize("name", [name for name in shipped() if name.endswith("/pipeline.toml")])
def test_pipelines_that_ship_are_valid(name: str) -> None:
    rules = Pipeline(read_settings(PipelineConfig, name), Path("runs/none")).rules
    assert rules.name == Path(name).parent.name


def test_a_seed_is_that_of_all_stages() -> None:
    config = settings(write_stage("first", iterations=1), write_stage("second", iterations=1), seed=5)
    folder = train.run(config, name="mine")
    for stage in ("first", "second"):
        assert "\nseed = 5\n" in (folder / stage / "config.toml").read_text()


@pytest.mark.parametrize("path", ["...toml", "..toml"])
def test_a_stage_is_no_folder_above(path: str) -> None:
    with pytest.raises(ValueError, match="begins with no dot"):
        PipelineConfig(stages=(path,))

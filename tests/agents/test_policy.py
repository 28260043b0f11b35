"""Checkpoints are loaded whole and fitting or not at all; a policy takes the likeliest legal action."""

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load, load_file, save

import agents
from agents.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from agents.manifest import Layout, file_digest
from agents.network import PolicyNetwork
from agents.policy import NetworkAgent
from agents.sizes import NetworkSize, TrunkSize
from blot_env import BatchEnv, load_rules

RULES = load_rules("bazar")
SMALL = NetworkSize(cards=TrunkSize(width=8, blocks=1), auction=TrunkSize(width=8, blocks=0))


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    folder = tmp_path / "mine"
    save_checkpoint(folder, PolicyNetwork(RULES, SMALL), RULES, {"iterations": 0})
    return folder


def edit(checkpoint: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    path = checkpoint / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


def test_a_checkpoint_keeps_the_weights_and_says_what_they_are_for(checkpoint: Path) -> None:
    policy, manifest = load_checkpoint(checkpoint, load_rules("bazar", target=301))
    saved = load_file(checkpoint / "policy.safetensors")
    assert all(torch.equal(saved[name], tensor) for name, tensor in policy.state_dict().items())
    assert manifest.rules == RULES
    assert (manifest.observation, manifest.actions) == (Layout.of(RULES.observation), Layout.of(RULES.actions))
    assert (manifest.network, manifest.training) == (SMALL, {"iterations": 0})
    assert not any("critic" in name for name in saved)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["observation"].update(version=99), "made for observation layout 99 of size .*, but this blot"),
        (lambda m: m["actions"].update(size=400), "made for action layout 1 of size 400, but this blot has layout 1"),
        (lambda m: m["rules"].update(max_number=24), "made for rules with max_number = 24, not 80"),
        (lambda m: m["rules"].update(name="bazaar"), r"manifest\.json: rules: no preset is named 'bazaar'.*'bazar'"),
        (lambda m: m["rules"].update(preset=1), r"manifest\.json: rules: there is no field 'preset'"),
        (lambda m: m.update(sha256="0" * 64), r"policy\.safetensors: its SHA-256 is not the one in manifest\.json"),
        (lambda m: m["network"]["cards"].update(width=16), r"policy\.safetensors: no weights of this network"),
        (lambda m: m["network"]["cards"].update(width=8192, blocks=64), "manifest.json has sizes of more weights than"),
        (lambda m: m["network"]["cards"].update(width=10**9), r"network\.cards\.width: Input should be less than"),
        (lambda m: m.pop("rules"), r"manifest\.json: rules: Field required"),
        (lambda m: m.update(format="blot-checkpoint/9"), r"manifest\.json: format: Input should be"),
    ],
)
def test_what_does_not_fit_is_refused(checkpoint: Path, change: Callable[[Any], Any], message: str) -> None:
    edit(checkpoint, change)
    with pytest.raises(CheckpointError, match=message) as error:
        load_checkpoint(checkpoint, RULES)
    assert "\n" not in str(error.value)
    assert str(checkpoint) in str(error.value)


def test_damaged_and_missing_files_are_refused(checkpoint: Path) -> None:
    weights = checkpoint / "policy.safetensors"
    content = weights.read_bytes()
    weights.write_bytes(content[:-1])
    with pytest.raises(CheckpointError, match="changed or cut short"):
        load_checkpoint(checkpoint, RULES)
    weights.write_bytes(b"no weights")
    edit(checkpoint, lambda manifest: manifest.update(sha256=file_digest(b"no weights")))
    with pytest.raises(CheckpointError, match="no weights of this network"):
        load_checkpoint(checkpoint, RULES)
    wild = load(content)
    next(iter(wild.values()))[0] = float("nan")
    weights.write_bytes(save(wild))
    edit(checkpoint, lambda manifest: manifest.update(sha256=file_digest(weights.read_bytes())))
    with pytest.raises(CheckpointError, match="no weights of this network: .* is not finite"):
        load_checkpoint(checkpoint, RULES)
    weights.unlink()
    os.mkfifo(weights)
    with pytest.raises(CheckpointError, match=r"policy\.safetensors: this is no ordinary file"):
        load_checkpoint(checkpoint, RULES)
    weights.unlink()
    with pytest.raises(CheckpointError, match="there is none; copy the whole folder"):
        load_checkpoint(checkpoint, RULES)
    (checkpoint / "manifest.json").write_text("{")
    with pytest.raises(CheckpointError, match=r"manifest\.json: Invalid JSON"):
        load_checkpoint(checkpoint, RULES)
    with pytest.raises(CheckpointError, match="there is no nowhere.*name the folder of a checkpoint"):
        load_checkpoint("nowhere", RULES)


def test_a_kill_at_any_moment_leaves_the_old_checkpoint_or_the_new_one(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    first, _ = load_checkpoint(checkpoint, RULES)
    second = PolicyNetwork(RULES, SMALL)
    replace, moves = Path.replace, 0

    def die(self: Path, target: Path) -> Path:
        nonlocal moves
        if moves == 0:
            raise Killed
        moves -= 1
        return replace(self, target)

    found = []
    for survived in range(4):
        save_checkpoint(checkpoint, first, RULES, {"written": "first"})
        with monkeypatch.context() as patch:
            moves = survived
            patch.setattr(Path, "replace", die)
            with contextlib.suppress(Killed):
                save_checkpoint(checkpoint, second, RULES, {"written": "second"})
        policy, manifest = load_checkpoint(checkpoint, RULES)
        written = {"first": first, "second": second}[manifest.training["written"]]
        assert all(torch.equal(tensor, policy.state_dict()[name]) for name, tensor in written.state_dict().items())
        found.append(manifest.training["written"])
    assert found == ["first", "first", "second", "second"]
    assert sorted(path.name for path in checkpoint.iterdir()) == ["manifest.json", "policy.safetensors"]


def test_the_spec_loads_a_checkpoint_and_says_why_it_cannot(checkpoint: Path) -> None:
    spec = f"policy:{checkpoint}"
    assert agents.make(spec, RULES).name == spec
    with pytest.raises(agents.SpecError, match="policy:nowhere.*there is no nowhere"):
        agents.make("policy:nowhere", RULES)
    with pytest.raises(agents.SpecError, match="needs its path"):
        agents.make("policy", RULES)


def test_the_policy_that_ships_can_be_used() -> None:
    policy, manifest = load_checkpoint("checkpoints/bazar", load_rules("bazar", target=301))
    assert policy.size == manifest.network


def test_the_likeliest_legal_action_is_taken_and_of_equals_the_lowest(checkpoint: Path) -> None:
    env = BatchEnv(RULES, 64, seed=1)
    _, mask, _ = env.reset()
    for _ in range(30):
        _, mask, *_ = env.step(env.sample(mask))
    decisions = env.decisions()
    policy, _ = load_checkpoint(checkpoint, RULES)
    agent = NetworkAgent("mine", policy)
    actions, logits = agent.act(decisions), agent.logits(decisions.observations)
    for action, row, legal in zip(actions, logits, decisions.masks, strict=True):
        best = max(row[legal > 0])
        assert legal[action]
        assert action == min(a for a in np.flatnonzero(legal) if row[a] == best)
    for parameter in policy.parameters():
        torch.nn.init.zeros_(parameter)
    assert (agent.act(decisions) == decisions.masks.argmax(1)).all()

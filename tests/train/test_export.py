"""Export: what is in the folder, and what is never overwritten."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.bot import load_bot
from agents.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from agents.manifest import file_digest
from agents.networks import read_manifest
from agents.resources import find
from agents.tiers import TierError, load_tier
from blot_env import RULESETS, Game, RuleSet, load_rules
from tests.renaming import moments
from tests.untrained import untrained_bot
from train.export import ExportError, export_bot, export_networks
from train.onnx_files import WeightsError


def test_the_manifest_names_everything(rules: RuleSet, checkpoint: Path, bot: Path) -> None:
    manifest = json.loads((bot / "manifest.json").read_text())
    assert sorted(path.name for path in bot.iterdir()) == ["README.md", "manifest.json", "policy.onnx"]
    assert manifest["files"] == {name: file_digest((bot / name).read_bytes()) for name in ("README.md", "policy.onnx")}
    assert manifest["rules"] == rules.model_dump(mode="json")
    assert manifest["observation"] == {"version": rules.observation.version, "size": rules.observation.size}
    assert manifest["actions"] == {"version": rules.actions.version, "size": rules.actions.size}
    assert manifest["tier"] == load_tier("hard").model_dump()
    assert manifest["rating"] == "unrated"
    assert manifest["policy"] == file_digest((checkpoint / "policy.safetensors").read_bytes())
    assert not any(str(checkpoint).encode() in path.read_bytes() for path in bot.iterdir()), (
        "a path is nobody's business"
    )


@pytest.mark.parametrize(
    "preset",
    [
        "bela3",
        "bazar-classic",
        *(pytest.param(name, marks=pytest.mark.slow) for name in RULESETS if name not in ("bela3", "bazar-classic")),
    ],
)
def test_a_bot_of_every_game_plays_as_its_policy(preset: str, tmp_path: Path) -> None:
    rules, rng = load_rules(preset, must_beat="all"), np.random.default_rng(0)
    own, bot = load_bot(untrained_bot(rules, 0, tmp_path))
    assert own == rules
    policy = agents.make(f"policy:{tmp_path / 'policy'}", rules)
    chosen = []
    for board in range(10):
        game = Game(rules, seed=2, board=board)
        for _ in moments(game, rng):
            chosen.append(int(bot.act(game.decision())[0]))
            assert chosen[-1] == policy.act(game.decision())[0]
    assert len(set(chosen)) > 20
    with pytest.raises(agents.SpecError, match='made for rules with must_beat = "all", not "trump"'):
        agents.make(f"bot:{tmp_path / 'bot'}", load_rules(preset))
    assert f"--rules {preset} --set rules.must_beat=all " in (tmp_path / "bot" / "README.md").read_text()


def test_networks_alone_become_a_bot_of_the_same(checkpoint: Path, bot: Path, tmp_path: Path) -> None:
    written = export_networks(checkpoint, tmp_path / "networks")
    assert [path.name for path in written] == ["README.md", "manifest.json", "policy.onnx"]
    assert (tmp_path / "networks" / "policy.onnx").read_bytes() == (bot / "policy.onnx").read_bytes()
    assert json.loads((tmp_path / "networks" / "manifest.json").read_text())["tier"] is None
    export_bot(checkpoint, "hard", tmp_path / "networks")
    assert load_bot(tmp_path / "networks")


def test_a_bot_of_the_networks_that_ship_is_made_without_torch(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from blot_env import load_rules\n"
        "from train.export import export_bot\n"
        f"export_bot(None, 'hard', Path({str(tmp_path / 'bot')!r}), load_rules('bazar'))\n"
        "print('torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    shipped = find("checkpoints/bazar/networks")
    assert (tmp_path / "bot" / "policy.onnx").read_bytes() == (shipped / "policy.onnx").read_bytes()
    assert read_manifest(tmp_path / "bot").policy == read_manifest(shipped).policy


def test_a_bot_is_replaced_by_a_new_one(checkpoint: Path, bot: Path, tmp_path: Path) -> None:
    (tmp_path / "mild.toml").write_text('calls = "network"\ncards = "network"\ntemperature = 0.5\ncap = 1.0')
    out = tmp_path / "bots" / "mine"
    shutil.copytree(bot, out)
    export_bot(checkpoint, tmp_path / "mild.toml", out)
    assert json.loads((out / "manifest.json").read_text())["tier"]["temperature"] == 0.5
    assert [path.name for path in out.parent.iterdir()] == ["mine"], "nothing else is left behind"


def test_a_folder_of_something_else_is_left_alone(checkpoint: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear reader")
    with pytest.raises(ExportError, match="no bot"):
        export_bot(checkpoint, "hard", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_only_a_bot_is_replaced(checkpoint: Path, bot: Path, tmp_path: Path) -> None:
    policy, annotated = tmp_path / "policy", tmp_path / "annotated"
    shutil.copytree(checkpoint, policy)
    shutil.copytree(bot, annotated)
    (annotated / "notes.txt").write_text("mine")
    for out in (policy, annotated):
        before = sorted(out.iterdir())
        with pytest.raises(ExportError, match="no bot"):
            export_bot(checkpoint, "hard", out)
        assert sorted(out.iterdir()) == before
    with pytest.raises(ExportError, match="holds"):
        export_bot(policy, "hard", policy)


def test_a_link_to_a_bot_stays_a_link(checkpoint: Path, bot: Path, tmp_path: Path) -> None:
    shutil.copytree(bot, tmp_path / "there")
    link = tmp_path / "here"
    link.symlink_to(tmp_path / "there")
    export_bot(checkpoint, "easy", link)
    assert link.is_symlink()
    assert json.loads((tmp_path / "there" / "manifest.json").read_text())["tier"]["name"] == "easy"


def test_rules_without_a_name_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy"
    shutil.copytree(checkpoint, policy)
    manifest = json.loads((policy / "manifest.json").read_text())
    del manifest["rules"]["name"]
    (policy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(CheckpointError, match=r"manifest\.json: rules: no preset"):
        export_bot(policy, "hard", tmp_path / "bot")


def test_what_cannot_be_read_leaves_no_folder(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(TierError):
        export_bot(checkpoint, "hrad", tmp_path / "bot")
    with pytest.raises(CheckpointError):
        export_bot(tmp_path / "nothing", "hard", tmp_path / "bot")
    assert list(tmp_path.iterdir()) == []


def test_a_policy_of_no_numbers_is_not_exported(rules: RuleSet, checkpoint: Path, tmp_path: Path) -> None:
    network, _ = load_checkpoint(checkpoint, rules)
    next(network.parameters()).data[0] = float("nan")
    save_checkpoint(tmp_path / "policy", network, rules, training={})
    with pytest.raises(WeightsError, match="no numbers"):
        export_bot(tmp_path / "policy", "hard", tmp_path / "bot")
    assert not (tmp_path / "bot").exists()

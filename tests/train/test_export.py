"""Export: what is in the folder, and what is never overwritten."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import agents
from agents.bot import load_bot
from agents.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from agents.digest import agent_digest
from agents.manifest import file_digest, of_game
from agents.match_odds import MATCH_ODDS, MatchOddsFile
from agents.networks import Rating, open_networks, read_manifest
from agents.resources import find
from agents.tiers import TierError, load_tier, tiers
from blot_env import RULESETS, Game, RuleSet, load_rules
from tests.renaming import moments
from tests.untrained import untrained_bot, untrained_values
from train import onnx_files
from train.export import ExportError, export_bot, export_networks, export_shipped_bot
from train.ratings import RatingsError, measured

_WRITTEN: dict[str, bytes] = {}


@pytest.fixture(autouse=True)
def _written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes seconds to make a graph of a policy: the same weights are written once."""
    write = onnx_files.write_graph

    def written(network: torch.nn.Module, columns: int, output: str, path: Path) -> None:
        digest = file_digest(b"".join(weights.detach().numpy().tobytes() for weights in network.parameters()))
        if digest in _WRITTEN:
            path.write_bytes(_WRITTEN[digest])
        else:
            write(network, columns, output, path)
            _WRITTEN[digest] = path.read_bytes()

    monkeypatch.setattr(onnx_files, "write_graph", written)


def test_the_manifest_names_everything(rules: RuleSet, checkpoint: Path, bot: Path) -> None:
    manifest = json.loads((bot / "manifest.json").read_text())
    assert sorted(path.name for path in bot.iterdir()) == ["README.md", "manifest.json", "policy.onnx"]
    assert manifest["files"] == {name: file_digest((bot / name).read_bytes()) for name in ("README.md", "policy.onnx")}
    assert manifest["rules"] == rules.model_dump(mode="json")
    assert manifest["observation"] == {"version": rules.observation.version, "size": rules.observation.size}
    assert manifest["actions"] == {"version": rules.actions.version, "size": rules.actions.size}
    assert manifest["tier"] == load_tier("hard").model_dump()
    assert manifest["rating"] is None
    assert manifest["policy"] == file_digest((checkpoint / "policy.safetensors").read_bytes())
    paths = [checkpoint, Path(agents.__file__).parents[1], Path(torch.__file__).parents[1]]
    assert not any(str(known).encode() in path.read_bytes() for path in bot.iterdir() for known in paths), (
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
        "from train.export import export_shipped_bot\n"
        f"export_shipped_bot(load_rules('bazar'), 'hard', Path({str(tmp_path / 'bot')!r}))\n"
        "print('torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    shipped = find("checkpoints/bazar/networks")
    assert (tmp_path / "bot" / "policy.onnx").read_bytes() == (shipped / "policy.onnx").read_bytes()
    assert read_manifest(tmp_path / "bot").policy == read_manifest(shipped).policy


def test_where_no_networks_ship_a_bot_has_knobs_alone(tmp_path: Path) -> None:
    rules = load_rules("bela3", must_beat="all")
    written = export_shipped_bot(rules, "crazy", tmp_path / "bot")
    assert [path.name for path in written] == ["README.md", "manifest.json"]
    own, bot = load_bot(tmp_path / "bot")
    assert own == rules
    assert bot.manifest.policy is None
    card = (tmp_path / "bot" / "README.md").read_text()
    assert "No network was trained for this game" in card
    assert "It was not measured." in card


def test_the_card_of_a_tier_that_was_measured_shows_what_was_found(
    rules: RuleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    networks = find("checkpoints/bazar/networks").resolve()
    (tmp_path / "checkpoints" / "bazar").mkdir(parents=True)
    (tmp_path / "checkpoints" / "bazar" / "networks").symlink_to(networks)
    won = {"mean": 0.651, "low": 0.57, "high": 0.72, "n": 320}
    found = {
        "digest": agent_digest(agents.make("tier:hard", rules)),
        "rating": 84,
        "low": 60,
        "high": 110,
        "matches": 640,
        "gate": [{"agents": ["tier:hard", "tier:normal"], "won": won}],
    }
    found |= {"time": {"mean": 0.0123, "p99": 0.081, "n": 900}}
    (tmp_path / "checkpoints" / "bazar" / "ratings.json").write_text(json.dumps({"hard": found}))
    monkeypatch.chdir(tmp_path)
    export_shipped_bot(rules, "hard", tmp_path / "bot")
    assert read_manifest(tmp_path / "bot").rating == Rating(rating=84, low=60, high=110, matches=640)
    card = (tmp_path / "bot" / "README.md").read_text()
    assert "Rating +84 (95 % +60 … +110)" in card
    assert "| hard over normal | 320 | 65.1% | 57.0% … 72.0% |" in card
    assert "12.3 ms on average" in card
    export_shipped_bot(rules, "easy", tmp_path / "other")
    assert read_manifest(tmp_path / "other").rating is None
    (tmp_path / "hard.toml").write_text('calls = "rules"\ncards = "rules"')
    export_shipped_bot(rules, tmp_path / "hard.toml", tmp_path / "own")
    assert read_manifest(tmp_path / "own").rating is None, "another tier of the same name"
    (tmp_path / "checkpoints" / "bazar" / "ratings.json").write_text("{")
    with pytest.raises(RatingsError, match="ratings.json"):
        export_shipped_bot(rules, "hard", tmp_path / "bot")


@pytest.mark.parametrize("preset", ["bazar", "duel"])
def test_bots_that_ship_are_the_tiers_as_they_stand(preset: str) -> None:
    """`make bots` was run after the last change of networks, tiers or ratings."""
    rules = load_rules(preset)
    networks = read_manifest(find(f"checkpoints/{preset}/networks"))
    for name in tiers():
        bot_folder = find(f"checkpoints/{preset}/bots/{name}")
        _, bot = load_bot(bot_folder)
        tier = load_tier(name, rules)
        found = measured(rules, tier)
        assert found is not None, "it was measured as it stands"
        assert bot.manifest.tier == tier.model_dump(mode="json")
        assert bot.manifest.policy == networks.policy
        assert bot.manifest.files["policy.onnx"] == networks.files["policy.onnx"]
        assert bot.manifest.rating == found.elo
        assert not any(b"site-packages" in path.read_bytes() for path in bot_folder.iterdir())


def test_the_card_says_what_the_knobs_mean(checkpoint: Path, tmp_path: Path) -> None:
    export_bot(checkpoint, "easy", tmp_path / "easy")
    export_bot(checkpoint, "crazy", tmp_path / "crazy")
    easy, crazy = ((tmp_path / name / "README.md").read_text() for name in ("easy", "crazy"))
    of_easy = "remembers the last trick card by card", "does not notice who is out of a suit", "never contras"
    for said in of_easy:
        assert said in easy
        assert said not in crazy
    for name, card in (("easy", easy), ("crazy", crazy)):
        assert f"does nothing that gives up more than {load_tier(name).sense:g} match points" in card
    assert f"imagines {load_tier('crazy').worlds} deals" in crazy
    assert "as the rule-based player would have" in crazy


def test_contract_values_come_along(rules: RuleSet, checkpoint: Path, tmp_path: Path) -> None:
    untrained_values(rules, 0, tmp_path / "values")
    odds = MatchOddsFile(**of_game(rules), agent="rules@1", deals=9, chances=[[0.5, 0.25], [0.75, 0.5]])
    (tmp_path / "values" / MATCH_ODDS).write_text(odds.model_dump_json())
    export_networks(checkpoint, tmp_path / "networks", tmp_path / "values")
    networks, manifest = open_networks(tmp_path / "networks", rules), read_manifest(tmp_path / "networks")
    assert networks.values is not None
    assert manifest.values == file_digest((tmp_path / "values" / "values.safetensors").read_bytes())
    assert {"values.onnx", MATCH_ODDS} <= set(manifest.files)
    assert networks.values.odds is not None
    assert networks.values.odds.table[1, 1, 2] == 0.25


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
    with pytest.raises(CheckpointError, match="is not finite"):
        export_bot(tmp_path / "policy", "hard", tmp_path / "bot")
    assert not (tmp_path / "bot").exists()


def test_a_folder_within_a_bot_is_not_thrown_away(tmp_path: Path) -> None:
    out = tmp_path / "bot"
    export_shipped_bot(load_rules("hayblot"), "easy", out)
    (out / "README.md").unlink()
    (out / "README.md").mkdir()
    with pytest.raises(ExportError, match="holds something that is no bot"):
        export_shipped_bot(load_rules("hayblot"), "hard", out)
    assert (out / "README.md").is_dir()


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ExportError, match="loop: a link that leads to itself"):
        export_shipped_bot(load_rules("hayblot"), "easy", tmp_path / "loop")

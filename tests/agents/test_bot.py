"""Exported bots: they play as their policy does, and refuse what was changed or does not fit."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents
from agents import SpecError
from agents.bot import BotAgent, load_bot
from agents.manifest import MANIFEST, file_digest
from agents.networks import POLICY, BotError, seal_of
from agents.policy import PolicyAgent
from agents.tiers import Tier
from blot_env import BatchEnv, Decisions, Game, RuleSet, load_rules
from blot_env.actions import PASS
from train.export import export_bot, export_shipped_bot


def decisions_of(rules: RuleSet, boards: int, seed: int) -> Iterator[Decisions]:
    """All decisions of some deals between players who bid, contra and pass by the rules, or now and then by random."""
    env, player = BatchEnv(rules, boards, seed=seed), agents.make("rules", rules)
    _, mask, _ = env.reset()
    playing = np.ones(boards, bool)
    while playing.any():
        rows, actions = np.flatnonzero(playing), env.sample(mask)
        there = env.decisions(rows)
        yield there
        actions[rows] = np.where(there.seeds % 8 == 0, actions[rows], player.act(there))
        _, mask, _, _, done = env.step(actions)
        playing &= ~done


def test_a_checkpoint_is_told_from_a_bot(checkpoint: Path) -> None:
    with pytest.raises(BotError, match=f"this is a checkpoint: policy:{checkpoint} plays it"):
        load_bot(checkpoint)


def test_judges_as_the_torch_policy(rules: RuleSet, checkpoint: Path, tmp_path: Path) -> None:
    knobs = tmp_path / "plain.toml"
    knobs.write_text('calls = "network"\ncards = "network"')
    export_bot(checkpoint, knobs, tmp_path / "bot")
    policy, player = PolicyAgent(rules, str(checkpoint)), BotAgent(rules, tmp_path / "bot")
    decisions = differing = 0
    for there in decisions_of(rules, boards=40, seed=1):
        logits = np.where(there.masks, policy.logits(there.observations), -np.inf)
        wanted, chosen = logits.argmax(1), player.act(there)
        second, best = np.partition(logits, -2, axis=1)[:, -2:].T
        close = best - second < 1e-5
        assert (chosen == wanted)[~close].all()
        differing += int((chosen != wanted).sum())
        decisions += len(there)
    assert decisions > 36 * 40
    assert differing <= decisions / 500


@pytest.mark.parametrize(
    ("preset", "tier"),
    [("bazar", "easy"), ("bazar", "hard"), ("duel", "normal"), ("bela3", "easy"), ("bazar-classic", "hard")],
)
def test_plays_as_its_tier_does(preset: str, tier: str, tmp_path: Path) -> None:
    rules = load_rules(preset)
    export_shipped_bot(rules, tier, tmp_path / "bot")
    player, own = agents.make(f"tier:{tier}", rules), agents.make(f"bot:{tmp_path / 'bot'}", rules)
    actions: list[int] = []
    for there in decisions_of(rules, boards=2, seed=5):
        actions += own.act(there).tolist()
        assert actions[-len(there) :] == player.act(there).tolist()
    assert min(actions) < PASS <= max(actions), "cards and calls"


def test_plays_in_a_process_without_torch(bot: Path) -> None:
    code = (
        "import sys, agents\n"
        "from blot_env import Game, load_rules\n"
        "game = Game('bazar', seed=3)\n"
        f"bot = agents.make('bot:{bot}', game.rules)\n"
        "while game.phase != 'over':\n"
        "    game.play(game.rules.actions.text(bot.act(game.decision())[0]))\n"
        "print(game.result['points'], 'torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("] False\n")


def test_its_tier_decides(rules: RuleSet, bot: Path, tmp_path: Path) -> None:
    knobs = {"name": "b", "calls": "network", "cards": "network", "temperature": 3.0, "cap": 9.0}
    bold = changed(bot, tmp_path, lambda manifest: manifest.update(tier=knobs))
    decisions = BatchEnv(rules, 100)
    decisions.reset()
    hard, soft = BotAgent(rules, bot), BotAgent(rules, bold)
    assert soft.tier == Tier.model_validate(knobs)
    differing = (hard.act(decisions.decisions()) != soft.act(decisions.decisions())).mean()
    assert 0.05 < differing < 1


def test_plays_its_own_rules_at_any_target(bot: Path) -> None:
    rules, _ = load_bot(bot)
    assert rules == load_rules("bazar")
    game = Game(load_rules("bazar", target=301))
    assert game.mask()[BotAgent(game.rules, bot).act(game.decision())[0]] == 1


def changed(bot: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], sealed: bool = True) -> Path:
    """A copy of the bot whose manifest is another, as if it had been written so."""
    copy = tmp_path / "copy"
    shutil.copytree(bot, copy)
    manifest = json.loads((copy / MANIFEST).read_text())
    change(manifest)
    if sealed:
        manifest["seal"] = seal_of(manifest)
    (copy / MANIFEST).write_text(json.dumps(manifest))
    return copy


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "rules unknown": (lambda m: m["rules"].update(name="bazaar"), "no preset is named 'bazaar'.*'bazar'"),
    "another rule": (lambda m: m["rules"].update(must_beat="all"), "made for rules with must_beat"),
    "a rule too many": (lambda m: m["rules"].update(must_sing=True), "no field 'must_sing'"),
    "a field that is an argument": (lambda m: m["rules"].update(preset=1), "rules: there is no field 'preset'"),
    "another layout": (
        lambda m: m["observation"].update(version=99),
        "observation layout 99 of size .*, but this blot has layout",
    ),
    "other actions": (lambda m: m["actions"].update(size=7), "action layout 1 of size 7"),
    "temperature": (lambda m: m["tier"].update(temperature=-1), "tier: temperature"),
    "a key too many": (lambda m: m.update(colour="red"), "colour"),
    "where it was made": (lambda m: m.update(policy="/home/me/runs/mine"), "policy: String should match"),
    "no tier": (lambda m: m.update(tier=None), "these are networks and no bot"),
    "an older format": (lambda m: m.update(format="blot-bot/1"), "format: Input should be 'blot-bot/2'"),
    "no network": (
        lambda m: m["files"].pop(POLICY),
        f"{POLICY} and the SHA-256 of its weights, policy, belong together",
    ),
    "files elsewhere": (lambda m: m["files"].update({"../x": "0" * 64}), "files"),
    "another digest": (lambda m: m["files"].update({POLICY: "0" * 64}), "SHA-256"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_manifest_that_does_not_fit_is_refused(rules: RuleSet, bot: Path, tmp_path: Path, change: str) -> None:
    what, reason = CHANGES[change]
    copy = changed(bot, tmp_path, what)
    with pytest.raises(SpecError, match=reason) as caught:
        agents.make(f"bot:{copy}", rules)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m["tier"].update(worlds=1),
        lambda m: m.update(blot="99.0.0"),
        lambda m: m.update(policy="0" * 64),
        lambda m: m.update(rating={"rating": 999, "low": 998, "high": 1000, "matches": 5}),
        lambda m: m["rules"].update(target=301),
        lambda m: m.pop("format"),
        lambda m: m.pop("seal"),
    ],
)
def test_a_manifest_changed_by_hand_is_refused(bot: Path, tmp_path: Path, change: Callable[[Any], None]) -> None:
    with pytest.raises(BotError, match="changed since it was written"):
        load_bot(changed(bot, tmp_path, change, sealed=False))


@pytest.mark.parametrize("name", [MANIFEST, POLICY, "README.md"])
@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_damaged_folder_is_refused(rules: RuleSet, bot: Path, tmp_path: Path, name: str, damage: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(bot, copy)
    path = copy / name
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        middle = len(content) // 2
        path.write_bytes(content[:middle] + (b"" if damage == "cut" else b"\x00" + content[middle + 1 :]))
    with pytest.raises(BotError) as caught:
        BotAgent(rules, copy)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_network_that_is_none_is_refused(rules: RuleSet, bot: Path, tmp_path: Path) -> None:
    junk = b"no network"
    copy = changed(bot, tmp_path, lambda manifest: manifest["files"].update({POLICY: file_digest(junk)}))
    (copy / POLICY).write_bytes(junk)
    with pytest.raises(BotError, match="onnxruntime cannot load it"):
        BotAgent(rules, copy)


def test_no_folder_is_refused(rules: RuleSet, tmp_path: Path) -> None:
    with pytest.raises(BotError, match="No such file"):
        BotAgent(rules, tmp_path / "nowhere")

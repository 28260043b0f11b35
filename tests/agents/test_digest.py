"""What tells apart agents of the same spec."""

import json
from pathlib import Path

import pytest

import agents
from agents.contract_values import VALUES
from agents.digest import agent_digest
from agents.manifest import MANIFEST
from agents.networks import seal_of
from blot_env import RuleSet
from tests.untrained import untrained_values
from train.export import export_shipped_bot
from train.onnx_files import write_contract_values


def test_what_a_player_is_made_of_is_told_apart(rules: RuleSet) -> None:
    made = [agents.make(spec, rules) for spec in ("rules", "pimc", "ismcts", "tier:easy", "tier:normal", "tier:easy")]
    *nothing, easy, normal, again = map(agent_digest, made)
    assert nothing == [None] * 3
    assert easy == again
    assert normal not in (None, easy)


@pytest.mark.parametrize("spec", ["tier:hard", "policy:{0}", "ismcts:iterations=8,policy={0}", "values:{1}"])
def test_every_file_that_decides_counts(spec: str, rules: RuleSet, checkpoint: Path, tmp_path: Path) -> None:
    for seed, name in enumerate(("one", "two")):
        write_contract_values(untrained_values(rules, seed, tmp_path / name), rules, tmp_path / name / VALUES)
    one = agent_digest(agents.make(spec.format(checkpoint, tmp_path / "one"), rules))
    other = agent_digest(agents.make(spec.format("checkpoints/bazar", tmp_path / "two"), rules))
    assert one is not None
    assert (one == other) == (spec == "tier:hard")


def test_a_bot_is_the_tier_whatever_its_card_says(rules: RuleSet, tmp_path: Path) -> None:
    tier, bot = agent_digest(agents.make("tier:hard", rules)), tmp_path / "bot"
    export_shipped_bot(rules, "hard", bot)
    assert agent_digest(agents.make(f"bot:{bot}", rules)) == tier
    manifest = json.loads((bot / MANIFEST).read_text())
    manifest |= {"blot": "9.9.9", "rating": None}
    (bot / MANIFEST).write_text(json.dumps(manifest | {"seal": seal_of(manifest)}))
    assert agent_digest(agents.make(f"bot:{bot}", rules)) == tier

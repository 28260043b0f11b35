"""Networks without torch: they give what the policy gives, row by row, and what ships was made from what ships."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.checkpoint import read_manifest as read_checkpoint
from agents.graph import ROWS
from agents.networks import BotError, Networks, open_networks, read_manifest, shipped_networks
from agents.policy import PolicyAgent
from agents.resources import find
from blot_env import BatchEnv, Decisions, RuleSet, load_rules


@pytest.fixture(scope="module")
def networks(bot: Path, rules: RuleSet) -> Networks:
    return open_networks(bot, rules)


def decisions_of(rules: RuleSet, tables: int) -> Decisions:
    """Decisions in the middle of deals."""
    env = BatchEnv(rules, tables, seed=3)
    _, mask, _ = env.reset()
    for _ in range(20):
        _, mask, *_ = env.step(env.sample(mask))
    return env.decisions()


def test_logits_are_those_of_torch(rules: RuleSet, checkpoint: Path, networks: Networks) -> None:
    observations = decisions_of(rules, 100).observations
    np.testing.assert_allclose(
        networks.logits(observations), PolicyAgent(rules, str(checkpoint)).logits(observations), atol=1e-4
    )


def test_a_row_does_not_depend_on_the_rows_beside_it(rules: RuleSet, networks: Networks) -> None:
    observations = decisions_of(rules, 3 * ROWS + 5).observations

    def alone(row: int) -> NDArray[np.float32]:
        return networks.logits(observations[row : row + 1])[0]

    together = networks.logits(observations)
    for row in range(len(observations)):
        assert (alone(row) == together[row]).all()
    order = np.random.default_rng(1).permutation(len(observations))
    assert (networks.logits(observations[order]) == together[order]).all()


def test_probabilities_are_of_legal_actions_alone(rules: RuleSet, networks: Networks) -> None:
    decisions = decisions_of(rules, 50)
    probabilities = networks.probabilities(decisions)
    assert probabilities.sum(1) == pytest.approx(1)
    assert ((probabilities > 0) <= (decisions.masks > 0)).all()
    legal = np.where(decisions.masks, networks.logits(decisions.observations), -np.inf)
    assert (probabilities.argmax(1) == legal.argmax(1)).all()


def test_nothing_is_made_of_nothing(rules: RuleSet, networks: Networks) -> None:
    assert networks.logits(np.zeros((0, rules.observation.size), np.uint8)).shape == (0, rules.actions.size)


SHIPPED = ("bazar", "duel")


@pytest.mark.parametrize("preset", SHIPPED)
def test_the_networks_that_ship_are_those_of_the_checkpoint_that_ships(preset: str) -> None:
    folder = find(f"checkpoints/{preset}")
    assert read_manifest(folder / "networks").policy == read_checkpoint(folder)[1].sha256
    rules = load_rules(preset, target=999)
    observations, shipped = decisions_of(rules, 20).observations, shipped_networks(rules)
    assert shipped is not None
    wanted = PolicyAgent(rules, str(folder)).logits(observations)
    np.testing.assert_allclose(shipped.logits(observations), wanted, atol=1e-4)


def test_where_no_network_was_trained_none_ships() -> None:
    assert shipped_networks(load_rules("bela3")) is None
    assert shipped_networks(load_rules("bazar", must_beat="all")) is None


def test_damaged_networks_that_ship_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "checkpoints" / "bazar" / "networks"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotError, match="blot: Field required"):
        shipped_networks(load_rules("bazar"))


def test_no_torch_is_loaded() -> None:
    code = (
        "import sys\n"
        "from agents.networks import shipped_networks\n"
        "from blot_env import load_rules\n"
        "print(shipped_networks(load_rules('bazar')) is not None, 'torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"

"""What is learnt foresees held-out deals better than the rule-based player's outlook."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.contract_shares import CENTRES, EVERY, NONE, PARTS
from agents.rule_based.outlook import OWN, outlook
from agents.rule_based.values import values_of
from blot_env import BatchEnv, RuleSet, load_rules
from train.contract_values import ContractValuesConfig, load_values, run
from train.contract_values.correction import Line, matrix
from train.contract_values.labels import label
from train.contract_values.measures import log_loss
from train.settings import check_settings


def of_the_rules(rules: RuleSet, views: np.ndarray) -> np.ndarray:
    """The share of the card points that the rule-based player expects of its own contracts, (n, strains)."""
    values, expected = values_of(rules), np.zeros((len(views), len(rules.strains)))
    for row, view in enumerate(views):
        drawn = 1 << int(view["public"]["turned"]) if rules.stock == "drawn" else 0
        for strain in range(len(rules.strains)):
            hope = outlook(rules.record, values, view, strain, int(view["hand"]) | drawn)
            expected[row, strain] = hope.own / (hope.own + hope.other)
    return expected


def spread_normally(expected: np.ndarray, spread: float) -> np.ndarray:
    """Bins of shares spread normally around what is expected, (n, strains, BINS)."""
    nearest = 1 + np.minimum((expected * PARTS).astype(int), PARTS - 1)
    return matrix(Line(1.0, 0.0, spread))[nearest]


def loss(shares: np.ndarray, solved: np.ndarray) -> float:
    """Log-loss where no trick is as few points, and every trick as many: the rules tell these apart no further."""
    folded = shares[..., 1:-1].copy()
    folded[..., 0] += shares[..., NONE]
    folded[..., -1] += shares[..., EVERY]
    return log_loss(folded.reshape(solved.size, -1), np.clip(solved.ravel(), 1, PARTS) - 1)


@pytest.mark.parametrize(
    ("preset", "settings"),
    [
        ("duel", {"iterations": 3, "deals": 1500, "network": {"width": 64}, "minibatch": 128}),
        pytest.param("bazar", {"iterations": 12, "deals": 256}, marks=pytest.mark.slow),
    ],
)
def test_it_foresees_more_than_the_rules_do(preset: str, settings: dict[str, Any], tmp_path: Path) -> None:
    rules = load_rules(preset)
    config = check_settings(ContractValuesConfig, {"rules": preset, "threads": 2, "match_deals": 0, **settings})
    network, _ = load_values(run(config, name=tmp_path / "values"), rules)
    env = BatchEnv(rules, 300, seed=77)
    env.reset()
    decisions, seat = env.decisions(), env.states["public"]["seat"].copy()
    solved = label(rules, env.states.copy()).shares[np.arange(300), seat]  # (n, strains)
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(decisions.observations))
    shares = logits.softmax(3)[:, :, OWN].numpy()  # with all cards seen, as they were solved
    ours = loss(shares, solved)
    expected = of_the_rules(rules, decisions.views)
    spreads = np.linspace(0.1, 0.35, 11)  # the best of them, which the rules do not know
    theirs = min(loss(spread_normally(expected, spread), solved) for spread in spreads)
    assert ours < theirs - 0.02, f"{ours:.3f} against {theirs:.3f}"
    errors = [np.abs(found - CENTRES[solved]).mean() for found in (shares @ CENTRES, expected)]
    assert errors[0] < errors[1]

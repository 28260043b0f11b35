"""Contract values are learnt, resumed, exported, and blind to the names of suits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load, load_file, save

from agents.contract_shares import BINS
from agents.contract_values import VALUES, ContractValues, ContractValuesError, open_values
from agents.suits import reordering
from blot_env import BatchEnv, RuleSet, load_rules
from train.contract_values import ContractValuesConfig, load_values, run
from train.contract_values.export import WEIGHTS
from train.contract_values.network import ContractNetwork
from train.contract_values.stage import ContractValuesTraining
from train.settings import ConfigError, check_settings


def tiny(**changes: Any) -> ContractValuesConfig:
    values = {
        "rules": "duel",
        "iterations": 2,
        "deals": 30,
        "threads": 1,
        "minibatch": 32,
        "network": {"width": 16},
        "match_deals": 200,
    }
    return check_settings(ContractValuesConfig, values | changes)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tiny(), name=tmp_path_factory.mktemp("runs") / "values")


def observations(rules: RuleSet, count: int = 40) -> np.ndarray:
    env = BatchEnv(rules, count, seed=3)
    env.reset()
    return env.decisions().observations


def spread_out(rules: RuleSet) -> ContractNetwork:
    """A network of random weights, whose outcome differs from hand to hand."""
    torch.manual_seed(0)
    network = ContractNetwork(rules, tiny().network)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return network.eval()


@pytest.mark.parametrize("preset", ["bazar", "bazar-alltrump", "duel", "bela3"])
def test_names_of_suits_mean_nothing(preset: str) -> None:
    rules = load_rules(preset)
    network, seen, order = spread_out(rules), observations(rules), [2, 0, 3, 1]
    renamed = np.ascontiguousarray(seen[:, reordering(rules, rules.observation, order)])
    with torch.no_grad():
        first, second = (network(torch.from_numpy(rows)) for rows in (seen, renamed))
    strains = [*order, *range(4, len(rules.strains))]
    for before, after in zip(first, second, strict=True):
        assert np.allclose(before[:, strains], after, atol=1e-4)
    assert first[0].std(0).min() > 1e-3


def test_a_run_leaves_what_bots_use(folder: Path) -> None:
    rules = load_rules("duel")
    network, manifest = load_values(folder, rules)
    assert manifest.training["deals"] == 60
    values, seen = open_values(rules, folder), observations(rules)
    shares, extras = values.foresee(seen)
    with torch.no_grad():
        logits, expected = network(torch.from_numpy(seen))
        assert np.allclose(shares, network.played(logits).numpy(), atol=1e-5)
    assert np.allclose(extras, expected.clamp(min=0).numpy(), atol=1e-3)
    assert shares.shape == (len(seen), 4, 2, BINS)
    assert np.allclose(shares.sum(3), 1, atol=1e-4)


def test_a_killed_run_resumes_to_the_same_weights(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def die(self: ContractValuesTraining) -> dict[str, float]:
        if self.progress.iteration == 1:
            improve(self)  # work that no file knows of
            raise Killed
        return improve(self)

    improve = ContractValuesTraining.improve
    with monkeypatch.context() as patch:
        patch.setattr(ContractValuesTraining, "improve", die)
        with pytest.raises(Killed):
            run(tiny(), name="killed")
    assert not Path("runs/killed/values.onnx").exists()
    resumed = run(tiny(), resume="runs/killed")
    first, second = (load_file(path / WEIGHTS) for path in (folder, resumed))
    assert all(np.array_equal(tensor, second[name]) for name, tensor in first.items())


def test_tampered_deals_are_refused() -> None:
    folder = run(tiny(iterations=1, match_deals=0), name="mine")
    deals = folder / "deals" / "000001.safetensors"
    columns = load(deals.read_bytes())
    for name, column in columns.items():
        wrong = [column[:-1], column.to(torch.float32)]
        if name not in ("last", "observations", "extras"):  # which may be any
            wrong.append(torch.full_like(column, 200))
        for each in wrong:
            deals.write_bytes(save(columns | {name: each.contiguous()}))
            with pytest.raises(ConfigError, match=r"000001\.safetensors: damaged"):
                run("runs/mine/config.toml", ["iterations=2"], resume=folder)
            assert (folder / "learner.safetensors").exists()
    deals.write_bytes(save(columns))
    run("runs/mine/config.toml", ["iterations=2"], resume=folder)


def test_what_is_wrong_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="give minutes or iterations"):
        tiny(iterations=0)
    with pytest.raises(ConfigError, match="replya: there is no such key"):
        tiny(replya=3)
    with pytest.raises(ConfigError, match="agent: no agent is named 'ruels'"):
        run(tiny(agent="ruels"), name="wrong")
    with pytest.raises(ConfigError, match="replay: 9, but the run to resume has 8"):
        run(tiny(replay=9), resume=folder)
    with pytest.raises(ValueError, match="made for rules with name"):
        load_values(folder, load_rules("bazar"))
    with pytest.raises(ValueError, match=r"match-odds\.json: made for rules with name"):
        open_values(load_rules("bazar"), folder)
    with pytest.raises(ValueError, match=r"has .* where observation of 1240 columns is wanted"):
        ContractValues(load_rules("bazar"), (folder / VALUES).read_bytes())
    with pytest.raises(ContractValuesError, match=r"there is no .*; name values\.onnx, or a folder with it"):
        open_values(load_rules("duel"), tmp_path / "nowhere")
    with pytest.raises(ValueError, match="onnxruntime cannot load it"):
        ContractValues(load_rules("duel"), b"no graph")
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("values.json", WEIGHTS):
        (broken / name).write_bytes((folder / name).read_bytes()[: 1000 if name == WEIGHTS else None])
    with pytest.raises(ValueError, match="changed or cut short"):
        load_values(broken, load_rules("duel"))

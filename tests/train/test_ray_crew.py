"""A training on a Ray cluster comes to the same weights as on one machine, whoever of the workers is lost."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file

import train
from tests.train.test_parts import tiny
from train import ray_crew
from train.ray_cluster import RayError
from train.settings import ConfigError

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.slow


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head that does no work itself, and two machines (by their processes) of one CPU each."""
    from ray.cluster_utils import Cluster

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(train.__file__).parents[1]))  # for the workers: not another blot's
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    for _ in range(2):
        cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()


def test_the_same_weights_though_a_machine_is_lost(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny(rollout={"tables": 96, "parts": 4}, iterations=5)
    local = train.run(config, name="local")
    waits = 0

    def lose(task: Any) -> Any:
        nonlocal waits
        waits += 1
        if waits == 10:  # while parts of the third iteration are played
            threading.Timer(0.05, cluster.remove_node, (next(iter(cluster.worker_nodes)), False)).start()
        return result_of(task)

    result_of = ray_crew.result_of
    monkeypatch.setattr(ray_crew, "result_of", lose)
    far = train.run(config, name="far", ray=cluster.address)
    assert waits == 20
    assert len(cluster.worker_nodes) == 1
    first, second = (load_file(folder / "resume.safetensors") for folder in (local, far))
    assert first.keys() == second.keys()
    assert all(np.array_equal(tensor, second[name]) for name, tensor in first.items())


def test_what_is_wrong_is_told_before_anything_is_trained(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"^rollout\.parts: 1 leaves a cluster nothing to share out"):
        train.run(tiny(), name="whole", ray=cluster.address)
    assert not Path("runs").exists()
    monkeypatch.setattr(ray_crew, "agent_digest", lambda agent: "another")  # here, and not where the workers are
    with pytest.raises(RayError, match="^rules: on .* the training began with another$"):
        train.run(tiny(rollout={"tables": 24, "parts": 2}), name="other", ray=cluster.address)

"""A Ray cluster of several processes plays what one machine plays, though a part of it is killed on the way."""

from dataclasses import replace
from pathlib import Path

import pytest

import agents
from blot_env import RuleSet
from tests.train.tournament.meetings import meet
from tests.train.tournament.test_run import CONFIG, ROOT, Threads, alike
from tests.train.tournament.test_workers import same, task
from train.tournament.course import Progress
from train.tournament.keeping import BOARDS
from train.tournament.ray_workers import RayWorkers
from train.tournament.run import run_tournament


@pytest.mark.slow
def test_a_cluster_that_loses_a_node_plays_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    lost = cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()

    def kill(progress: Progress) -> None:
        if progress.boards and not killed:
            killed.append(progress)
            cluster.remove_node(lost, allow_graceful=False)

    killed: list[Progress] = []
    config = CONFIG.model_copy(update={"boards": 1000})
    try:
        far = run_tournament(config, tmp_path / "far", RayWorkers(cluster.address), kill)
    finally:
        cluster.shutdown()
    assert killed[0].boards < 300
    assert alike(far, run_tournament(config, tmp_path / "near", Threads(1, 0)))
    lines = (tmp_path / "far" / BOARDS).read_text().splitlines()
    assert len(lines) == len({line[: line.index('"seconds"')] for line in lines[1:]}) + 1, "no board twice"


@pytest.mark.slow
def test_who_ends_a_process_of_the_cluster_forfeits(rules: RuleSet, faulty: None) -> None:
    pytest.importorskip("ray")
    deadly = replace(task(rules, "faulty:die", "random"), boards=range(4, 6))
    with RayWorkers("local") as workers:
        error = workers.play(deadly).exception()
        assert error is not None
        assert workers.died(error)
        guarded = workers.play_guarded(deadly).result()
        nobody = replace(deadly.meeting[0], calls=("ruels",))
        wrong = workers.play(replace(deadly, meeting=(nobody, deadly.meeting[1]))).exception()
    assert isinstance(wrong, agents.SpecError)
    assert not workers.died(wrong)
    at_home = meet(rules, ["faulty:crash", "random"], deadly.boards, alone=True)
    assert [fault.board for fault in guarded.faults] == [fault.board for fault in at_home.faults]
    assert same(replace(guarded, faults=()), replace(at_home, faults=()))

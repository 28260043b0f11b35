"""Rollouts in parts: each is what it is wherever it is played, and together they are a rollout."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import train
from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from blot_env import load_rules
from train.compact import Compact
from train.config import Config, LeagueConfig
from train.experience import advantages
from train.league import League
from train.parts import Dealer, Deals, LocalCrew, Part, joined
from train.settings import ConfigError, check_settings

SIZE = {"width": 16, "blocks": 1}


def tiny(**changes: Any) -> Config:
    """A training of some seconds with all that a rollout may have."""
    values = {
        "iterations": 4,
        "save_every": 1,
        "network": {"cards": SIZE, "auction": SIZE, "critic": SIZE},
        "rollout": {"tables": 24},
        "imitation": {"iterations": 1},
        "ppo": {"minibatch": 256},
        "league": {"every": 1, "past": 0.3, "opponents": {"rules": 0.2}, "partners": {"random": 0.2}},
        "evaluation": {"every": 4, "boards": 2, "agents": ["random"]},
    }
    return check_settings(Config, values | changes)


def dealer(config: Config) -> Dealer:
    torch.manual_seed(1)
    policy = PolicyNetwork(config.game, config.network.policy)
    weights = policy.state_dict()
    return Dealer(config, policy, lambda iteration: weights)


def same(first: Deals, second: Deals) -> bool:
    """Whether two deals are equal to the last bit."""
    columns = [vars(deals.experience) for deals in (first, second)]
    return first.searching == second.searching and all(
        np.array_equal(value, columns[1][name])
        for name, value in [*columns[0].items(), ("reward", columns[0]["reward"])]
    )


@pytest.mark.parametrize("preset", ["bazar", "bela3"])
@pytest.mark.parametrize("imitating", [False, True])
def test_a_part_follows_from_its_number_alone(preset: str, imitating: bool) -> None:
    config = tiny(rules=preset, rollout={"tables": 24, "parts": 3})
    parts = [Part(5, number, imitating, (0, 2)) for number in range(3)]
    crew = LocalCrew(dealer(config))
    policy = dealer(config).policy
    first = crew.play(parts, policy)
    alone = [LocalCrew(dealer(config)).play([part], policy)[0] for part in reversed(parts)]
    assert all(same(*pair) for pair in zip(first, reversed(alone), strict=True))
    assert not any(same(first[0], other) for other in first[1:])
    (later,) = crew.play([Part(6, 0, imitating, (0, 2))], policy)
    assert not same(first[0], later)


@pytest.mark.parametrize("preset", ["bazar", "bela3"])
def test_parts_are_joined_to_one_rollout(preset: str) -> None:
    """What a decision was worth does not depend on the parts beside its own."""
    config = tiny(rules=preset, rollout={"tables": 24, "parts": 3})
    crew = LocalCrew(dealer(config))
    parts = crew.play([Part(5, number, False, (0,)) for number in range(3)], dealer(config).policy)
    whole = joined(parts)
    experience = whole.experience
    assert len(experience) == sum(len(part.experience) for part in parts)
    assert (np.diff(experience.step) >= 0).all()
    assert set(experience.table) <= set(range(24))
    assert experience.reward.shape == (24, config.game.sides)
    values = np.random.default_rng(0).normal(size=len(experience)).astype(np.float32)
    pieces = np.split(values, np.cumsum([len(part.experience) for part in parts])[:-1])
    apart = [advantages(part.experience, piece, 0.9) for part, piece in zip(parts, pieces, strict=True)]
    for together, separate in zip(advantages(experience, values, 0.9), zip(*apart, strict=True), strict=True):
        assert np.array_equal(together, np.concatenate(separate))


@pytest.mark.parametrize(("tables", "parts"), [(24, 1), (24, 2), (240, 8), (96, 12)])
def test_the_shares_of_the_league_are_those_of_the_whole(tables: int, parts: int) -> None:
    rules = load_rules("bazar")
    size = TrunkSize(width=8, blocks=0)
    network = PolicyNetwork(rules, NetworkSize(cards=size, auction=size))
    config = LeagueConfig(
        past=0.25, opponents={"rules": 0.25, "seer": 0.2}, partners={"random": 0.125}, search_tables=5
    )
    league = League(config, rules, tables, 0, Compact(rules, network), lambda iteration: network, parts)
    seatings = [league.seating([0], np.random.default_rng(part), part) for part in range(parts)]
    strangers = np.concatenate([seating.strangers for seating in seatings])
    assert strangers.shape == (tables, 4)
    kind = {spec: int((strangers == index).any(1).sum()) for index, spec in enumerate(league.agents)}
    assert kind == {"rules": tables // 4, "seer": min(5, round(0.2 * tables)), "random": tables // 8}
    both = [(seating.seats > 1).sum(0) for seating in seatings]  # the agents' places
    assert np.ptp(np.sum(both, axis=0)) <= 2
    assert sum(seating.searching for seating in seatings) / parts == pytest.approx(kind["seer"] / tables)


def test_small_parts_of_a_league_without_self_play_have_room_for_all() -> None:
    rules = load_rules("bazar")
    size = TrunkSize(width=8, blocks=0)
    network = PolicyNetwork(rules, NetworkSize(cards=size, auction=size))
    config = LeagueConfig(past=0, opponents={"rules": 0.5, "random": 0.5}, partners={})
    league = League(config, rules, 24, 0, Compact(rules, network), lambda iteration: network, 24)
    strangers = np.concatenate([league.seating([], np.random.default_rng(0), part).strangers for part in range(24)])
    assert [(strangers == kind).any(1).sum() for kind in (0, 1)] == [12, 12]


def test_threads_change_nothing_in_a_part() -> None:
    config = tiny(rollout={"tables": 240, "parts": 2})
    parts, policy = [Part(5, number, False, (0,)) for number in range(2)], dealer(config).policy
    before, played = torch.get_num_threads(), []
    for threads in (1, 2, 7):
        torch.set_num_threads(threads)
        played.append(LocalCrew(dealer(config)).play(parts, policy))
        assert torch.get_num_threads() == threads
    torch.set_num_threads(before)
    assert all(same(*pair) for others in played[1:] for pair in zip(played[0], others, strict=True))


def test_a_training_in_parts_goes_on_after_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rollout = {"tables": 24, "parts": 3}
    whole, part = (train.run(tiny(rollout=rollout, threads=1, iterations=n), name=f"of{n}") for n in (3, 2))
    resumed = train.run(tiny(rollout=rollout, threads=1, iterations=3), resume=part)
    first, second = (load_file(folder / "resume.safetensors") for folder in (whole, resumed))
    assert all(np.array_equal(tensor, second[name]) for name, tensor in first.items())
    one = train.run(tiny(threads=1, iterations=3), name="one")
    assert (whole / "policy.safetensors").read_bytes() != (one / "policy.safetensors").read_bytes()


def test_parts_are_equal() -> None:
    with pytest.raises(ConfigError, match=r"rollout: 24 tables cannot be played in 5 equal parts"):
        tiny(rollout={"tables": 24, "parts": 5})

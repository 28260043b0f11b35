"""Workers on a Ray cluster that play the parts of a training's rollouts.

A worker is told everything with each part, weights included, and remembers only what follows from that. So a part whose
worker dies is played by another one, to the same deals.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from socket import gethostname
from typing import Any

import torch
from safetensors.torch import load, save

from agents.digest import agent_digest
from agents.network import PolicyNetwork
from train.config import Config
from train.parts import Dealer, Deals, Part, Weights
from train.ray_cluster import Home, RayError, import_ray, result_of
from train.settings import check_settings, toml_of

Networks = tuple[tuple[str, str | None], ...]  # by spec of an agent the digest of its network, if it has one

_RETRIES = 5  # of a part whose worker dies; a part that kills every worker ends the training


class RayCrew:
    """A Ray cluster to which this process is connected (`train.ray_cluster.connected`)."""

    def __init__(self, config: Config, dealer: Dealer, weights_of: Callable[[int], Weights]) -> None:
        """Prepare the work.

        Args:
            config: of the training.
            dealer: has the agents as they are here.
            weights_of: returns the learner's weights as they were after an iteration that the league keeps.
        """
        self._ray, self._weights_of = import_ray(), weights_of
        self._task = self._ray.remote(max_retries=_RETRIES)(_play)
        self._setup = Home.here(), toml_of(config), _networks(dealer)
        self._past: dict[int, Any] = {}  # by iteration, where the cluster keeps the weights

    def play(self, parts: Sequence[Part], policy: PolicyNetwork) -> list[Deals]:
        """Return the deals of some parts.

        Raises:
            RayError: the cluster lost a part for good.
        """
        for iteration in {iteration for part in parts for iteration in part.past} - self._past.keys():
            self._past[iteration] = self._put(self._weights_of(iteration))
        weights = self._put(policy.state_dict())
        tasks = [self._task.remote(*self._setup, weights, self._past, part) for part in parts]
        return [result_of(task) for task in tasks]

    def _put(self, weights: Weights) -> Any:
        return self._ray.put(save({name: tensor.cpu().contiguous() for name, tensor in weights.items()}))


class _Worker:
    """What a worker's process remembers of a training."""

    def __init__(self, settings: str, networks: Networks) -> None:
        torch.set_num_threads(1)
        config = check_settings(Config, tomllib.loads(settings))
        policy = PolicyNetwork(config.game, config.network.policy).eval()
        self.past: Mapping[int, Any] = {}
        self.dealer = Dealer(config, policy, lambda iteration: load(import_ray().get(self.past[iteration])))
        for (spec, own), (_, wanted) in zip(_networks(self.dealer), networks, strict=True):
            if own != wanted:
                raise RayError(f"{spec}: on {gethostname()} the training began with another")


@lru_cache(1)
def _worker(home: Home, settings: str, networks: Networks) -> _Worker:
    home.enter()
    return _Worker(settings, networks)


def _networks(dealer: Dealer) -> Networks:
    return tuple((spec, agent_digest(agent)) for spec, agent in dealer.agents.items())


def _play(home: Home, settings: str, networks: Networks, weights: bytes, past: Mapping[int, Any], part: Part) -> Deals:
    """Play a part, in a worker's process."""
    worker = _worker(home, settings, networks)
    worker.past = past
    worker.dealer.policy.load_state_dict(load(weights))
    return worker.dealer.play(part)

"""The spec `policy:PATH`: a trained network that always takes the likeliest action."""

import numpy as np
import torch
from numpy.typing import NDArray

from agents.checkpoint import load_checkpoint
from agents.network import PolicyNetwork
from agents.probabilities import probabilities_of
from blot_env import Decisions, RuleSet


class NetworkAgent:
    """A policy network that always takes the likeliest action."""

    def __init__(self, name: str, network: PolicyNetwork) -> None:
        self.name, self.network = name, network

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the likeliest legal action of each row, shape (n,); of equally likely ones the lowest."""
        return np.where(decisions.masks, self.logits(decisions.observations), -np.inf).argmax(1)

    def probabilities(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return how likely the network makes each action, shape (n, actions), 0 for illegal ones."""
        return probabilities_of(self.logits(decisions.observations), decisions.masks)

    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return unnormalised log-probabilities, shape (n, actions), illegal actions included."""
        with torch.inference_mode():
            inputs = torch.from_numpy(np.ascontiguousarray(observations)).to(self.network.device)
            return self.network(inputs).cpu().numpy()


class PolicyAgent(NetworkAgent):
    """The player in a checkpoint."""

    def __init__(self, rules: RuleSet, path: str) -> None:
        """Load the checkpoint.

        Args:
            rules: the game that it is to play.
            path: folder of a checkpoint or of a training run, or one that ships (`checkpoints/bazar`).

        Raises:
            CheckpointError: the checkpoint cannot be used, or not for this game.
        """
        network, self.manifest = load_checkpoint(path, rules)
        self.made_of = {"policy": self.manifest.sha256}
        super().__init__(f"policy:{path}", network)

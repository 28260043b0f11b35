"""An exported bot: a folder that plays through onnxruntime, without torch.

It holds networks as `agents.networks` describes them, and its manifest the knobs of a tier.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.manifest import MANIFEST
from agents.networks import BotError, Networks, checked_files, read_manifest
from agents.tiers import TierError, parse_tier
from blot_env import Decisions, RuleSet


class BotAgent:
    """The player in a bot's folder."""

    def __init__(self, rules: RuleSet, folder: Path) -> None:
        """Load a bot, checking that it is whole and fits what is installed.

        Args:
            rules: the game that it is to play: the bot's own, though the target may differ.
            folder: what `blot export` wrote.

        Raises:
            BotError: something is missing, damaged or does not fit.
        """
        self.name = f"bot:{folder}"
        self.manifest = manifest = read_manifest(folder)
        if manifest.tier is None:
            raise BotError(f"{folder / MANIFEST}: tier: these are networks and no bot; blot export --tier makes one")
        try:
            self.tier = parse_tier(manifest.tier, f"{folder / MANIFEST}: tier")
        except TierError as error:
            raise BotError(f"{error}; export it again") from None
        self._networks = Networks(rules, folder, checked_files(folder, manifest, rules))

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action a decision, chosen as the bot's tier says."""
        return self.tier.choose(self._networks.logits(decisions.observations), decisions.masks, decisions.seeds)


def load_bot(folder: Path) -> tuple[RuleSet, BotAgent]:
    """Load a bot as a player of its own rules, and those rules.

    Raises:
        BotError: as `BotAgent` says.
    """
    rules = read_manifest(folder).rules
    return rules, BotAgent(rules, folder)

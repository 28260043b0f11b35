"""An exported bot: a folder that plays through onnxruntime, without torch.

It holds networks as `agents.networks` describes them, or none, and its manifest the knobs of a tier; it plays as the
tier does on these networks, action by action.
"""

from pathlib import Path

from agents.manifest import MANIFEST
from agents.networks import POLICY, BotError, Networks, checked_files, read_manifest
from agents.tiers import TierError, parse_tier
from agents.tiers.player import TierPlayer
from blot_env import RuleSet


class BotAgent(TierPlayer):
    """The player in a bot's folder."""

    def __init__(self, rules: RuleSet, folder: Path) -> None:
        """Load a bot, checking that it is whole and fits what is installed.

        Args:
            rules: the game that it is to play: the bot's own, though the target may differ.
            folder: what `blot export` wrote.

        Raises:
            BotError: something is missing, damaged or does not fit.
        """
        self.manifest = manifest = read_manifest(folder)
        if manifest.tier is None:
            raise BotError(f"{folder / MANIFEST}: tier: these are networks and no bot; blot export --tier makes one")
        try:
            tier = parse_tier(manifest.tier, f"{folder / MANIFEST}: tier")
        except TierError as error:
            raise BotError(f"{error}; export it again") from None
        contents = checked_files(folder, manifest, rules)
        networks = Networks(rules, folder, contents) if POLICY in contents else None
        super().__init__(rules, tier, networks, f"bot:{folder}")


def load_bot(folder: Path) -> tuple[RuleSet, BotAgent]:
    """Load a bot as a player of its own rules, and those rules.

    Raises:
        BotError: as `BotAgent` says.
    """
    rules = read_manifest(folder).rules
    return rules, BotAgent(rules, folder)

"""The spec `tier:NAME`, or `tier:PATH.toml`."""

from pathlib import Path

from agents.networks import open_networks, shipped_networks
from agents.resources import find
from agents.tiers.player import TierPlayer
from agents.tiers.tier import load_tier
from blot_env.rules import RuleSet


def tier_player(rules: RuleSet, tier: str, networks: Path | None = None) -> TierPlayer:
    """Return a player of a tier.

    Args:
        rules: the game.
        tier: by name, or a TOML file.
        networks: a folder of networks, the user's own or one that ships; by default those that ship for the game, none
            where none do.

    Raises:
        TierError: there is no such tier.
        BotError, FileNotFoundError: the networks cannot be used.
    """
    name = f"tier:{tier}" + (f",networks={networks}" if networks else "")
    opened = open_networks(find(networks), rules) if networks else shipped_networks(rules)
    return TierPlayer(rules, load_tier(tier, rules), opened, name)

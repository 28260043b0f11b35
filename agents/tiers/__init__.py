"""Tiers: players of four strengths, easy, normal, hard and crazy, made of knobs over networks, rules and search.

`tier` is the knobs, `player` plays by them with what `judges` and worlds say (`choice`); `memory` and `dealing` make
the worlds of a player who forgets. `table` is who sits at one.
"""

from agents.tiers.tier import Tier, TierError, load_tier, parse_tier, tiers

__all__ = ["Tier", "TierError", "load_tier", "parse_tier", "tiers"]

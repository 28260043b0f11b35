"""What the gate of the tiers found, as it ships: `checkpoints/GAME/ratings.json`, written by benchmarks/gate.py."""

from pydantic import BaseModel, TypeAdapter, ValidationError

from agents.digest import agent_digest
from agents.manifest import explain
from agents.networks import Rating, shipped_networks
from agents.resources import find
from agents.tiers import Tier
from agents.tiers.player import TierPlayer
from blot_env import RuleSet, load_rules


class RatingsError(ValueError):
    """Ratings that are none; the message names the file."""


class Won(BaseModel):
    """A share of matches, of 0 to 1, with its interval; None before the first match."""

    mean: float | None
    low: float
    high: float
    n: int


class Rung(BaseModel):
    """One tier against the one below it."""

    agents: list[str]
    won: Won


class Time(BaseModel):
    """Seconds that a decision takes on one core."""

    mean: float | None
    p99: float | None


class Measured(BaseModel):
    """What was found of one tier."""

    digest: str
    """Of its knobs and of the networks that it played on (`agents.digest`)."""
    rating: int
    low: int
    high: int
    matches: int
    gate: list[Rung]
    time: Time

    @property
    def elo(self) -> Rating:
        """Its rating, as manifests have it."""
        return Rating(rating=self.rating, low=self.low, high=self.high, matches=self.matches)


def measured(rules: RuleSet, tier: Tier) -> Measured | None:
    """Return what was found of a tier on the networks that ship for a game; None where it was not measured.

    One of the same name that has other knobs, or other networks by now, was not.

    Raises:
        RatingsError: the file is damaged.
    """
    if rules != load_rules(rules.name):
        return None
    try:
        path = find(f"checkpoints/{rules.name}/ratings.json")
    except FileNotFoundError:
        return None
    try:
        found = TypeAdapter(dict[str, Measured]).validate_json(path.read_bytes()).get(tier.name)
    except ValidationError as error:
        raise RatingsError(f"{path}: {explain(error)}") from None
    same = found is not None and found.digest == agent_digest(TierPlayer(rules, tier, shipped_networks(rules)))
    return found if same else None

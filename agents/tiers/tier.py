"""The knobs of a tier: who judges, how far it looks, what it remembers, and how much it may give up.

A tier is weak because it forgets and looks less far, and where it draws among actions, because of a cap on what it may
give up by its own judgement; it never plays anything at random.
"""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.resources import find, shipped
from blot_env.rules import RULESETS, RuleSet, nearest
from blot_env.text_files import MAX_TOML, read_text

MOST_WORLDS, MOST_CANDIDATES, MOST_TRICKS = 1000, 100, 10
MOST_POINTS = 1e6
"""Of any knob in match points, worlds or standard errors: more than a match has, and sums of such are still numbers."""
MOST_MS = 3.6e6
"""An hour."""
_FOLDER = "configs/tiers"

Amount = Annotated[float, Field(ge=0, le=MOST_POINTS, allow_inf_nan=False)]


class TierError(ValueError):
    """A tier that does not exist or whose file is wrong; the message names the file, the key and what is possible."""


class Tier(BaseModel):
    """The knobs of a tier. A network that judges where there is none gives way to the rules."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")
    calls: Literal["rules", "values", "network"]
    """Who judges calls: the rule-based player, the same with trained contract values, or the policy."""
    cards: Literal["rules", "network", "search"]
    worlds: int = Field(default=0, ge=0, le=MOST_WORLDS)
    """Solved for a card, where cards are judged by search."""
    opening: int | None = Field(default=None, ge=0, le=MOST_WORLDS)
    """The same for a card of the first trick, where a world takes several times longer; 0: the opinion stands; None: as
    many."""
    weights: Literal["none", "rules", "network"] = "none"
    """By whose play worlds are weighed, which reads the auction and the cards, unless some have been forgotten."""
    candidates: int = Field(default=1, ge=1, le=MOST_CANDIDATES)
    """Worlds drawn for each one wanted."""
    trust: Amount = 0
    """How many worlds the opinion of the network, without one of the rules, counts as."""
    doubt: Amount = 0
    """By how many standard errors the worlds must speak for a card before it goes against that opinion."""
    memory: int = Field(default=MOST_TRICKS, ge=0, le=MOST_TRICKS)
    """Complete tricks, the latest, that it remembers card by card."""
    voids: bool = True
    """Whether it infers who is void, from the tricks that it remembers."""
    trumps: bool = True
    """Whether it infers who lacks the higher trumps."""
    contra: bool = True
    temperature: Amount = 0
    """Of the draw among actions, in match points; where a match point is a raw point, in tens."""
    cap: Amount = 0
    """Most match points, as it judges them, that its action may give up against its best; tens where they are raw."""
    sense: Amount | None = None
    """Most match points that an action after the auction may give up by the judgement of the rules: a player of few
    deals, or of chance, else does what nobody would. Tens where they are raw; None: any."""
    regard: Amount = 0
    """What a match point that a card gives up by that judgement takes off its value: of equal cards it plays the one
    that a partner understands."""
    call_sense: Amount | None = None
    """The same in the auction, where a contra is free: a network bids what only its own kind understands."""
    ms: float | None = Field(default=None, gt=0, le=MOST_MS, allow_inf_nan=False)
    """A decision begins no further world after so many milliseconds; None: time is no matter, and actions repeat."""

    @model_validator(mode="after")
    def _searches_worlds(self) -> "Tier":
        if (self.cards == "search") != (self.worlds > 0):
            raise ValueError('worlds: so many are solved with cards = "search", at least 1, and none otherwise')
        if self.opening is not None and not self.worlds:
            raise ValueError('opening: so many worlds are solved in the first trick with cards = "search" alone')
        return self


def tiers() -> list[str]:
    """Names of the tiers that ship."""
    return [Path(path).stem for path in shipped() if path.startswith(f"{_FOLDER}/") and Path(path).stem != "gate"]


def load_tier(name: str | Path, rules: RuleSet | None = None) -> Tier:
    """Load a tier by its name (`easy`) or from the user's own TOML file.

    Args:
        name: of a tier that ships, or the path of a file.
        rules: the game: a table `[games.duel]` in the file has the knobs that stand otherwise in that one.

    Raises:
        TierError: there is no such tier, or its file is no valid tier.
    """
    try:
        path = find(name if str(name).endswith(".toml") else f"{_FOLDER}/{name}.toml")
        fields = tomllib.loads(read_text(path, MAX_TOML))
    except FileNotFoundError:
        raise TierError(f"there is no tier {str(name)!r}: name one of {', '.join(tiers())}, or a TOML file") from None
    except RecursionError:
        raise TierError(f"{name}: nested too deeply; a knob is one value") from None
    except (OSError, ValueError) as error:
        raise TierError(f"{name}: {error}") from None
    games = fields.pop("games", {})
    if not isinstance(games, dict) or not all(isinstance(knobs, dict) for knobs in games.values()):
        raise TierError(f"{path}: games: a table of knobs is wanted for each game, such as [games.duel]")
    if unknown := [game for game in games if game not in RULESETS]:
        raise TierError(f"{path}: games.{unknown[0]}: there is no such game{nearest(unknown[0], list(RULESETS))}")
    for game, knobs in games.items():  # those of other games have to be right, too
        parse_tier({"name": path.stem, **fields, **knobs}, f"{path}: games.{game}")
    own = games.get(rules.name, {}) if rules is not None else {}
    return parse_tier({"name": path.stem, **fields, **own}, str(path))


def parse_tier(fields: dict[str, Any], where: str) -> Tier:
    """Check the fields of a tier that stand in `where`.

    Raises:
        TierError: a field is missing, unknown or out of range.
    """
    try:
        return Tier.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            reason = f"there is no such knob{nearest(key, list(Tier.model_fields))}"
        raise TierError(f"{where}: {f'{key}: ' if key else ''}{reason[0].lower()}{reason[1:]}") from None

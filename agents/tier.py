"""Difficulty tiers: how far a policy may stray from the action that it likes best.

A tier is a temperature and a cap on what an action may give up. Whatever stays inside the cap is drawn with the
probability that the policy gives it at that temperature; whatever lies outside is never played, so a weaker tier
chooses among the policy's good actions instead of throwing cards away.

A policy says how likely an action is, not what it is worth. The value given up is therefore read from the policy
itself: the gap in log-probability, in nats, to the likeliest legal action, before the temperature. A cap of 1 lets
through actions at least 1/e = 37 % as likely as the best one. It is no number of points.
"""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.resources import find, shipped
from blot_env.random import draw
from blot_env.text_files import MAX_TOML, read_text

_FOLDER = "configs/tiers"


class TierError(ValueError):
    """A tier that does not exist or whose file is wrong; the message names the file, the key and what is possible."""


class Tier(BaseModel):
    """The knobs of a tier."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    temperature: float = Field(ge=0, allow_inf_nan=False)  # 0: always the likeliest action
    cap: float = Field(ge=0, allow_inf_nan=False)  # most log-probability that an action may give up, in nats

    def choose(
        self, logits: NDArray[np.floating[Any]], masks: NDArray[np.int8], seeds: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return one legal action a row.

        Args:
            logits: (n, actions), of any scale that differs from log-probabilities by a constant a row.
            masks: (n, actions), nonzero where legal; each row holds a legal action.
            seeds: (n,), one a decision; the same seed draws the same action. Temperature 0 needs none.

        Of equally likely actions at temperature 0 the one with the lowest number is chosen.
        """
        legal = np.where(masks, logits.astype(np.float64), -np.inf)
        best = legal.argmax(1)
        if self.temperature == 0:
            return best.astype(np.int64)
        gap = legal[np.arange(len(best)), best][:, None] - legal  # (n, actions), nats
        weights = np.where(gap <= self.cap, np.exp(-gap / self.temperature), 0.0)
        reached = weights.cumsum(1)
        lots = np.array([draw(int(seed), 0) / 2**32 for seed in seeds])  # in [0, 1)
        return (reached > (lots * reached[:, -1])[:, None]).argmax(1).astype(np.int64)


def tiers() -> list[str]:
    """Names of the tiers that ship."""
    return [Path(path).stem for path in shipped() if path.startswith(f"{_FOLDER}/")]


def load_tier(name: str | Path) -> Tier:
    """Load a tier by its name (`easy`) or from the user's own TOML file.

    Raises:
        TierError: there is no such tier, or its file is no valid tier.
    """
    try:
        path = find(name if str(name).endswith(".toml") else f"{_FOLDER}/{name}.toml")
        fields = tomllib.loads(read_text(path, MAX_TOML))
    except FileNotFoundError:
        raise TierError(f"there is no tier {str(name)!r}: name one of {', '.join(tiers())}, or a TOML file") from None
    except (OSError, ValueError, RecursionError) as error:
        raise TierError(f"{name}: {error}") from None
    return parse_tier({"name": path.stem, **fields}, str(path))


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
        raise TierError(f"{where}: {key}: {first['msg'].lower()}; a tier has temperature and cap") from None

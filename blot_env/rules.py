"""Rule sets: presets as data, checked, frozen, and turned into the one record that the kernels read."""

import tomllib
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from blot_env.actions import ActionLayout
from blot_env.cards import AT, NT, STRAINS
from blot_env.observation import ObservationLayout, observation_layout, oracle_layout

_PRESETS = files("blot_env") / "presets"
RULESETS: tuple[str, ...] = tuple(sorted(p.name.removesuffix(".toml") for p in _PRESETS.iterdir()))
"""The names of the presets."""

RULES = np.dtype(
    (
        np.record,
        [
            ("target", "i8"),
            ("players", "i8"),
            ("sides", "i8"),
            ("side", "i8", (4,)),  # by seat
            ("hand_size", "i8"),
            ("strains", "i8"),
            ("min_number", "i8"),
            ("max_number", "i8"),
            ("capot_min", "i8"),
            ("capots", "i8"),  # the first capot bid
            ("actions", "i8"),
            ("last_word", "i8"),
            ("contra", "i8"),
            ("recontra", "i8"),
            ("recontra_by_side", "i8"),
            ("redeal_same", "i8"),
            ("beat_all", "i8"),
            ("always_trump", "i8"),
            ("undertrump", "i8"),
            ("last_trick", "i8"),
            ("all_tricks", "i8"),
            ("all_tricks_counts", "i8"),
            ("blot", "i8"),
            ("trump_run_is_better", "i8"),
            ("adds_bid", "i8"),
            ("contra_takes_all", "i8"),
            ("holder_keeps_blot", "i8"),
            ("round_at", "i8"),  # the remainder of ten from which points are rounded up
            ("tars_kapout", "i8"),
            ("capot_contra_wins", "i8"),
            ("multiplier", "i8", (6, 3)),  # by strain and contra level
            ("points", "i8", (6, 32)),  # by strain and card
            ("runs", "i8", (9,)),  # by length
            ("fours", "i8", (6, 8)),  # by strain and rank
        ],
    )
)
"""What the kernels read of a rule set: one value a field, in int64."""


class RulesError(ValueError):
    """A preset or field that does not exist, or a value that a field cannot have."""


PerRank = Annotated[tuple[int, ...], Field(min_length=8, max_length=8)]
ByContra = Annotated[tuple[int, int, int], Field()]


class RuleSet(BaseModel):
    """The rules of one game. Fields are those of a preset file; see `blot_env/presets` for their grouping.

    Attributes not in the file: `name` (the preset it came from) and `target` (the points that win the match).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    target: int = Field(gt=0, le=100_000)
    players: Literal[4] = 4
    teams: Literal[True] = True
    ranks: Literal["789TJQKA"] = "789TJQKA"
    hand_size: Literal[8] = 8
    targets: tuple[int, ...]
    strains: tuple[Literal["C", "D", "H", "S", "NT", "AT"], ...]
    auction: Literal["numbered"] = "numbered"
    min_number: int = Field(ge=1, le=80)
    max_number: int = Field(ge=1, le=80)
    last_word: bool
    contra: bool
    recontra: bool
    recontra_by: Literal["side", "bidder"]
    capot_min: int = Field(ge=1, le=80)
    redeal: Literal["same", "next"]
    must_beat: Literal["trump", "all"]
    must_trump: Literal["unless_partner_wins", "always"]
    cannot_overtrump: Literal["free", "undertrump"]
    points_trump: PerRank
    points_plain: PerRank
    points_nt: PerRank
    last_trick: int = Field(ge=0, le=1000)
    all_tricks: int = Field(ge=0, le=1000)
    all_tricks_counts: bool
    runs: tuple[int, int, int]
    fours: PerRank
    fours_nt: PerRank
    trump_run_is_better: bool
    announce: Literal["automatic"] = "automatic"
    blot: int = Field(ge=0, le=1000)
    multiplier: ByContra
    multiplier_nt: ByContra
    adds_bid: bool
    contra_takes_all: bool
    failed_blot: Literal["holder", "opponents"]
    rounding: Literal["half_down", "half_up"]
    tars_kapout: bool
    capot_contra_wins: bool

    @model_validator(mode="after")
    def _no_contradictions(self) -> "RuleSet":
        if self.strains not in (STRAINS[:4], STRAINS[:5], STRAINS):
            raise ValueError("strains: give C D H S, then NT if it is played, then AT if it is played too")
        if self.min_number > self.max_number:
            raise ValueError(f"min_number: {self.min_number} is above max_number, {self.max_number}")
        if self.recontra and not self.contra:
            raise ValueError("recontra: there is no recontra without contra")
        for field in ("points_trump", "points_plain", "points_nt", "runs", "fours", "fours_nt"):
            if not all(0 <= points <= 1000 for points in getattr(self, field)):
                raise ValueError(f"{field}: points lie between 0 and 1000")
        for field in ("multiplier", "multiplier_nt"):
            if not all(1 <= factor <= 100 for factor in getattr(self, field)):
                raise ValueError(f"{field}: factors lie between 1 and 100")
        return self

    @property
    def sides(self) -> int:
        """How many sides play: teams, or seats that play alone."""
        return 2 if self.teams else self.players

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return seat % self.sides

    def partner(self, seat: int) -> int | None:
        """Return the seat of the partner, None where each plays alone."""
        return (seat + 2) % 4 if self.teams else None

    @cached_property
    def actions(self) -> ActionLayout:
        """The flat action space: its size, and actions from and to notation."""
        return ActionLayout(self.strains, self.min_number, self.max_number)

    @cached_property
    def observation(self) -> ObservationLayout:
        """The columns of an observation."""
        return observation_layout(self.players, self.sides, len(self.strains))

    @cached_property
    def oracle(self) -> ObservationLayout:
        """The columns of the full state that a critic may see in training."""
        return oracle_layout(self.players, self.sides, len(self.strains))

    @cached_property
    def record(self) -> np.record:
        """The record (dtype `RULES`) that the kernels read."""
        return self.records[0]

    @cached_property
    def records(self) -> NDArray[np.void]:
        """The record as an array, shape (1,): Python hands an array to a kernel ten times as fast as a record."""
        records = np.zeros(1, RULES)
        r = records[0]
        r.target = self.target
        r.players, r.sides, r.hand_size, r.strains = self.players, self.sides, self.hand_size, len(self.strains)
        r.side[: self.players] = [self.side(seat) for seat in range(self.players)]
        r.min_number, r.max_number, r.capot_min = self.min_number, self.max_number, self.capot_min
        r.capots, r.actions = self.actions.capots, self.actions.size
        r.last_word, r.contra, r.recontra = self.last_word, self.contra, self.recontra
        r.recontra_by_side, r.redeal_same = self.recontra_by == "side", self.redeal == "same"
        r.beat_all = self.must_beat == "all"
        r.always_trump, r.undertrump = self.must_trump == "always", self.cannot_overtrump == "undertrump"
        r.last_trick, r.all_tricks, r.all_tricks_counts = self.last_trick, self.all_tricks, self.all_tricks_counts
        r.blot, r.trump_run_is_better = self.blot, self.trump_run_is_better
        r.adds_bid, r.contra_takes_all = self.adds_bid, self.contra_takes_all
        r.holder_keeps_blot = self.failed_blot == "holder"
        r.round_at = 6 if self.rounding == "half_down" else 5
        r.tars_kapout, r.capot_contra_wins = self.tars_kapout, self.capot_contra_wins
        r.runs[3], r.runs[4], r.runs[5:] = self.runs
        for strain in range(6):
            r.multiplier[strain] = self.multiplier_nt if strain == NT else self.multiplier
            r.fours[strain] = self.fours_nt if strain == NT else self.fours
            plain = self.points_nt if strain == NT else self.points_plain
            for suit in range(4):
                r.points[strain, 8 * suit : 8 * suit + 8] = self.points_trump if strain in (AT, suit) else plain
        return records


def nearest(name: str, known: list[str]) -> str:
    """Return " (did you mean 'x'?)" for the known name nearest to a wrong one, or nothing where none is near."""
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f" (did you mean {near[0]!r}?)" if near else ""


@cache
def _preset(name: str) -> dict[str, Any]:
    """Return the fields of a preset as its file has them; `target` is the first of `targets`."""
    data = tomllib.loads((_PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
    return {**data, "target": data["targets"][0]}


def rule_set(rules: RuleSet | str) -> RuleSet:
    """Return the rule set itself, or the preset of a name.

    Raises:
        RulesError: it is neither.
    """
    return rules if isinstance(rules, RuleSet) else load_rules(rules)


def load_rules(preset: str, /, **fields: Any) -> RuleSet:
    """Return the rule set of a preset, with some fields changed.

    Args:
        preset: a name of `RULESETS`.
        fields: fields to override; `target` is the points that win the match, by default the first of `targets`.

    Raises:
        RulesError: no such preset or field (the nearest right name is given), or a value that cannot be.

    >>> load_rules("bazar", target=301).target
    301
    """
    if not isinstance(preset, str) or preset not in RULESETS:
        near = nearest(str(preset), list(RULESETS))
        raise RulesError(f"rules: no preset is named {preset!r}{near}; there are {', '.join(RULESETS)}")
    data = _preset(preset)
    known = [field for field in RuleSet.model_fields if field != "name"]
    for field in fields:
        if field not in known:
            raise RulesError(f"rules: there is no field {field!r}{nearest(field, known)}")
        if isinstance(fields[field], bool) and RuleSet.model_fields[field].annotation is int:
            raise RulesError(f"rules: {field}: a whole number is wanted, not {fields[field]}")
    try:
        return RuleSet(name=preset, **(data | fields))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        given = f", not {first['input']!r}" if place else ""
        raise RulesError(f"rules: {place + ': ' if place else ''}{reason}{given}") from None

"""Rule sets: presets as data, checked and frozen."""

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from blot_env.actions import ActionLayout
from blot_env.contradictions import contradictions
from blot_env.observation import ObservationLayout, observation_layout, oracle_layout
from blot_env.rules_record import records_of
from blot_env.text_files import MAX_TOML, read_text

_PRESETS = files("blot_env") / "presets"
_ORDER = ("bazar", "duel", "bazar-alltrump", "hayblot", "bazar-classic", "blotstar", "bela4", "bela3", "bela2")
RULESETS: tuple[str, ...] = tuple(
    sorted((p.name.removesuffix(".toml") for p in _PRESETS.iterdir()), key=lambda name: (_ORDER + (name,)).index(name))
)
"""The names of the presets."""


class RulesError(ValueError):
    """A preset or field that does not exist, or a value that a field cannot have."""


PerRank = Annotated[tuple[int, ...], Field(min_length=8, max_length=8)]

SECTIONS: dict[str, tuple[str, ...]] = {
    "The table": (
        "target", "targets", "players", "teams", "ranks", "hand_size", "visible", "face_down", "stock",
    ),
    "The auction": (
        "auction", "strains", "min_number", "max_number", "jump_bids", "reenter", "last_word", "contra", "recontra",
        "recontra_by", "capot", "capot_min", "capot_needs_points", "forced_dealer", "redeal", "swap_seven", "discards",
    ),
    "What may be played": ("must_beat", "must_trump", "cannot_overtrump"),
    "Card points": ("points_trump", "points_plain", "points_nt", "points_at", "last_trick"),
    "Combinations": (
        "runs", "fours", "fours_nt", "worthless_fours", "combination_order", "run_order", "four_tie",
        "trump_run_is_better", "trick_needed", "announce", "bluff", "late_claims", "blot", "blot_at", "blot_compared",
        "belot",
    ),
    "Scoring": (
        "made_by", "all_tricks", "all_tricks_for", "all_tricks_counts", "all_tricks_set", "multiplier", "multiplier_nt",
        "adds_bid", "contra_takes_all", "failed_to", "failed_cards", "failed_blot", "undealt_to", "rounding",
    ),
    "The end of the match": (
        "tars_kapout", "tars_kapout_wins", "capot_contra_wins", "leader_cannot_win_by_failing",
    ),
}  # fmt: skip
"""The fields of a rule set, grouped as pages and tables show them."""


class RuleSet(BaseModel):
    """The rules of one game. Each field's `description` says what it means; `SECTIONS` groups them.

    `name` is the preset that the fields start from, `changes` the fields that differ from it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="The preset.")
    target: int = Field(gt=0, le=100_000, description="Match points that win the match; by default the first target.")
    targets: tuple[int, ...] = Field(min_length=1, description="Targets that players choose from.")
    players: Literal[2, 3, 4] = Field(description="Seats, numbered in the order of turn.")
    teams: bool = Field(description="Seats opposite each other are partners; otherwise each plays alone.")
    ranks: str = Field(description="Ranks in the pack, in natural order.")
    hand_size: int = Field(ge=1, le=10, description="Cards that each player plays, and so the number of tricks.")
    visible: int = Field(ge=1, le=10, description="Cards that each player sees in the auction.")
    face_down: int = Field(ge=0, le=9, description="Own cards that lie face down until the auction is over.")
    stock: Literal["none", "out", "drawn", "namer"] = Field(
        description="The rest of the pack: there is none; it is out of play; each player draws up to hand_size from "
        "it, the namer of trump first, the turned card included; or the namer takes it up and discards as many."
    )
    auction: Literal["numbered", "turned", "named", "eldest"] = Field(
        description="Bids of a number and a strain; taking the suit of a turned card or, in a second round, naming "
        "another; naming a suit in turn; or eldest must name one."
    )
    strains: tuple[Literal["C", "D", "H", "S", "NT", "AT"], ...] = Field(
        description="Trump suits, no trump (NT), all trump (AT)."
    )
    min_number: int = Field(ge=1, le=80, description="The lowest number of a bid.")
    max_number: int = Field(ge=1, le=80, description="The highest number of a bid that is no capot call.")
    jump_bids: bool = Field(
        description="A bid may skip numbers; otherwise each is one above the standing bid, but for a capot."
    )
    reenter: bool = Field(description="A player who has passed may bid later.")
    last_word: bool = Field(description="After three passes the bidder is asked to keep its bid or to raise it.")
    contra: bool = Field(description="The opponents of the standing bid may double it.")
    recontra: bool = Field(description="A contra may be redoubled.")
    recontra_by: Literal["side", "bidder"] = Field(description="Who is asked for a recontra.")
    capot: Literal["none", "call", "from_25", "mark"] = Field(
        description="The promise of all tricks: none; a call of its own in each strain, above all numbers; every bid "
        "of capot_min or more; or a mark on a bid of capot_min or more."
    )
    capot_min: int = Field(ge=1, le=80, description="The number that a capot call counts at least, see capot.")
    capot_needs_points: bool = Field(description="A capot also needs the points of its number.")
    forced_dealer: bool = Field(description="The dealer must name a suit when all the others have passed.")
    redeal: Literal["same", "next"] = Field(description="Who deals again after a board that nobody bid on.")
    swap_seven: bool = Field(description="Whoever sees the seven of trump may swap it for the turned card.")
    discards: Literal["out", "namer"] = Field(description="Who gets the points of the namer's discards: nobody or it.")
    must_beat: Literal["trump", "all"] = Field(description="In which suits a higher card must be played by who can.")
    must_trump: Literal["unless_partner_wins", "always"] = Field(description="When a player void in a suit must trump.")
    cannot_overtrump: Literal["free", "undertrump"] = Field(
        description="What a player who must trump but has no higher trump plays: any card, or a lower trump."
    )
    points_trump: PerRank = Field(description="Points of the trumps 7 8 9 T J Q K A.")
    points_plain: PerRank = Field(description="Points of plain cards 7 8 9 T J Q K A.")
    points_nt: PerRank = Field(description="Points of cards at no trump 7 8 9 T J Q K A.")
    points_at: PerRank = Field(description="Points of cards at all trump 7 8 9 T J Q K A.")
    last_trick: int = Field(ge=0, le=1000, description="Points of the last trick.")
    runs: tuple[int, int, int] = Field(description="Points of three, four, and five or more cards in a row.")
    fours: PerRank = Field(description="Points of four 7 8 9 T J Q K A.")
    fours_nt: PerRank = Field(description="Points of four 7 8 9 T J Q K A at no trump.")
    worthless_fours: bool = Field(description="A four without points is a combination all the same.")
    combination_order: Literal["kind", "points"] = Field(
        description="The better combination: fours above runs, then rank; or the one of more points."
    )
    run_order: Literal["length", "class"] = Field(
        description="The better run: the longer one, or that of the higher class (terz, fifty, hundred)."
    )
    four_tie: Literal["eldest", "rank"] = Field(
        description="The better of two fours of equal points: who comes first from eldest, or the stronger rank."
    )
    trump_run_is_better: bool = Field(description="Of runs of equal length and top, the one in trump is better.")
    trick_needed: bool = Field(description="A side scores combinations and blot only if it takes a trick.")
    announce: Literal["automatic", "by_choice"] = Field(
        description="Combinations are announced and shown without being asked, or as each player chooses."
    )
    bluff: bool = Field(description="By choice: who holds no combination is asked too, and may announce a terz.")
    late_claims: bool = Field(description="By choice: who has played to the second trick may still be asked to show.")
    blot: int = Field(ge=0, le=1000, description="Points of king and queen of trump in one hand.")
    blot_at: bool = Field(description="At all trump each suit's king and queen count.")
    blot_compared: bool = Field(
        description="The blot counts only for the side whose combinations score; it is the lowest."
    )
    belot: bool = Field(description="All cards of a suit in one hand win the match at once.")
    made_by: Literal["raw", "rounded", "more"] = Field(
        description="What makes a contract: ten times its number in raw points; its number in rounded points; or more "
        "raw points than all the others."
    )
    all_tricks: int = Field(ge=0, le=1000, description="Points for the side that takes all tricks.")
    all_tricks_for: Literal["either", "bidders"] = Field(description="Who may get the points for all tricks.")
    all_tricks_counts: bool = Field(description="The points for all tricks help to make the contract.")
    all_tricks_set: int = Field(
        ge=0, le=1000, description="What a side's cards count when it takes all tricks; 0: as they are."
    )
    multiplier: tuple[int, int, int] = Field(description="Factor of a contract: plain, contra, recontra.")
    multiplier_nt: tuple[int, int, int] = Field(
        description="Factor of a contract at no trump: plain, contra, recontra."
    )
    adds_bid: bool = Field(
        description="The number times the factor is added to the points; otherwise they are multiplied."
    )
    contra_takes_all: bool = Field(description="Who makes a contract under contra takes the whole deal.")
    failed_to: Literal["opponents", "nobody"] = Field(
        description="Who writes the points that the bidders of a failed contract took."
    )
    failed_cards: tuple[int, ...] = Field(
        description="Match points that a failed contract's cards bring the opponents, and when they took all tricks; "
        "their own combinations and blot are added. Empty: they get the whole deal."
    )
    failed_blot: Literal["holder", "opponents"] = Field(
        description="Who writes the blot of the side that loses a deal."
    )
    undealt_to: Literal["nobody", "winner"] = Field(
        description="Who gets the points of the stock's cards that nobody drew: nobody, or the contract's winner."
    )
    rounding: Literal["half_down", "half_up", "none"] = Field(
        description="Match points are tenths of raw points, 85 is 8 or 9; or the raw points themselves."
    )
    tars_kapout: bool = Field(description="Bidders who take no trick have failed, whatever their combinations.")
    tars_kapout_wins: bool = Field(
        description="Where tars_kapout holds, bidders who take no trick lose the match at once."
    )
    capot_contra_wins: bool = Field(description="A capot that is made under contra wins the match at once.")
    leader_cannot_win_by_failing: bool = Field(
        description="Nobody wins in a deal in which the leading side failed its own contract."
    )

    @model_validator(mode="after")
    def _no_contradictions(self) -> "RuleSet":
        for contradiction in contradictions(self):
            raise ValueError(contradiction)
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

    @property
    def numbered(self) -> bool:
        """Whether bids have a number."""
        return self.auction == "numbered"

    @property
    def dealt(self) -> int:
        """How many cards each seat is dealt before the auction, face up or down."""
        return self.visible + self.face_down

    @property
    def stock_size(self) -> int:
        """How many cards are left when the hands are dealt."""
        return 4 * len(self.ranks) - self.players * self.dealt

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that differ from the preset's, the target apart, as they are written in JSON."""
        return deepcopy(self._changes)

    @cached_property
    def _changes(self) -> dict[str, Any]:
        own, usual = (rules.model_dump(mode="json") for rules in (self, load_rules(self.name)))
        return {field: value for field, value in own.items() if field != "target" and value != usual[field]}

    @cached_property
    def actions(self) -> ActionLayout:
        """The flat action space: its size, and actions from and to notation."""
        if not self.numbered:
            return ActionLayout()
        return ActionLayout(self.strains, self.min_number, self.max_number, self.capot, self.capot_min)

    @cached_property
    def observation(self) -> ObservationLayout:
        """The columns of an observation."""
        return observation_layout(*self._shape)

    @cached_property
    def oracle(self) -> ObservationLayout:
        """The columns of the full state that a critic may see in training."""
        return oracle_layout(*self._shape)

    @property
    def _shape(self) -> tuple[int, int, int, bool, bool]:
        """What a layout depends on: players, sides, strains that numbers are called in, a stock, showing by choice."""
        called = len(self.strains) if self.numbered else 0
        return self.players, self.sides, called, self.hides_cards, self.announce == "by_choice"

    @property
    def hides_cards(self) -> bool:
        """Whether some cards lie face down or aside."""
        return self.stock != "none" or self.face_down > 0

    @cached_property
    def record(self) -> np.record:
        """The record (dtype `RULES`) that the kernels read."""
        return self.records[0]

    @cached_property
    def records(self) -> NDArray[np.void]:
        """The record as an array, shape (1,): Python hands an array to a kernel ten times as fast as a record."""
        return records_of(self)


def nearest(name: str, known: list[str]) -> str:
    """Return " (did you mean 'x'?)" for the known name nearest to a wrong one, or nothing where none is near."""
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f" (did you mean {near[0]!r}?)" if near else ""


def shown(value: Any) -> str:
    """Return a value as messages quote it, at most 60 characters of it."""
    try:
        return f"{value!r:.60}"
    except ValueError:  # Python writes no number of thousands of digits
        return "so large a number"
    except RecursionError:
        return "what is nested so deeply"


def rule_set(rules: RuleSet | str) -> RuleSet:
    """Return the rule set itself, or the preset of a name or file.

    Raises:
        RulesError: it is none of these.
    """
    return rules if isinstance(rules, RuleSet) else load_rules(rules)


def load_rules(preset: str, /, **fields: Any) -> RuleSet:
    """Return the rule set of a preset, with some fields changed.

    Args:
        preset: a name of `RULESETS`, or the path of a TOML file: the key `preset` names one of them (by default
            `bazar`), the others are fields that differ from it.
        fields: fields to override; `target` is the points that win the match, by default the first of `targets`.

    Raises:
        RulesError: no such preset or field (the nearest right name is given), or a value that cannot be.

    >>> load_rules("bazar", target=301).target
    301
    """
    if isinstance(preset, str) and preset.endswith(".toml"):
        base, own = _house_rules(preset)
        fields = own | fields
        place = f"rules: {preset}: "
    else:
        base, place = preset, "rules: "
    if not isinstance(base, str) or base not in RULESETS:
        near = nearest(base, list(RULESETS)) if isinstance(base, str) else ""
        raise RulesError(
            f"{place}no preset is named {shown(base)}{near}; there are {', '.join(RULESETS)}, or give a TOML file"
        )
    known = [field for field in RuleSet.model_fields if field != "name"]
    for field, value in fields.items():
        if field not in known:
            raise RulesError(f"{place}there is no field {field!r:.60}{nearest(field, known)}")
        if wanted := _wrong_kind(field, value):
            raise RulesError(f"{place}{field}: {wanted}")
    data = {**_preset(base), **fields}
    if "targets" in fields and isinstance(data["targets"], list | tuple) and data["targets"]:
        data = {"target": data["targets"][0]} | data
    try:
        return RuleSet(name=base, **({"target": _preset(base)["targets"][0]} | data))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        given = f", not {shown(first['input'])}" if where else ""
        raise RulesError(f"{place}{where + ': ' if where else ''}{reason}{given}") from None


def _wrong_kind(field: str, value: Any) -> str:
    """Return what is wanted where a value is of another kind than its field, which pydantic would make fit; else ""."""
    kind = RuleSet.model_fields[field].annotation
    if kind is bool and not isinstance(value, bool):
        return f"true or false is wanted, not {shown(value)}"
    if isinstance(value, bool) and kind is not bool:
        return f"{str(value).lower()} is no value for it"
    if kind is int and isinstance(value, str | float):
        return f"a whole number is wanted, not {shown(value)}"
    if field != "strains" and isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, bool | str | float):
                return (
                    f"whole numbers are wanted, not {str(item).lower() if isinstance(item, bool) else repr(item):.60}"
                )
    return ""


def house_text(path: str) -> str:
    """Return the text of a TOML file of rules.

    Raises:
        RulesError: there is none, or it cannot be read as one.
    """
    try:
        return read_text(path, MAX_TOML)
    except OSError as error:
        raise RulesError(f"rules: {path}: {error.strerror}") from None
    except ValueError as error:
        raise RulesError(f"rules: {path}: {error}") from None


def _house_rules(path: str) -> tuple[Any, dict[str, Any]]:
    """Return the preset that a TOML file starts from, and the fields that it changes."""
    text = house_text(path)
    try:
        fields = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"rules: {path}: this is no TOML: {error}") from None
    except RecursionError:
        raise RulesError(f"rules: {path}: this is nested too deeply; a field is one value or one list") from None
    except ValueError:  # Python reads no number of thousands of digits
        raise RulesError(f"rules: {path}: there is a number of thousands of digits; points have a few") from None
    return fields.pop("preset", "bazar"), fields


@cache
def _preset(name: str) -> Mapping[str, Any]:
    """Return all fields of a preset but the target: those of its file, and of the preset that it starts from."""
    fields = tomllib.loads((_PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
    base = fields.pop("preset", None)
    return {**_preset(base), **fields} if base else fields

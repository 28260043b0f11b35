"""What goes in and what comes out, as JSON; the schema of the OpenAPI page is made from these.

Here stands only which keys there are and of what kind. What they have to say of each other, and of the game, is checked
where every message is read (`blot_env.decision_from_message`).
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.networks import Rating

LARGEST_SEED = (1 << 63) - 1
MOST_MS = 60_000


class Question(BaseModel):
    """What a seat sees when it is its turn and nothing more (docs/bot-protocol.md), and what is wanted of the bot."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    rules: str | None = Field(None, description="The preset; it has to be the bot's.")
    fields: dict[str, Any] | None = Field(
        None, description="Under house rules: the fields changed from the preset; they have to be the bot's."
    )
    target: int | None = Field(None, description="Match points that win the match; by default the bot's.")
    scores: list[int] = Field(description="Match points by side as the deal began.")
    dealer: int = Field(description="Seat of the dealer.")
    seat: int = Field(description="The bot's seat, whose turn it has to be.")
    phase: Literal["auction", "swap", "discard", "announce", "show", "play"] | None = Field(
        None, description="What the seat is asked."
    )
    hand: str = Field(
        description="The cards that it saw in the auction, in the order dealt, those already played too: `JC 8D TS`."
    )
    turned: str | None = Field(None, description="The card turned up, where there is one.")
    swap_asked: int | None = Field(None, description="The seat that was asked to swap the seven.")
    taken: str | None = Field(None, description="With hidden cards: those that it has taken up since.")
    actions: list[str] = Field(
        description="All that was called, answered and played so far, in order; what others discarded is `discard`."
    )
    announced: list[list[str] | None] | None = Field(
        None, description="By seat the classes that it has announced; null before it has spoken."
    )
    shown: list[str] | None = Field(
        None,
        description="By seat the combination cards that it has laid open; null before the first trick is complete.",
    )
    seed: int | None = Field(
        None, ge=0, le=LARGEST_SEED, description="Seeds the choice; by default made from seat, cards and actions."
    )
    ms: float | None = Field(
        None,
        gt=0,
        le=MOST_MS,
        allow_inf_nan=False,
        description="Time in milliseconds since the request was accepted, instead of the tier's: no further world is "
        "searched once it is over. Such an answer cannot be repeated.",
    )
    explain: bool = Field(False, description="Whether the thoughts are wanted.")

    @property
    def message(self) -> dict[str, Any]:
        """What the seat sees, as `blot_env.decision_from_message` reads it."""
        return self.model_dump(exclude_unset=True, exclude={"ms", "explain"})


class World(BaseModel):
    """A deal that the bot imagined."""

    weight: float = Field(description="Of all that it imagined, whose weights sum to 1.")
    hands: list[str] = Field(description="The cards that each seat holds now, by seat.")


class Answer(BaseModel):
    """What the bot does."""

    action: str = Field(description="A legal action, in the notation of docs/records.md.")
    value: float | None = Field(
        description="What that is worth by its own judgement. Of a card that it searched: match points of its side "
        "minus the others', 20 more for winning the match (200 where these are raw points), its trust and regard "
        "counted in. Of an action that its policy network judged, such as a call: the natural logarithm of how likely "
        "the network takes it (ten times that where match points are raw points). null where nothing was left to weigh."
    )
    ms: float = Field(ge=0, description="How long it has thought, in milliseconds.")
    values: dict[str, float] | None = Field(
        None,
        description="If explained: the value of each action that it weighed, the best one first; none where `value` "
        "is null.",
    )
    worlds: list[World] | None = Field(
        None, description="If explained: the worlds that it searched, the heaviest first; none where it searched none."
    )


class BotCard(BaseModel):
    """A bot, as the list of bots has it."""

    name: str
    rules: str = Field(description="The preset that it plays.")
    fields: dict[str, Any] = Field(description="What its rules change of the preset.")
    target: int = Field(description="Match points that win a match, where a request names no others.")
    tier: str
    rating: Rating | None = Field(description="Elo points among the tiers of its game; null: not measured.")


class Health(BaseModel):
    """That the server answers, and how busy it is."""

    status: Literal["ok"] = "ok"
    bots: int
    waiting: int = Field(ge=0, description="Requests that wait for a thread.")


class Problem(BaseModel):
    """What was wrong, where, and what would be right."""

    error: str

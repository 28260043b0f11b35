"""Training configs: TOML files, checked before anything runs.

    config = load_config("configs/quick.toml", ["ppo.clip=0.1", "seed=3"])

The classes below are the one definition of every setting: its name, type, range, default and meaning. A schedule is a
pair, from the start of the training to its end, or one number for all of it.

The rules are a preset, or a table of a preset (by name, or the path of a TOML file) and the fields that differ from it:

    rules = "duel"

    [rules]
    preset = "bazar"
    last_word = false
"""

import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StrictBool,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from agents.resources import find
from agents.sizes import NetworkSize, TrunkSize
from blot_env import RulesError, RuleSet, load_rules
from blot_env.episode import with_target
from blot_env.rules import nearest, shown
from blot_env.text_files import MAX_TOML, read_text
from train.overrides import OverrideError, parse_override


class ConfigError(ValueError):
    """A config that cannot be used; the message names the file, the key, and what would be right."""


def _schedule(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value, value
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("give one number, or a pair: at the start and at the end")
    return tuple(value)


def _shares(value: dict[str, float]) -> dict[str, float]:
    if not all(0 <= share <= 1 for share in value.values()) or sum(value.values()) > 1 + 1e-9:
        raise ValueError("shares lie between 0 and 1 and add up to 1 at most")
    return value


def _rules(value: Any) -> RuleSet:
    """Return the rule set that a config names."""
    if isinstance(value, RuleSet):
        return value
    fields = {"preset": value} if isinstance(value, str) else value
    if not isinstance(fields, dict):
        raise ValueError("give a preset, or a table of a preset and the fields that differ from it")
    try:
        return load_rules(fields.get("preset", "bazar"), **{key: fields[key] for key in fields if key != "preset"})
    except RulesError as error:
        raise PydanticCustomError("rules", "{reason}", {"reason": str(error).removeprefix("rules: ")}) from None


def _written(rules: RuleSet) -> str | dict[str, Any]:
    """Return a rule set as a config has it."""
    target = {} if rules.target == rules.targets[0] else {"target": rules.target}
    fields = rules.changes | target
    return {"preset": rules.name, **fields} if fields else rules.name


Natural = Annotated[int, Field(ge=0, strict=True)]
Count = Annotated[int, Field(ge=1, strict=True)]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]
Positive = Annotated[float, Field(gt=0, strict=True)]
NotNegative = Annotated[float, Field(ge=0, strict=True)]
Schedule = Annotated[tuple[NotNegative, NotNegative], BeforeValidator(_schedule)]
Rules = Annotated[RuleSet, BeforeValidator(_rules), PlainSerializer(_written)]
Shares = Annotated[dict[str, Annotated[float, Field(strict=True)]], AfterValidator(_shares)]
_ROWS = 1 << 20  # at most, of whatever is in memory at once


class Section(BaseModel):
    """A table of a config."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class NetworkConfig(Section):
    """The policy's two trunks, and the critic, which only training needs."""

    cards: TrunkSize = TrunkSize(width=128, blocks=2)
    auction: TrunkSize = TrunkSize(width=128, blocks=2)
    critic: TrunkSize = TrunkSize(width=160, blocks=1)

    @property
    def policy(self) -> NetworkSize:
        """The sizes of the policy."""
        return NetworkSize(cards=self.cards, auction=self.auction)


class RolloutConfig(Section):
    """The deals of an iteration."""

    tables: Annotated[Count, Field(le=_ROWS)] = 1024  # deals an iteration
    random_scores: StrictBool = True  # deals start from any score of a match, not only from nil all
    forced_contracts: Share = 0.2  # of the deals begin with some passes and a low bid


class ImitationConfig(Section):
    """Before self-play: learn what an agent does. `iterations` and `minutes` both 0 leave it out."""

    agent: str = "rules"
    minutes: NotNegative = 0  # whichever ...
    iterations: Natural = 0  # ... ends first, of those not 0
    deviations: Share = 0.1  # of its actions are exchanged for random ones
    learning_rate: Schedule = (1e-3, 3e-4)
    critic_learning_rate: Schedule = (1e-3, 5e-4)


class PPOConfig(Section):
    """The update."""

    epochs: Count = 2
    minibatch: Annotated[Count, Field(le=_ROWS)] = 4096
    clip: Positive = 0.15
    trace: Share = 0.95  # λ of the generalised advantage estimate
    learning_rate: Schedule = (3e-4, 3e-5)
    critic_learning_rate: Schedule = (5e-4, 1e-4)
    entropy_cards: Schedule = (0.01, 0.002)
    entropy_calls: Schedule = (0.02, 0.005)
    max_gradient: Positive = 0.5
    critic_first: Natural = 0  # iterations in which only the critic learns, for use with init


class LeagueConfig(Section):
    """Who else plays, as shares of the tables; at all others the learner plays itself."""

    past: Share = 0.2  # against earlier versions of itself
    past_players: Count = 2  # how many of them in an iteration
    every: Count = 20  # iterations from one such version to the next
    opponents: Shares = {"rules": 0.1, "random": 0.05}  # by agent: it plays one side
    partners: Shares = {"rules": 0.05}  # by agent: it plays one seat, and the learner all others
    search_tables: Natural | None = None  # at no more tables do agents that search sit; by default one of 24


class EvaluationConfig(Section):
    """Duplicate boards against fixed opponents."""

    every: Count = 20  # iterations
    boards: Annotated[Count, Field(ge=2, le=_ROWS)] = 200
    agents: tuple[str, ...] = ("random", "rules")


class Config(Section):
    """A training."""

    rules: Rules = load_rules("bazar")  # a preset, or a table: see above
    target: Annotated[Count, Field(le=100_000)] | None = None  # points that win a match; by default those of the rules
    seed: Annotated[Natural, Field(lt=1 << 62)] = 0
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: Annotated[Natural, Field(le=1024)] = 0  # of torch; 0: one a core
    minutes: NotNegative = 0  # whichever ...
    iterations: Natural = 0  # ... ends first, of those not 0; imitation included
    init: str | None = None  # a checkpoint to start from
    save_every: Count = 10  # iterations from one resume file to the next
    network: NetworkConfig = NetworkConfig()
    rollout: RolloutConfig = RolloutConfig()
    imitation: ImitationConfig = ImitationConfig()
    ppo: PPOConfig = PPOConfig()
    league: LeagueConfig = LeagueConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    @model_validator(mode="after")
    def _ends(self) -> "Config":
        if not self.minutes and not self.iterations:
            raise ValueError("give minutes or iterations: a training has to end")
        league = self.league
        if league.past + sum(league.opponents.values()) + sum(league.partners.values()) > 1 + 1e-9:
            raise ValueError("league: the shares of past, opponents and partners add up to more than 1")
        return self

    @property
    def game(self) -> RuleSet:
        """The rules, to the target."""
        return with_target(self.rules, self.target)


def load_config(path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """Read a config from a file, the user's own or one that ships.

    Args:
        path: a TOML file.
        overrides: `key=value` each, the key with dots (`ppo.clip=0.1`), the value as in TOML; text needs no quotes.

    Raises:
        ConfigError: there is no such file, it is no TOML, or a key or value in it or in an override is wrong.
    """
    try:
        found = find(path)
        values = tomllib.loads(read_text(found, MAX_TOML))
    except FileNotFoundError as error:
        raise ConfigError(str(error)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}") from None
    for override in overrides:
        _set(values, override)
    return parse_config(values, str(found))


def parse_config(values: dict[str, Any], where: str = "config") -> Config:
    """Check the values of a config, nested as in its TOML.

    Raises:
        ConfigError: a key is unknown or its value is wrong.
    """
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise ConfigError(f"{where}: {_explain(error)}") from None


def settings(section: type[BaseModel] = Config, prefix: str = "") -> Iterator[str]:
    """Yield all keys of a config, with dots."""
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind is not RuleSet:
            yield from settings(kind, f"{prefix}{name}.")
        else:
            yield prefix + name


def value_of(config: BaseModel, key: str) -> Any:
    """Return the value of a key with dots, as it is written in TOML."""
    value: Any = config
    for part in key.split("."):
        value = getattr(value, part)
    return _written(value) if isinstance(value, RuleSet) else value


def differences(first: Config, second: Config) -> list[str]:
    """Return the keys, with dots, whose values differ."""
    return [key for key in settings() if value_of(first, key) != value_of(second, key)]


def toml_of(config: Config) -> str:
    """Return a config as TOML, one key a line."""
    values = {key: value_of(config, key) for key in settings()}
    return "".join(f"{key} = {_toml(value)}\n" for key, value in values.items() if value is not None)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # where JSON's text is not TOML's


def _set(values: dict[str, Any], override: str) -> None:
    try:
        (*tables, last), value = parse_override(override)
    except OverrideError as error:
        raise ConfigError(str(error)) from None
    if tables[:1] == ["rules"] and isinstance(preset := values.get("rules"), str):
        values["rules"] = {"preset": preset}
    for table in tables:
        values = values.setdefault(table, {})
        if not isinstance(values, dict):
            raise ConfigError(f"--set {override}: {table} holds a value, not further keys")
    values[last] = value


def _explain(error: ValidationError) -> str:
    """Return the first thing that is wrong: its key, what was expected, and the nearest key where it is unknown."""
    first = error.errors()[0]
    path = [part for part in first["loc"] if isinstance(part, str)]
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        known = list(settings())
        near = nearest(key, known) or nearest(path[-1], known)
        siblings = [name.split(".")[len(path) - 1] for name in known if name.split(".")[: len(path) - 1] == path[:-1]]
        return f"{key}: there is no such key{near}; here stand {', '.join(dict.fromkeys(siblings))}"
    if first["type"] == "rules":
        return f"{key}: {first['msg']}"
    message = first["msg"].removeprefix("Value error, ")
    return f"{key}: {message[0].lower()}{message[1:]}, not {shown(first['input'])}" if key else message

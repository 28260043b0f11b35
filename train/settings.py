"""Settings in TOML files, checked before anything runs: those of a training, and those of a tournament.

A subclass of `Section` is the one definition of its settings: name, type, range, default and meaning. A schedule is a
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
from typing import Annotated, Any, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from agents.resources import find
from blot_env import RulesError, RuleSet, load_rules
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


_MOST = 1 << 40  # of whatever is counted: more than any run comes to, and times a million it still has 64 bits

Natural = Annotated[int, Field(ge=0, le=_MOST, strict=True)]
Count = Annotated[int, Field(ge=1, le=_MOST, strict=True)]
Seed = Annotated[int, Field(ge=0, lt=1 << 62, strict=True)]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]
Positive = Annotated[float, Field(gt=0, strict=True)]
NotNegative = Annotated[float, Field(ge=0, strict=True)]
Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, lt=_MOST, strict=True, allow_inf_nan=False)]
Schedule = Annotated[tuple[NotNegative, NotNegative], BeforeValidator(_schedule)]
Rules = Annotated[RuleSet, BeforeValidator(_rules), PlainSerializer(_written)]
Shares = Annotated[dict[str, Annotated[float, Field(strict=True)]], AfterValidator(_shares)]


class Section(BaseModel):
    """A table of a config."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


S = TypeVar("S", bound=Section)


def read_settings(model: type[S], path: str | Path, overrides: Sequence[str] = ()) -> S:
    """Read settings from a file, the user's own or one that ships.

    Args:
        model: what they are to be.
        path: a TOML file.
        overrides: `key=value` each, the key with dots (`ppo.clip=0.1`), the value as in TOML; text needs no quotes.

    Raises:
        ConfigError: there is no such file, it is no TOML, or a key or value in it or in an override is wrong.
    """
    found, values = read_values(path, overrides)
    return check_settings(model, values, str(found))


def read_values(path: str | Path, overrides: Sequence[str] = ()) -> tuple[Path, dict[str, Any]]:
    """Return the TOML file that is meant, the user's own or one that ships, and the values in it after overrides.

    Raises:
        ConfigError: there is no such file, it is no TOML, or an override is none.
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
    return found, values


def check_settings(model: type[S], values: dict[str, Any], where: str = "config", overrides: Sequence[str] = ()) -> S:
    """Check the values of settings, nested as in their TOML, after overrides as of `read_settings`.

    Raises:
        ConfigError: a key is unknown or its value is wrong.
    """
    for override in overrides:
        _set(values, override)
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise ConfigError(f"{where}: {_explain(model, error)}") from None


def settings(section: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Yield all keys of settings, with dots."""
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind is not RuleSet:
            yield from settings(kind, f"{prefix}{name}.")
        else:
            yield prefix + name


def value_of(config: BaseModel, key: str) -> Any:
    """Return the value of a key with dots, as it is written in TOML; a table that may be left out is one value."""
    value: Any = config
    for part in key.split("."):
        value = getattr(value, part)
    if isinstance(value, Section):
        return {name: value_of(value, name) for name in type(value).model_fields}
    return _written(value) if isinstance(value, RuleSet) else value


def differences(first: Section, second: Section) -> list[str]:
    """Return the keys, with dots, whose values differ."""
    return [key for key in settings(type(first)) if value_of(first, key) != value_of(second, key)]


def toml_of(config: Section) -> str:
    """Return settings as TOML, one key a line."""
    values = {key: value_of(config, key) for key in settings(type(config))}
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


def _section(model: type[BaseModel], path: Sequence[str]) -> type[BaseModel]:
    """Return the table that a path of keys leads to, also one that may be left out."""
    for key in path:
        kind = model.model_fields[key].annotation
        model = next(part for part in (kind, *get_args(kind)) if isinstance(part, type) and issubclass(part, BaseModel))
    return model


def _explain(model: type[BaseModel], error: ValidationError) -> str:
    """Return the first thing that is wrong: its key, what was expected, and the nearest key where it is unknown."""
    first = error.errors()[0]
    path = [part for part in first["loc"] if isinstance(part, str)]
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        known, siblings = list(settings(model)), list(_section(model, path[:-1]).model_fields)
        near = nearest(key, [".".join([*path[:-1], name]) for name in siblings] + known) or nearest(path[-1], known)
        return f"{key}: there is no such key{near}; here stand {', '.join(siblings)}"
    if first["type"] == "rules":
        return f"{key}: {first['msg']}"
    message = first["msg"].removeprefix("Value error, ")
    return f"{key}: {message[0].lower()}{message[1:]}, not {shown(first['input'])}" if key else message

"""Agents by short specs, as configs, the command line and tests name them: `rules`, `random:uniform`, `policy:PATH`.

A spec is `name`, then `:ARG` where the agent takes one, then options: `name:ARG,key=value,key=value`, or options
alone: `name:key=value,key=value`. The parameters of the agent's factory say what it takes: the first one after the
rules may be given as ARG, all of them as `key=value`. A path with a `=` in it is ARG unless an option's name stands
before.
"""

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from agents.agent import Agent
from blot_env.rules import RuleSet, nearest


class SpecError(ValueError):
    """A spec that names no agent, or an agent that cannot be made as the spec says."""


class Entry(NamedTuple):
    """Where an agent comes from: `factory(rules, ...)`, imported when first wanted, and the extra that it needs."""

    factory: str  # module:name
    extra: str = ""


AGENTS = {
    "bot": Entry("agents.bot:BotAgent", "bot"),
    "ismcts": Entry("agents.search.ismcts:IsmctsPlayer", "train"),
    "pimc": Entry("agents.search.pimc:PIMCPlayer"),
    "policy": Entry("agents.policy:PolicyAgent", "train"),
    "random": Entry("agents.random_player:RandomPlayer"),
    "rules": Entry("agents.rule_based:RulePlayer"),
    "seer": Entry("agents.search.seer:Seer"),
    "tier": Entry("agents.tiers.spec:tier_player", "bot"),
    "values": Entry("agents.contract_calls:ValuesPlayer", "bot"),
}
"""The agents by name."""


def make(spec: str, rules: RuleSet) -> Agent:
    """Return the agent that a spec names, as a player of `rules`.

    Raises:
        SpecError: the spec names no agent, gives it a wrong or missing option, or its files cannot be used; the message
            says which, and the nearest right name.

    >>> from blot_env import load_rules
    >>> make("random:uniform", load_rules("bazar")).name
    'random:uniform@1'
    """
    if not isinstance(spec, str):
        raise SpecError(f"{spec!r:.60}: an agent is named by a text such as 'rules'")
    head, *pairs = spec.split(",")
    name, colon, argument = head.partition(":")
    if name not in AGENTS:
        raise SpecError(f"no agent is named {name!r}{nearest(name, list(AGENTS))}; there are {', '.join(AGENTS)}")
    factory = _load(name)
    _, *parameters = inspect.signature(factory, eval_str=True).parameters.values()
    types = {parameter.name: parameter.annotation for parameter in parameters}
    given = {}
    if colon:
        if not parameters:
            raise SpecError(f"agent {name!r} takes nothing after its name, so {head!r} means nothing")
        key, equals, _ = argument.partition("=")
        if equals and (key in types or types[parameters[0].name] not in (Path, str)):
            pairs.insert(0, argument)
        else:
            given[parameters[0].name] = argument
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SpecError(f"agent {spec!r}: {pair!r} is no option; write options as key=value")
        if key not in types:
            known = f"; there are {', '.join(types)}" if types else "; it has none"
            raise SpecError(f"agent {name!r} has no option {key!r}{nearest(key, list(types))}{known}")
        if key in given:
            raise SpecError(f"agent {spec!r}: {key} is given twice")
        given[key] = value
    options = {key: _value(name, key, value, types[key]) for key, value in given.items()}
    for parameter in parameters:
        if parameter.default is parameter.empty and parameter.name not in options:
            raise SpecError(f"agent {name!r} needs its {parameter.name}: write {name}:{parameter.name.upper()}")
    try:
        return factory(rules, **options)
    except ImportError as error:
        raise _missing(name, error) from None
    except (OSError, ValueError) as error:
        raise SpecError(f"agent {spec!r}: {error}") from error


def _load(name: str) -> Any:
    module, _, factory = AGENTS[name].factory.partition(":")
    try:
        return getattr(import_module(module), factory)
    except ImportError as error:
        raise _missing(name, error) from None


def _missing(name: str, error: ImportError) -> SpecError:
    extra = AGENTS[name].extra
    advice = f"; pip install '.[{extra}]' in a clone of blot brings what it needs" if extra else ""
    return SpecError(f"agent {name!r} cannot be loaded ({error}){advice}")


def _value(name: str, key: str, text: str, kind: Any) -> Any:
    try:
        return TypeAdapter(kind).validate_strings(text)
    except ValidationError as error:
        reason = error.errors()[0]["msg"].lower()
        raise SpecError(f"agent {name!r}: {key} is {text!r}; {reason}") from None

"""A pipeline: stages one after the other, each from the weights of the last one that was kept.

    blot train configs/bazar/pipeline.toml --name bazar

A run is a folder, runs/NAME:

    config.toml       every setting
    1-self-play …     the folder of each stage, named as its config
    results.json      what each stage brought, as far as it has come
    policy.safetensors manifest.json learner.safetensors    at the end: those of the last stage that was kept
    values.safetensors values.onnx …                        and the contract values of the last one that has any

After a stage the new policy plays the one before it on duplicate boards. If it may well have become worse, it is not
kept, and the next stage starts where this one did. A stage that has ended is not trained again, and what was measured
is not measured again, so a run may be stopped anywhere.
"""

import json
import re
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from rich.console import Console
from rich.table import Table
from safetensors import SafetensorError
from safetensors.torch import load, save

from agents import Agent
from agents.checkpoint import NEW_WEIGHTS, WEIGHTS, load_checkpoint, write_whole
from agents.manifest import MANIFEST, explain
from agents.match_odds import MatchOdds
from agents.policy import NetworkAgent
from agents.resources import find
from blot_env.files import read_regular
from train import stages
from train.config import Config
from train.contract_values.export import VALUE_FILES, has_values
from train.duplicate import Part, play_duplicate
from train.folders import CONFIG, LEARNER, RESUME, clear, open_run
from train.league import make_steady, named
from train.loop import device_of
from train.settings import ConfigError, Natural, NotNegative, Section, Seed, toml_of
from train.tournament.estimates import Estimate, bootstrap
from train.tournament.report.terminal import new_table

RESULTS = "results.json"
_PLAYED_BY = {"contract-values": "values"}
"""Who shows what a stage learnt that leaves the policy as it was, by its kind."""
_MAX_RESULTS = 1 << 20  # bytes
_SEED = 1 << 42  # of the boards: neither those of trainings nor those of their evaluations

_BEFORE = "the stage before"
_WRITTEN = {CONFIG, RESULTS, WEIGHTS, NEW_WEIGHTS, MANIFEST, LEARNER, *VALUE_FILES}

Boards = Annotated[int, Field(ge=2, le=1 << 20, strict=True)]


def _none_or_two(boards: int) -> int:
    if boards == 1:
        raise ValueError("one board has no interval: give 0, or 2 or more")
    return boards


def _nameable(paths: tuple[str, ...]) -> tuple[str, ...]:
    stems = [Path(path).stem for path in paths]
    if hidden := next((path for path in paths if Path(path).stem.startswith(".")), None):
        raise ValueError(f"{hidden}: the name of a stage's config, which is that of its folder, begins with no dot")
    if taken := next((path for path in paths if Path(path).stem in _WRITTEN), None):
        raise ValueError(f"{taken}: a stage cannot be named {Path(taken).stem}, as a file of the pipeline is")
    if twice := next((stem for stem in stems if stems.count(stem) > 1), None):
        raise ValueError(f"two of them are named {twice}; give the configs of stages different names")
    return paths


class KeepConfig(Section):
    """When a stage is kept: on duplicate boards against the policy that it started from."""

    boards: Boards = 4000
    tolerance: NotNegative = 0.25  # match points a board by which the 95 % interval may reach below zero


class ResultsConfig(Section):
    """What is measured of each stage beside that."""

    agents: dict[str, Boards] = Field({"rules": 2000})  # by agent, duplicate boards against it
    parts: Annotated[Natural, Field(le=1 << 20), AfterValidator(_none_or_two)] = (
        2000  # boards on which auction and cards are exchanged; 0: none
    )


class PipelineConfig(Section):
    """A pipeline."""

    stage: Literal["pipeline"] = "pipeline"
    stages: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_nameable)]  # their configs, in order
    init: str | None = None  # a checkpoint that the first one starts from; by default what its config says
    seed: Seed | None = None  # of all stages; by default what their configs say
    keep: KeepConfig = KeepConfig()
    results: ResultsConfig = ResultsConfig()


def _sure(points: Estimate) -> Estimate:
    if points.low is None or points.high is None or not isfinite(points.mean + points.low + points.high):
        raise ValueError("its interval is missing")
    return points


class Found(BaseModel):
    """What was found of a stage, as far as it has come."""

    model_config = ConfigDict(extra="forbid", strict=True)

    init: str | None  # where it started
    measured: dict[str, Annotated[Estimate, AfterValidator(_sure)]] = Field(
        {}
    )  # match points a board, by what was played
    kept: bool | None = None

    @model_validator(mode="after")
    def _kept_where_nothing_was(self) -> "Found":
        if self.init is None and self.kept is False:
            raise ValueError("kept: a stage that starts from nothing is kept")
        return self


class Results(BaseModel):
    """What results.json holds."""

    model_config = ConfigDict(extra="forbid", strict=True)

    stages: dict[str, Found]


class Pipeline:
    """One run."""

    def __init__(self, config: PipelineConfig, folder: Path) -> None:
        """Look at the configs of all stages, so that what is wrong is found before the first one has run for an hour.

        Args:
            config: the settings.
            folder: of the run.

        Raises:
            ConfigError: the config of a stage is wrong, or does not fit those before it.
            CheckpointError: what the first one starts from is no policy of that game.
            MatchOddsError: as `train.parts.Dealer` says.
        """
        self.config, self.folder = config, folder
        self.results: dict[str, Found] = {}
        """By stage, as far as it has come."""
        self._console = Console(stderr=True, markup=False, highlight=False, emoji=False)
        self._paths = {Path(path).stem: path for path in config.stages}
        if pipelines := [path for path in config.stages if stages.kind_of(path) == config.stage]:
            raise ConfigError(f"stages: {pipelines[0]} is a pipeline, too; name its stages instead")
        first, *others = config.stages
        read = [stages.settings_of(first, self._overrides(config.init))]
        read += [stages.settings_of(path, self._overrides(_BEFORE)) for path in others]
        self._init, self.rules = read[0].init, read[0].game
        self._check(dict(zip(config.stages, read, strict=True)))
        with named("results.agents"):
            self._agents = {spec: make_steady(spec, self.rules) for spec in config.results.agents}

    def _check(self, read: dict[str, stages.StageSettings]) -> None:
        """Check what can be told of the stages, by path, before they are trained."""
        network = None if self._init is None else load_checkpoint(self._init, self.rules)[1].network
        critic = None
        for path, settings in read.items():
            if settings.game != self.rules:
                raise ConfigError(f"stages: {path} is for {settings.game.name}, the first one for {self.rules.name}")
            for key, specs in settings.specs.items():
                with named(f"stages: {path}: {key}"):
                    for spec in specs:
                        if not self._is_made_here(spec) and _BEFORE not in spec:  # which are there by then
                            make_steady(spec, self.rules)
            try:
                device_of(getattr(settings, "device", "cpu"))
            except ConfigError as error:
                raise ConfigError(f"stages: {path}: {error}") from None
            if isinstance(settings, Config):
                sizes, odds = settings.network, settings.rollout.match_odds
                for own, before in ((sizes.policy, network), (sizes.critic, critic)):
                    if before not in (None, own):
                        raise ConfigError(f"stages: {path} has a network of {own!r}; those before it have {before!r}")
                network, critic = sizes.policy, sizes.critic
                if odds and settings.rollout.match_share and not self._is_made_here(odds):
                    MatchOdds.load(odds, self.rules)
            elif network is None:
                raise ConfigError(f"stages: {path} needs a policy to start from, so give init")

    def _is_made_here(self, spec: str) -> bool:
        """Return whether a spec, or a path, names something in the run's folder."""
        home = self.folder.resolve()
        return any(Path(part).resolve().is_relative_to(home) for part in re.split("[:,=+]", spec) if part)

    def restore(self) -> None:
        """Go back to what is written down.

        Raises:
            ConfigError: that is damaged.
        """
        path = self.folder / RESULTS
        try:
            self.results = Results.model_validate_json(read_regular(path, _MAX_RESULTS)).stages
        except OSError as error:
            raise ConfigError(f"{path}: damaged, so the run cannot go on: {error.strerror}") from None
        except ValidationError as error:
            raise ConfigError(f"{path}: damaged, so the run cannot go on: {explain(error)}") from None

    def run(self) -> bool:
        """Run and measure all that has not been; return whether the pipeline has come to its end."""
        best = self._init
        for name in self._paths:
            if not self._train(name, best):
                self._console.print(f"stopped; to go on: blot train --resume {self.folder}", soft_wrap=True)
                return False
            found = self.results.setdefault(name, Found(init=best))
            self._measure(name, found)
            if found.kept is None:
                points = found.measured.get("before")
                found.kept = points is None or points.low is None or points.low >= -self.config.keep.tolerance
                self.write()
            if found.kept:
                best = str(self.folder / name)
        assert best is not None  # a stage that starts from nothing is kept
        self._hand_on(find(best))
        return True

    def write(self) -> None:
        """Write down what has been found so far."""
        write_whole(self.folder / RESULTS, Results(stages=self.results).model_dump_json(indent=2).encode() + b"\n")

    def _overrides(self, init: str | None) -> list[str]:
        """Return what is changed in the config of a stage: where it starts, unless that is as it says itself."""
        seed = [] if self.config.seed is None else [f"seed={self.config.seed}"]
        return seed if init is None else [*seed, f"init={json.dumps(init, ensure_ascii=False)}"]

    def _train(self, name: str, start: str | None) -> bool:
        """Run a stage, or go on with it; return whether it has come to its end."""
        folder = self.folder / name
        if name in self.results or (folder / LEARNER).exists():
            return True
        if (folder / RESUME).exists():
            stages.run(folder / CONFIG, resume=folder)
        else:
            clear(folder)
            stages.run(self._paths[name], self._overrides(start), name=folder)
        return (folder / LEARNER).exists()

    def _measure(self, name: str, found: Found) -> None:
        """Play what has not been played yet, and write down each figure."""
        config, measured = self.config, found.measured
        new, manifest = load_checkpoint(self.folder / name, self.rules)
        player: Agent = NetworkAgent(name, new)
        meetings: dict[str, tuple[Agent, int, Part]] = {}
        if found.init is not None:
            old, of_old = load_checkpoint(found.init, self.rules)
            before = NetworkAgent("before", old)
            if of_old.sha256 != manifest.sha256:
                meetings["before"] = before, config.keep.boards, "whole"
                if config.results.parts:
                    meetings["auction"] = before, config.results.parts, "auction"
                    meetings["cards"] = before, config.results.parts, "cards"
            elif kind := _PLAYED_BY.get(stages.kind_of(self._paths[name])):
                player = make_steady(f"{kind}:{self.folder / name}", self.rules)
            else:
                return
        for spec, agent in self._agents.items():
            meetings[f"against {spec}"] = agent, config.results.agents[spec], "whole"
        for what, (other, boards, part) in meetings.items():
            if what not in measured:
                with self._console.status(f"measuring {name}: {what}, {boards:,} boards"):
                    margins = play_duplicate(
                        self.rules, player, other, boards, _SEED + (config.seed or 0), part
                    ).margins
                measured[what] = bootstrap(margins)
                self.write()

    def _hand_on(self, source: Path) -> None:
        """Make the run's folder a checkpoint; the last file says that the pipeline has ended.

        Raises:
            ConfigError: what the stage leaves to the next one is damaged.
        """
        learner = source / LEARNER
        content = read_regular(learner) if learner.exists() else save({})
        try:
            load(content)
        except SafetensorError as error:
            raise ConfigError(f"{learner}: damaged, so it is not handed on: {error}; remove it to do without") from None
        for file in (WEIGHTS, MANIFEST):
            write_whole(self.folder / file, read_regular(source / file))
        valued = [folder for name in self._paths if has_values(folder := self.folder / name)]
        for file in VALUE_FILES if valued else ():  # of the last ones
            if (path := valued[-1] / file).exists():
                write_whole(self.folder / file, read_regular(path))
        write_whole(self.folder / LEARNER, content)


def run(
    config: PipelineConfig | str | Path,
    overrides: Sequence[str] = (),
    *,
    name: str | Path | None = None,
    resume: str | Path | None = None,
) -> Path:
    """Run a pipeline as a config says and return its folder.

    Args:
        config: settings, or the path of a config.
        overrides: `key=value` each, if `config` is a path.
        name: of the run; its folder is runs/NAME, or the path that is given. By default that of the config's file,
            with a number if it is taken.
        resume: the folder of a run that was stopped, to go on with it.

    Raises:
        ConfigError: the config is wrong, the run exists already, or there is nothing to resume.
        ValueError: as the stages say.
    """
    settings, folder = open_run(
        PipelineConfig, config, overrides, name=name, resume=resume, stem="pipeline", resumed_by=RESULTS
    )
    pipeline = Pipeline(settings, folder)
    if resume is not None:
        pipeline.restore()
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / CONFIG, toml_of(settings).encode())
    pipeline.write()
    if pipeline.run():
        Console(markup=False, highlight=False, emoji=False).print(table(pipeline.results))
    return folder


def table(results: dict[str, Found]) -> Table:
    """Return what each stage brought, a row a figure, to be printed."""
    shown = new_table(None, "stage", "against", "points", "95 %", "n", "kept")
    shown.columns[1].justify, shown.columns[1].no_wrap = "left", False
    for stage, found in results.items():
        names = {"before": Path(found.init or "").name, "auction": "… by the auction", "cards": "… by the cards"}
        first = [stage, "yes" if found.kept else "no"]
        for what, points in found.measured.items():
            interval = f"{points.low:+.2f} … {points.high:+.2f}"
            against = names.get(what, what.removeprefix("against "))
            shown.add_row(first[0], against, f"{points.mean:+.2f}", interval, f"{points.n:,}", first[1])
            first = ["", ""]
        if not found.measured:
            shown.add_row(stage, "the same policy", "", "", "", first[1])
    shown.caption = "match points a board, own minus the others'"
    return shown

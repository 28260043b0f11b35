"""The loop of a distillation: play, label, learn, evaluation, checkpoint.

A run is a folder as `train.trainer` has it: the newest weights of the policy are a checkpoint, and resume.safetensors
holds the learner and the positions that it remembers. All randomness of an iteration follows from the seed and the
iteration's number.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save
from torch.utils.tensorboard import SummaryWriter

from agents.checkpoint import load_checkpoint, save_checkpoint, write_whole
from agents.cores import cores
from agents.policy import NetworkAgent
from agents.search.likelihood import Likelihood, PolicyLikelihood, RulesLikelihood
from blot_env import BatchEnv, RuleSet
from train.compact import Compact
from train.display import Display
from train.distillation.config import DistillationConfig
from train.distillation.labels import Imagined, Labels, TrueDeal, pay_of
from train.distillation.learner import Learner, Step
from train.distillation.positions import Notes, Positions, Wanderer, no_positions, positions_of
from train.folders import CONFIG, LEARNER, RESUME, open_run
from train.interruption import interruptible
from train.league import make_steady, named
from train.learner_file import read_left, write_learner
from train.loop import (
    MAY_CHANGE,
    Margins,
    Metrics,
    TrainingError,
    as_metrics,
    at,
    damaged,
    device_of,
    log,
    margins,
    part,
    read_resume,
)
from train.rollout import ForcedOpening, NetworkPlayer, play_deals
from train.settings import Natural, Seconds, toml_of
from train.tensors import below, prefixed

_MEMORY = "memory"  # before the names of the remembered positions, in a resume file


@dataclass
class Progress:
    """How far a run has come."""

    iteration: Natural = 0  # finished ones
    seconds: Seconds = 0.0
    deals: Natural = 0
    positions: Natural = 0  # labelled
    margins: Margins = field(default_factory=dict)  # of the last evaluation


class Distillation:
    """One run."""

    def __init__(self, config: DistillationConfig, folder: Path) -> None:
        """Make everything anew.

        Args:
            config: the settings.
            folder: of the run.

        Raises:
            ConfigError, CheckpointError: a value of the config cannot be used.
        """
        self.config, self.folder, self.progress = config, folder, Progress()
        rules = self.rules = config.game
        threads = config.threads or cores()
        device = device_of(config.device)
        torch.manual_seed(config.seed)
        torch.set_num_threads(threads)
        policy, _ = load_checkpoint(config.init, rules)
        self._left = read_left(config.init)
        self.policy = policy.to(device)
        self.learner = Learner(rules, self.policy, config.teacher, config.learning)
        self.memory = no_positions(rules)
        self._compact = Compact(rules, self.policy)
        self._labels = self._labels_of(rules, threads)
        self._env = BatchEnv(rules, config.deals.tables, seed=config.seed, random_scores=config.deals.random_scores)
        with named("evaluation.agents"):
            self.opponents = {spec: make_steady(spec, rules) for spec in config.evaluation.agents}

    def train(self) -> None:
        """Run to the end, or until interrupted; either way the run folder then holds all that was learnt.

        Raises:
            TrainingError: the weights are no longer finite; the folder keeps what it held.
        """
        state = self.progress
        writer = SummaryWriter(str(self.folder), purge_step=state.iteration + 1)
        with writer, Display(self.folder.name) as display, interruptible() as interrupted:
            if state.iteration == 0:
                log(writer, self.evaluate(), 0)
            begin = time.perf_counter() - state.seconds
            while self.done < 1 and not interrupted.is_set():
                before, positions = state.seconds, state.positions
                metrics = self.improve()
                state.iteration += 1
                if not self.learner.is_finite():
                    raise TrainingError(
                        f"{self.folder}: iteration {state.iteration}: the weights are no longer finite; lower "
                        "learning.learning_rate or teacher_learning_rate (what was saved before is kept)"
                    )
                if state.iteration % self.config.evaluation.every == 0:
                    metrics |= self.evaluate()
                state.seconds = time.perf_counter() - begin
                if state.iteration % self.config.save_every == 0:
                    self.save()
                metrics["speed/positions"] = (state.positions - positions) / (state.seconds - before)
                log(writer, metrics, state.iteration)
                display.show(self.done, "distillation", state.iteration, state.positions, metrics, state.margins)
            if state.iteration % self.config.evaluation.every:
                log(writer, self.evaluate(), state.iteration)
            self.save()
            if self.done >= 1:
                tensors, agents = self._left
                write_learner(self.folder, {k: t for k, t in tensors.items() if k.startswith("critic.")}, agents)
        display.finish(self.folder, state.iteration, state.margins)

    @property
    def done(self) -> float:
        """The share of the run that is over, 1 or more at its end."""
        config, state = self.config, self.progress
        return max(part(state.iteration, config.iterations), part(state.seconds, 60 * config.minutes))

    def improve(self) -> Metrics:
        """Play one iteration's deals, label positions of them, and learn from all that are remembered."""
        config, state, done = self.config, self.progress, self.done
        rng = np.random.default_rng((config.seed, state.iteration))
        new = self.play(rng)
        metrics = self.learner.judge(new)
        self.memory = self.memory.followed_by(new, config.learning.memory)
        learning = config.learning
        step = Step(at(learning.teacher_learning_rate, done), at(learning.learning_rate, done))
        metrics |= self.learner.learn(self.memory, len(new), step, rng)
        state.deals += config.deals.tables
        state.positions += len(new)
        return metrics

    def play(self, rng: np.random.Generator) -> Positions:
        """Return labelled positions of one iteration's deals."""
        config, rules, tables = self.config, self.rules, self.config.deals.tables
        notes = Notes(self._compact, config.labels.positions, config.seed)
        player = Wanderer(NetworkPlayer(self.policy, self._compact, notes), config.deals.deviations)
        opening = ForcedOpening(rules, self._compact.order, config.deals.forced_contracts, tables, rng)
        boards = self.progress.iteration * tables + np.arange(tables)
        play_deals(self._env, [player], np.zeros((tables, rules.players), np.int64), boards, rng, opening)
        return notes.labelled(rules, self._labels, rng)

    def evaluate(self) -> Metrics:
        """Play duplicate boards against fixed opponents: always the same boards, with the likeliest actions."""
        config, learner = self.config, NetworkAgent("learner", self.policy)
        self.progress.margins = margins(self.rules, learner, self.opponents, config.evaluation, config.seed)
        return as_metrics(self.progress.margins)

    def save(self) -> None:
        """Write what a resume needs, and the newest weights as a checkpoint."""
        (self.folder / LEARNER).unlink(missing_ok=True)  # of other weights, where it goes on after its end
        state, memory = self.progress, {c.name: getattr(self.memory, c.name) for c in fields(Positions)}
        tensors = self.learner.tensors() | prefixed(_MEMORY, {key: torch.from_numpy(c) for key, c in memory.items()})
        write_whole(self.folder / RESUME, save(tensors, metadata={"progress": json.dumps(asdict(state))}))
        training = {
            "config": self.config.model_dump(mode="json"),
            "iterations": state.iteration,
            "deals": state.deals,
            "positions": state.positions,
            "minutes": round(state.seconds / 60, 1),
            "evaluation": {spec: [round(value, 2) for value in margin] for spec, margin in state.margins.items()},
        }
        save_checkpoint(self.folder, self.policy, self.rules, training)

    def restore(self) -> None:
        """Go back to where the run folder was last saved.

        Raises:
            ConfigError: it holds no run.
        """
        path = self.folder / RESUME
        self.progress, tensors = read_resume(path, Progress, torch.device("cpu"))
        try:
            memory = {name: column.numpy() for name, column in below(_MEMORY, tensors).items()}
            self.memory = positions_of(self.rules, memory)
            self.learner.load_tensors({n: t for n, t in tensors.items() if not n.startswith(f"{_MEMORY}.")})
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise damaged(path, error) from None

    def _labels_of(self, rules: RuleSet, threads: int) -> Labels:
        settings = self.config.labels
        pay = pay_of(rules, settings.win, settings.outcomes)
        if not settings.worlds:
            return TrueDeal(rules, threads, pay)
        likelihoods: dict[str, Likelihood | None] = {
            "none": None,
            "rules": RulesLikelihood(),
            "policy": PolicyLikelihood(NetworkAgent("learner", self.policy)),
        }
        likelihood = likelihoods[settings.weights]
        return Imagined(rules, threads, pay, settings.worlds, settings.candidates, likelihood)


def run(
    config: DistillationConfig | str | Path,
    overrides: Sequence[str] = (),
    *,
    name: str | Path | None = None,
    resume: str | Path | None = None,
) -> Path:
    """Distil as a config says and return the run's folder.

    Args and errors as `train.trainer.run`.
    """
    settings, folder = open_run(
        DistillationConfig, config, overrides, name=name, resume=resume, stem="distillation", may_change=MAY_CHANGE
    )
    distillation = Distillation(settings, folder)
    if resume is not None:
        distillation.restore()
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / CONFIG, toml_of(settings).encode())
    distillation.train()
    return folder

"""The training loop: rollout, update, league, evaluation, checkpoint.

    blot train configs/bazar/1-self-play.toml --name first

A run is a folder, runs/NAME:

    config.toml                       every setting of the run
    manifest.json policy.safetensors  the newest weights: the folder is a checkpoint
    checkpoints/000040 …              the weights that the league keeps, checkpoints too
    resume.safetensors                what a resume needs
    learner.safetensors               at the end: critic and optimizer states, for a next stage that starts from here
    events.out.tfevents…              for tensorboard --logdir runs

All randomness of an iteration follows from the seed and the iteration's number, so a resumed run needs no generator's
state to go on as if it had not been stopped.
"""

import json
import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save
from torch.utils.tensorboard import SummaryWriter

from agents.checkpoint import load_checkpoint, save_checkpoint, write_whole
from agents.network import PolicyNetwork
from agents.policy import NetworkAgent
from blot_env import RuleSet
from train.config import Config
from train.display import Display
from train.experience import Experience
from train.folders import CONFIG, LEARNER, RESUME, open_run
from train.interruption import interruptible
from train.league import make_steady, named
from train.learner_file import read_learner, write_learner
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
from train.parts import Crew, Dealer, Deals, LocalCrew, Part, Weights, joined
from train.ppo import Critic, Learner, Step
from train.ray_cluster import connected
from train.settings import ConfigError, Natural, Schedule, Seconds, toml_of


@dataclass
class Progress:
    """How far a run has come."""

    iteration: Natural = 0  # finished ones
    seconds: Seconds = 0.0
    deals: Natural = 0
    decisions: Natural = 0  # of the learner
    imitated: Natural = 0  # iterations of imitation
    imitated_seconds: Seconds = 0.0
    past: list[Natural] = field(default_factory=list)  # iterations whose weights the league keeps
    margins: Margins = field(default_factory=dict)  # of the last evaluation

    def __post_init__(self) -> None:
        if max(self.imitated, *self.past, 0) > self.iteration or self.imitated_seconds > self.seconds:
            raise ValueError("a part of it is longer than the whole")


class Trainer:
    """One training run."""

    def __init__(self, config: Config, folder: Path, on_ray: bool = False) -> None:
        """Make everything anew.

        Args:
            config: the settings.
            folder: of the run.
            on_ray: let the cluster to which this process is connected play the parts of rollouts.

        Raises:
            ConfigError, CheckpointError: a value of the config cannot be used.
        """
        self.config, self.folder, self.progress = config, folder, Progress()
        self.rules = config.game
        device = device_of(config.device)
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads or os.cpu_count() or 1)

        policy = PolicyNetwork(self.rules, config.network.policy)
        if config.init is not None:
            policy, manifest = load_checkpoint(config.init, self.rules)
            if manifest.network != config.network.policy:
                raise ConfigError(
                    f"init: {config.init} has a network of {manifest.network!r}; give network these sizes"
                )
        self.policy = policy.to(device)
        whole = config.rollout.parts == 1
        if whole and on_ray:
            raise ConfigError("rollout.parts: 1 leaves a cluster nothing to share out; give one or more a CPU")
        self.dealer = Dealer(config, self.policy if whole else deepcopy(self.policy).cpu(), self._past)
        self.league = self.dealer.league
        self.crew: Crew | None = None if whole else LocalCrew(self.dealer)
        if on_ray:
            from train.ray_crew import RayCrew

            self.crew = RayCrew(config, self.dealer, self._past)
        inputs = self.rules.oracle.size + (self.rules.players - 1) * len(self.league.agents)
        anchor = deepcopy(self.policy).eval() if any(config.ppo.anchor) else None
        self.learner = Learner(self.policy, Critic(inputs, config.network.critic).to(device), anchor)
        if config.init is not None:
            read_learner(config.init, self.learner, self.rules, self.league.agents)
        with named("evaluation.agents"):
            self.opponents = {spec: make_steady(spec, self.rules) for spec in config.evaluation.agents}

    def train(self) -> None:
        """Run to the end, or until interrupted; either way the run folder then holds all that was learnt.

        Raises:
            TrainingError: the weights are no longer finite; the folder keeps what it held.
        """
        state = self.progress
        writer = SummaryWriter(str(self.folder), purge_step=state.iteration + 1)
        with writer, Display(self.folder.name) as display, interruptible() as interrupted:
            if state.iteration == 0:  # where the curves start; and no clock runs yet while kernels are compiled
                log(writer, self.evaluate(), 0)
            begin = time.perf_counter() - state.seconds
            while self.done < 1 and not interrupted.is_set():
                before, imitating = state.seconds, self.imitating
                metrics = self.imitate() if imitating else self.improve()
                state.iteration += 1
                if not self.learner.is_finite():
                    section = "imitation" if imitating else "ppo"
                    raise TrainingError(
                        f"{self.folder}: iteration {state.iteration}: the weights are no longer finite; lower "
                        f"{section}.learning_rate or critic_learning_rate (what was saved before is kept)"
                    )
                if state.iteration % self.config.evaluation.every == 0:
                    metrics |= self.evaluate()
                state.seconds = time.perf_counter() - begin  # with the saving and showing of the iteration before
                if imitating:
                    state.imitated, state.imitated_seconds = state.iteration, state.seconds
                if state.iteration % self.config.save_every == 0:
                    self.save()
                metrics["speed/decisions"] = metrics.pop("decisions") / (state.seconds - before)
                log(writer, metrics, state.iteration)
                phase = "imitation" if imitating else "self-play"
                display.show(self.done, phase, state.iteration, state.decisions, metrics, state.margins)
            if state.iteration % self.config.evaluation.every:
                log(writer, self.evaluate(), state.iteration)
            self.save()
            if self.done >= 1:
                write_learner(self.folder, self.learner.tensors(), self.league.agents)
        display.finish(self.folder, state.iteration, state.margins)

    @property
    def imitating(self) -> bool:
        """Whether the next iteration imitates."""
        return self._imitated < 1

    @property
    def done(self) -> float:
        """The share of the training that is over, 1 or more at its end."""
        config, state = self.config, self.progress
        return max(part(state.iteration, config.iterations), part(state.seconds, 60 * config.minutes))

    @property
    def _imitated(self) -> float:
        """The share of the imitation that is over."""
        config, state = self.config.imitation, self.progress
        if not config.iterations and not config.minutes:
            return 1.0
        return max(part(state.imitated, config.iterations), part(state.imitated_seconds, 60 * config.minutes))

    @property
    def _improved(self) -> float:
        """The share of self-play that is over: schedules follow it."""
        config, state = self.config, self.progress
        return max(
            part(state.iteration - state.imitated, config.iterations - state.imitated),
            part(state.seconds - state.imitated_seconds, 60 * config.minutes - state.imitated_seconds),
        )

    def imitate(self) -> Metrics:
        """Let the teacher play one iteration's deals, and learn from what it does."""
        settings, done, rng = self.config.imitation, self._imitated, self._rng()
        deals = self._deals(rng, imitating=True)
        step = self._step(settings.learning_rate, settings.critic_learning_rate, done)
        return self._count(deals.experience) | self.learner.imitate(deals.experience, step, rng)

    def improve(self) -> Metrics:
        """Play one iteration's deals against the league, and improve on them."""
        config, done, rng = self.config, self._improved, self._rng()
        played = self.progress.iteration - self.progress.imitated
        if config.league.past and played % config.league.every == 0:
            self._keep()
        deals = self._deals(rng, imitating=False)
        learning_rate = config.ppo.learning_rate if played >= config.ppo.critic_first else (0.0, 0.0)
        step = self._step(learning_rate, config.ppo.critic_learning_rate, done)
        metrics = self._count(deals.experience) | self.learner.improve(deals.experience, step, rng)
        if self.league.searching_wanted:
            metrics["league/searching"] = deals.searching
            metrics["league/searching_wanted"] = self.league.searching_wanted
        return metrics | _contracts(self.rules, deals.own)

    def evaluate(self) -> Metrics:
        """Play duplicate boards against fixed opponents: always the same boards, with the likeliest actions."""
        config, learner = self.config, NetworkAgent("learner", self.policy)
        self.progress.margins = margins(self.rules, learner, self.opponents, config.evaluation, config.seed)
        return as_metrics(self.progress.margins)

    def save(self) -> None:
        """Write what a resume needs, and the newest weights as a checkpoint."""
        (self.folder / LEARNER).unlink(missing_ok=True)  # of other weights, where it goes on after its end
        state = json.dumps(asdict(self.progress))
        write_whole(self.folder / RESUME, save(self.learner.tensors(), metadata={"progress": state}))
        self._write_checkpoint(self.folder)

    def restore(self) -> None:
        """Go back to where the run folder was last saved.

        Raises:
            ConfigError, CheckpointError: it holds no run, or a damaged one.
        """
        path = self.folder / RESUME
        self.progress, tensors = read_resume(path, Progress, self.policy.device)
        try:
            self.learner.load_tensors(tensors)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise damaged(path, error) from None
        for iteration in self.progress.past:
            self._past(iteration)

    def _rng(self) -> np.random.Generator:
        """Return the iteration's generator."""
        return np.random.default_rng((self.config.seed, self.progress.iteration))

    def _deals(self, rng: np.random.Generator, imitating: bool) -> Deals:
        """Return the iteration's deals; of a rollout in one part the generator is the iteration's."""
        state, parts = self.progress, self.config.rollout.parts
        tasks = [Part(state.iteration, number, imitating, tuple(state.past)) for number in range(parts)]
        return joined(self.crew.play(tasks, self.policy)) if self.crew else self.dealer.play(tasks[0], rng)

    def _step(self, learning_rate: Schedule, critic_learning_rate: Schedule, done: float) -> Step:
        ppo = self.config.ppo
        return Step(
            learning_rate=at(learning_rate, done),
            critic_learning_rate=at(critic_learning_rate, done),
            entropy_cards=at(ppo.entropy_cards, done),
            entropy_calls=at(ppo.entropy_calls, done),
            clip=ppo.clip,
            trace=ppo.trace,
            epochs=ppo.epochs,
            minibatch=ppo.minibatch,
            max_gradient=ppo.max_gradient,
            anchor=at(ppo.anchor, done),
        )

    def _count(self, experience: Experience) -> Metrics:
        state = self.progress
        state.deals += self.config.rollout.tables
        state.decisions += len(experience)
        return {"decisions": len(experience)}

    def _keep(self) -> None:
        """Keep the learner as it is for the league."""
        self._write_checkpoint(self._past_folder(self.progress.iteration))
        self.progress.past.append(self.progress.iteration)

    def _past(self, iteration: int) -> Weights:
        """Return the learner's weights as they were after an iteration that the league keeps."""
        folder = self._past_folder(iteration)
        policy, manifest = load_checkpoint(folder, self.rules)
        if manifest.network != self.policy.size:
            raise ConfigError(f"{folder}: a network of other sizes than those of the run")
        return policy.state_dict()

    def _past_folder(self, iteration: int) -> Path:
        return self.folder / "checkpoints" / f"{iteration:06}"

    def _write_checkpoint(self, folder: Path) -> None:
        state = self.progress
        training = {
            "config": self.config.model_dump(mode="json"),
            "iterations": state.iteration,
            "deals": state.deals,
            "decisions": state.decisions,
            "minutes": round(state.seconds / 60, 1),
            "evaluation": {spec: [round(value, 2) for value in margin] for spec, margin in state.margins.items()},
        }
        save_checkpoint(folder, self.policy, self.rules, training)


def run(
    config: Config | str | Path,
    overrides: Sequence[str] = (),
    *,
    name: str | Path | None = None,
    resume: str | Path | None = None,
    ray: str | None = None,
) -> Path:
    """Train by self-play as a config says and return the run's folder.

    Args:
        config: a config, or the path of one.
        overrides: `key=value` each, if `config` is a path.
        name: of the run; its folder is runs/NAME, or the path that is given. By default that of the config's file,
            with a number if it is taken.
        resume: the folder of a run that was stopped, to go on with it. Its config must be the same, but for when it
            ends, the device, and what changes nothing in the weights.
        ray: address of a Ray cluster (`train.ray_cluster.connected`) that plays the parts of rollouts.

    Raises:
        ConfigError: the config is wrong, the run exists already, or there is nothing to resume.
        CheckpointError: a checkpoint that the config names cannot be used.
        TrainingError: the weights are no longer finite.
        RayError: there is no such cluster, or it lost a part for good.
    """
    settings, folder = open_run(
        Config, config, overrides, name=name, resume=resume, stem="training", may_change=MAY_CHANGE
    )
    with connected(ray) if ray else nullcontext():
        trainer = Trainer(settings, folder, on_ray=ray is not None)
        if resume is not None:
            trainer.restore()
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / CONFIG, toml_of(settings).encode())
        trainer.train()
    return folder


def _contracts(rules: RuleSet, results: NDArray[Any]) -> Metrics:
    """Return how the auctions of some deals ended."""
    if not len(results):
        return {}
    bid = results["bidder"] >= 0
    contracts = results[bid]
    if not len(contracts):
        return {"contracts/bid": 0.0}
    contra = contracts["contra"] > 0
    made = contracts["made"] == 1
    metrics = {"contracts/bid": bid.mean(), "contracts/made": made.mean()}
    if rules.numbered:
        metrics["contracts/number"] = contracts["number"].mean()
    if rules.capot != "none":
        metrics["contracts/capot"] = (contracts["capot"] > 0).mean()
    if rules.contra:
        metrics["contracts/contra"] = contra.mean()
    if contra.any():
        metrics["contracts/contra_right"] = (~made[contra]).mean()
    return {name: float(value) for name, value in metrics.items()}

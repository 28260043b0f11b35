"""The loop of contract values: play deals, solve them, learn what each contract brings.

A run is a folder:

    config.toml                      every setting of the run
    values.safetensors values.json   the newest weights
    deals/000001.safetensors …       the calls of each iteration, solved: what a resume learns from again
    resume.safetensors               the optimizer and how far the run has come
    values.onnx match-odds.json      at the end: what bots use
    policy.safetensors …             the checkpoint of `init`, handed on to the next stage
    events.out.tfevents…             for tensorboard --logdir runs

All randomness of an iteration follows from the seed and the iteration's number.
"""

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save
from torch.nn import functional
from torch.utils.tensorboard import SummaryWriter

from agents.checkpoint import WEIGHTS as POLICY
from agents.checkpoint import load_checkpoint, write_whole
from agents.contract_values import VALUES
from agents.cores import cores
from agents.manifest import MANIFEST
from agents.match_odds import MATCH_ODDS
from agents.resources import find
from train.contract_values.config import ContractValuesConfig
from train.contract_values.correction import corrections
from train.contract_values.deals import Calls, Dealer, joined
from train.contract_values.export import save_values, write_values
from train.contract_values.measures import measure
from train.contract_values.network import EXTRAS_SCALE, ContractNetwork
from train.display import Display
from train.folders import CONFIG, LEARNER, RESUME, open_run
from train.interruption import interruptible
from train.league import make_steady, named
from train.loop import Metrics, TrainingError, at, damaged, log, part, read_resume
from train.match_odds import match_odds_file
from train.settings import Natural, Seconds, toml_of
from train.tensors import check_known, is_finite, load_network, load_optimizer, optimizer_tensors, prefixed

_MAY_CHANGE = {"minutes", "iterations", "threads", "save_every"}
_NETWORK = "network"  # before the names of its weights, in a resume file
_EXTRAS_WEIGHT = 0.5  # of the squared error of combinations and blots, against the cross-entropy
_DECAY = 1e-3
_WARM_UP = 2  # deals
_MEASURED = 4096  # held-out calls at most


@dataclass
class Progress:
    """How far a run has come."""

    iteration: Natural = 0  # finished ones
    seconds: Seconds = 0.0
    calls: Natural = 0


class ContractValuesTraining:
    """One run."""

    def __init__(self, config: ContractValuesConfig, folder: Path) -> None:
        """Make everything anew.

        Args:
            config: the settings.
            folder: of the run.

        Raises:
            ConfigError, CheckpointError: a value of the config cannot be used.
        """
        self.config, self.folder, self.progress = config, folder, Progress()
        rules = self.rules = config.game
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads or cores())
        if config.init is not None:
            load_checkpoint(config.init, rules)
        with named("agent"):
            self.agent = make_steady(config.player, rules)
        self.dealer = self._dealer(config.deals)
        self.network = ContractNetwork(rules, config.network)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), weight_decay=_DECAY)
        self.calls: list[Calls] = []

    def _dealer(self, deals: int) -> Dealer:
        config = self.config
        threads = config.threads or cores()
        return Dealer(self.rules, self.agent, deals, config.forced_contracts, config.seed, threads)

    def train(self) -> None:
        """Run to the end, or until interrupted; either way the folder then holds all that was learnt.

        Raises:
            TrainingError: the weights are no longer finite; the folder keeps what it held.
        """
        state = self.progress
        writer = SummaryWriter(str(self.folder), purge_step=state.iteration + 1)
        with writer, Display(self.folder.name) as display, interruptible() as interrupted:
            self._dealer(_WARM_UP).play(0)  # no clock runs yet while kernels are compiled
            begin = time.perf_counter() - state.seconds
            while self.done < 1 and not interrupted.is_set():
                before = state.seconds
                metrics = self.improve()
                state.iteration += 1
                if not is_finite(self.network):
                    raise TrainingError(f"{self.folder}: the weights are no longer finite; lower learning_rate")
                state.seconds = time.perf_counter() - begin
                if state.iteration % self.config.save_every == 0:
                    self.save()
                metrics["speed/deals"] = self.config.deals / (state.seconds - before)
                log(writer, metrics, state.iteration)
                display.show(self.done, "contract values", state.iteration, state.calls, metrics, {})
            self.save()
            if self.done >= 1:
                self.finish()
        display.finish(self.folder, state.iteration, {}, "values")

    @property
    def done(self) -> float:
        """The share of the run that is over, 1 or more at its end."""
        config, state = self.config, self.progress
        return max(part(state.iteration, config.iterations), part(state.seconds, 60 * config.minutes))

    def improve(self) -> Metrics:
        """Play and solve an iteration's deals, and learn from all so far."""
        new = self.dealer.play(self.progress.iteration)
        self.calls.append(new)
        self.progress.calls += len(new)
        calls = joined(self.calls)
        metrics = self._learn(calls[~calls.held_out], round(len(new) * self.config.replay))
        self.network.correction.copy_(corrections(self.rules, calls[~calls.held_out]))
        held_out = calls[calls.held_out]
        return metrics | measure(self.network, held_out[np.arange(len(held_out))[-_MEASURED:]])

    def _learn(self, calls: Calls, count: int) -> Metrics:
        """Learn from some of the calls, drawn with equal chances."""
        config, losses = self.config, []
        rng = np.random.default_rng((config.seed, self.progress.iteration, 1))
        for group in self.optimizer.param_groups:
            group["lr"] = at(config.learning_rate, self.done)
        for rows in np.array_split(rng.integers(len(calls), size=count), max(1, count // config.minibatch)):
            loss = self._loss(calls[rows])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return {"loss/contract_values": float(np.mean(losses))}

    def _loss(self, calls: Calls) -> torch.Tensor:
        logits, extras = self.network(torch.from_numpy(calls.seen))
        shares = torch.from_numpy(calls.shares.astype(np.int64))
        missed = (extras - torch.from_numpy(calls.extras.astype(np.float32))) / EXTRAS_SCALE
        return (
            functional.cross_entropy(logits.flatten(0, 2), shares.flatten()) + _EXTRAS_WEIGHT * missed.square().mean()
        )

    def save(self) -> None:
        """Write the newest weights, the deals that no file has yet, and what a resume needs."""
        (self.folder / LEARNER).unlink(missing_ok=True)  # of other weights, where it goes on after its end
        state, folder = self.progress, self.folder / "deals"
        folder.mkdir(parents=True, exist_ok=True)
        for number, calls in enumerate(self.calls, 1):
            if not (path := _deals(folder, number)).exists():
                calls.save(path)
        write_whole(self.folder / RESUME, save(self._tensors(), metadata={"progress": json.dumps(asdict(state))}))
        training = {
            "config": self.config.model_dump(mode="json"),
            "iterations": state.iteration,
            "deals": state.iteration * self.config.deals,
            "calls": state.calls,
            "minutes": round(state.seconds / 60, 1),
        }
        save_values(self.folder, self.network, self.rules, training)

    def _tensors(self) -> dict[str, torch.Tensor]:
        return prefixed(_NETWORK, self.network.state_dict()) | optimizer_tensors(self.optimizer)

    def restore(self) -> None:
        """Go back to where the run folder was last saved.

        Raises:
            ConfigError: it holds no run, or a damaged one.
        """
        path = self.folder / RESUME
        self.progress, tensors = read_resume(path, Progress, torch.device("cpu"))
        try:
            load_network(self.network, tensors, _NETWORK)
            load_optimizer(self.optimizer, tensors)
            check_known(tensors, self._tensors())
        except (KeyError, ValueError, RuntimeError) as error:
            raise damaged(path, error) from None
        for number in range(1, self.progress.iteration + 1):
            path = _deals(self.folder / "deals", number)
            try:
                self.calls.append(Calls.load(path, self.rules, self.config.deals * (number - 1), self.config.deals))
            except (OSError, KeyError, ValueError) as error:
                raise damaged(path, error) from None

    def finish(self) -> None:
        """Write what bots and the next stage take from here."""
        write_values(self.network.eval(), self.rules, self.folder / VALUES)
        config = self.config
        if config.match_deals and self.rules.sides == 2:
            odds = match_odds_file(self.rules, self.agent, config.match_deals, config.seed)
            write_whole(self.folder / MATCH_ODDS, odds)
        learner = b""
        if self.config.init is not None:
            source = find(self.config.init)
            for name in (POLICY, MANIFEST):
                shutil.copyfile(source / name, self.folder / name)
            if (source / LEARNER).is_file():
                learner = (source / LEARNER).read_bytes()
        write_whole(self.folder / LEARNER, learner or save({}))  # last of all: it says that the stage is complete


def run(
    config: ContractValuesConfig | str | Path,
    overrides: Sequence[str] = (),
    *,
    name: str | Path | None = None,
    resume: str | Path | None = None,
) -> Path:
    """Learn contract values as a config says and return the run's folder.

    Args and errors as `train.trainer.run`.
    """
    settings, folder = open_run(
        ContractValuesConfig,
        config,
        overrides,
        name=name,
        resume=resume,
        stem="contract-values",
        may_change=_MAY_CHANGE,
    )
    training = ContractValuesTraining(settings, folder)
    if resume is not None:
        training.restore()
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / CONFIG, toml_of(settings).encode())
    training.train()
    return folder


def _deals(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.safetensors"

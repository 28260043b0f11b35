"""The settings of a distillation; `train.settings` reads and checks them."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from agents.sizes import TrunkSize
from blot_env import RuleSet, load_rules
from blot_env.episode import with_target
from train.config import EvaluationConfig
from train.settings import Count, Natural, NotNegative, Positive, Rules, Schedule, Section, Seed, Share

_ROWS = 1 << 20  # at most, of whatever is in memory at once
_MOST_WORLDS = 1000


class DealsConfig(Section):
    """The deals of an iteration, which the policy plays at all seats."""

    tables: Annotated[Count, Field(le=_ROWS)] = 256  # deals an iteration
    deviations: Share = 0.15  # of the cards are random ones
    random_scores: StrictBool = True  # deals start from any score of a match, not only from nil all
    forced_contracts: Share = 0.2  # of the deals begin with some passes and a low bid


class LabelsConfig(Section):
    """What the cards of a position are worth: the mean over worlds, each solved with all cards seen."""

    positions: Annotated[tuple[Share, ...], Field(min_length=1)] = (0.5, 0.75, 1.0)  # labelled, by trick; then the last
    worlds: Annotated[Natural, Field(le=_MOST_WORLDS)] = 0  # that the seat may be in; 0: the true deal alone
    weights: Literal["none", "rules", "policy"] = "policy"  # whose calls and cards tell how likely a world is
    outcomes: Literal["played", "solved"] = (
        "played"  # paid as real play turns out around what the solver promises, or so
    )
    win: NotNegative = 10.0  # what winning the match is worth beyond its points, where ten points are one
    candidates: Annotated[Count, Field(le=100)] = 10  # worlds weighed for each one wanted


class LearningConfig(Section):
    """The update: the teacher learns the labels, the policy what the teacher makes of them."""

    memory: Annotated[Count, Field(le=1 << 22)] = 400_000  # positions, the latest
    passes: Positive = 3.0  # over each position, all in all
    minibatch: Annotated[Count, Field(le=_ROWS)] = 2048
    teacher_learning_rate: Schedule = (1e-3, 1e-4)
    learning_rate: Schedule = (5e-4, 5e-5)  # of the policy
    points: NotNegative = 0.3  # what the loss of card points counts beside that of match points
    holders: NotNegative = 0.05  # what the loss of who holds what counts beside it
    targets: Literal["teacher", "labels"] = "teacher"  # whose values the policy learns
    temperature: Positive = 0.5  # of the policy's targets, in match points of ten raw points
    anchor: NotNegative = 1.0  # the power to which the policy as it came has a say in its targets
    max_gradient: Positive = 1.0


class DistillationConfig(Section):
    """A distillation."""

    stage: Literal["distillation"] = "distillation"
    rules: Rules = load_rules("bazar")  # a preset, or a table: `train.settings`
    target: Annotated[Count, Field(le=100_000)] | None = None  # points that win a match; by default those of the rules
    seed: Seed = 0
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: Annotated[Natural, Field(le=1024)] = 0  # of torch and of the labels; 0: one a core
    minutes: NotNegative = 0  # whichever ...
    iterations: Natural = 0  # ... ends first, of those not 0
    init: str  # the checkpoint whose policy it is
    save_every: Count = 10  # iterations from one resume file to the next
    teacher: TrunkSize = TrunkSize(width=384, blocks=2)
    deals: DealsConfig = DealsConfig()
    labels: LabelsConfig = LabelsConfig()
    learning: LearningConfig = LearningConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    @model_validator(mode="after")
    def _ends(self) -> "DistillationConfig":
        if not self.minutes and not self.iterations:
            raise ValueError("give minutes or iterations: a training has to end")
        if not any(self.labels.positions):
            raise ValueError("labels.positions: of no trick is a position labelled, so there is nothing to learn")
        return self

    @property
    def specs(self) -> dict[str, tuple[str, ...]]:
        """The specs of all agents, by key."""
        return {"evaluation.agents": self.evaluation.agents}

    @property
    def game(self) -> RuleSet:
        """The rules, to the target."""
        return with_target(self.rules, self.target)

"""The settings of the stage `contract-values`."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from agents.sizes import TrunkSize
from blot_env import RuleSet, load_rules
from blot_env.episode import with_target
from train.settings import Count, Natural, NotNegative, Rules, Schedule, Section, Seed, Share


class ContractValuesConfig(Section):
    """Deals are played, solved in every strain, and a network learns to foresee what comes of each."""

    stage: Literal["contract-values"] = "contract-values"
    rules: Rules = load_rules("bazar")
    target: Annotated[Count, Field(le=100_000)] | None = None  # points that win a match; by default those of the rules
    seed: Seed = 0
    threads: Annotated[Natural, Field(le=1024)] = 0  # that solve deals; 0: one a core
    minutes: NotNegative = 0  # whichever ...
    iterations: Natural = 0  # ... ends first, of those not 0
    init: str | None = None  # a checkpoint: its policy plays, unless `agent` says who does, and is handed on
    agent: str | None = None  # who plays the deals; by default the policy of `init`, or the rules
    deals: Annotated[Count, Field(ge=10, le=1 << 16)] = 256  # an iteration, one of ten held out to measure by
    forced_contracts: Share = 0.25  # of the deals begin with some passes and a low bid
    network: TrunkSize = TrunkSize(width=128, blocks=2)
    learning_rate: Schedule = (1e-3, 5e-5)
    minibatch: Annotated[Count, Field(le=1 << 16)] = 512
    replay: Count = 8  # how often a decision is learnt from, on average
    save_every: Count = 1  # iterations
    match_deals: Annotated[Natural, Field(le=1 << 24)] = (
        20_000  # that the odds of a match are computed from, between two sides; 0: none
    )

    @model_validator(mode="after")
    def _ends(self) -> "ContractValuesConfig":
        if not self.minutes and not self.iterations:
            raise ValueError("give minutes or iterations: a training has to end")
        return self

    @property
    def specs(self) -> dict[str, tuple[str, ...]]:
        """The specs of all agents, by key."""
        return {"agent": (self.player,)}

    @property
    def game(self) -> RuleSet:
        """The rules, to the target."""
        return with_target(self.rules, self.target)

    @property
    def player(self) -> str:
        """The spec of who plays the deals."""
        return self.agent or (f"policy:{self.init}" if self.init else "rules")

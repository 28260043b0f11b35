"""Sizes of networks, as configs and checkpoints write them."""

from pydantic import BaseModel, ConfigDict, Field


class TrunkSize(BaseModel):
    """A residual network: the width of its layers, and blocks of two layers after the first one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    width: int = Field(128, ge=1)
    blocks: int = Field(2, ge=0)


class NetworkSize(BaseModel):
    """The two trunks of a policy."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cards: TrunkSize = TrunkSize()
    auction: TrunkSize = TrunkSize()

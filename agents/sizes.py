"""Sizes of networks, as configs and checkpoints write them."""

from pydantic import BaseModel, ConfigDict, Field


class TrunkSize(BaseModel):
    """A residual network: the width of its layers, and blocks of two layers after the first one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    width: int = Field(128, ge=1, le=8192, strict=True)
    blocks: int = Field(2, ge=0, le=64, strict=True)

    @property
    def weights(self) -> int:
        """How many there are, but for those of the first layer."""
        return 2 * self.blocks * self.width * (self.width + 1)


class NetworkSize(BaseModel):
    """The two trunks of a policy."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cards: TrunkSize = TrunkSize()
    auction: TrunkSize = TrunkSize()

"""Networks and optimizers as flat tensors by name, which a safetensors file holds, and back.

weights.NAME        of a network
optimizer.I.NAME    Adam's state of its parameter I
"""

from collections import defaultdict
from collections.abc import Mapping

from torch import Tensor, nn
from torch.optim import Optimizer

WEIGHTS, OPTIMIZER = "weights", "optimizer"


def is_finite(*networks: nn.Module) -> bool:
    """Return whether all weights of some networks are numbers."""
    return all(bool(weights.isfinite().all()) for network in networks for weights in network.parameters())


def prefixed(name: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return tensors with a name and a dot before theirs."""
    return {f"{name}.{key}": tensor for key, tensor in tensors.items()}


def below(name: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin with a name and a dot, without these."""
    return {key.removeprefix(f"{name}."): tensor for key, tensor in tensors.items() if key.startswith(f"{name}.")}


def network_tensors(network: nn.Module) -> dict[str, Tensor]:
    """Return the weights of a network."""
    return prefixed(WEIGHTS, network.state_dict())


def optimizer_tensors(optimizer: Optimizer) -> dict[str, Tensor]:
    """Return the state of an optimizer, but for its settings."""
    state = optimizer.state_dict()["state"]
    return prefixed(OPTIMIZER, {f"{index}.{key}": value for index, own in state.items() for key, value in own.items()})


def load_network(network: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Take over the weights that `network_tensors` returned.

    Raises:
        RuntimeError: they do not fit.
    """
    network.load_state_dict(below(WEIGHTS, tensors))


def load_optimizer(optimizer: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Take over the state that `optimizer_tensors` returned; without any it begins anew.

    Raises:
        ValueError: it does not fit.
    """
    state: dict[int, dict[str, Tensor]] = defaultdict(dict)
    for key, value in below(OPTIMIZER, tensors).items():
        index, field = key.split(".")
        state[int(index)][field] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": dict(state)})
    for parameter, values in optimizer.state.items():
        if any(value.dim() and value.shape != parameter.shape for value in values.values()):
            raise ValueError("the optimizer has states of other shapes than the weights")

"""Networks and optimizers as flat tensors by name, which a safetensors file holds, and back.

weights.NAME        of a network
optimizer.I.NAME    Adam's state of its parameter I
"""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import safetensors
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from blot_env.files import check_regular

WEIGHTS, OPTIMIZER = "weights", "optimizer"
_MOMENTS = "exp_avg", "exp_avg_sq"
_MOST_STEPS = 1 << 24  # where float32, in which Adam counts them, stands still


def read_tensors(path: Path, device: torch.device | None = None) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the tensors of a safetensors file, on a device, and what is written beside them.

    Raises:
        OSError: there is none, it is no ordinary file, or it cannot be read.
        ValueError: it is damaged, or holds something that is no number.
    """
    check_regular(path)
    try:
        with safetensors.safe_open(path, "pt", device=str(device or "cpu")) as file:
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            beside = file.metadata() or {}
        wild = [name for name, tensor in tensors.items() if not tensor.isfinite().all()]
    except (safetensors.SafetensorError, TypeError, RuntimeError) as error:
        raise ValueError(str(error)) from None
    if wild:
        raise ValueError(f"{wild[0]} is not finite")
    return tensors, beside


def is_finite(*networks: nn.Module) -> bool:
    """Return whether all weights of some networks are numbers."""
    return all(bool(weights.isfinite().all()) for network in networks for weights in network.parameters())


def prefixed(name: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return tensors with a name and a dot before theirs."""
    return {f"{name}.{key}": tensor for key, tensor in tensors.items()}


def below(name: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin with a name and a dot, without these."""
    return {key.removeprefix(f"{name}."): tensor for key, tensor in tensors.items() if key.startswith(f"{name}.")}


def check_known(tensors: Mapping[str, Tensor], known: Mapping[str, Tensor]) -> None:
    """Raise ValueError if some tensors have names that are not known."""
    if unknown := sorted(tensors.keys() - known.keys()):
        raise ValueError(f"{unknown[0]}: there is no such tensor")


def network_tensors(network: nn.Module) -> dict[str, Tensor]:
    """Return the weights of a network."""
    return prefixed(WEIGHTS, network.state_dict())


def optimizer_tensors(optimizer: Optimizer) -> dict[str, Tensor]:
    """Return the state of an optimizer, but for its settings."""
    state = optimizer.state_dict()["state"]
    return prefixed(OPTIMIZER, {f"{index}.{key}": value for index, own in state.items() for key, value in own.items()})


def load_network(network: nn.Module, tensors: Mapping[str, Tensor], name: str = WEIGHTS) -> None:
    """Take over the weights that `network_tensors` returned, or others by their name.

    Raises:
        RuntimeError, ValueError: they do not fit.
    """
    weights = below(name, tensors)
    network.load_state_dict(weights)
    for key, own in network.state_dict().items():
        if weights[key].dtype != own.dtype:
            raise ValueError(f"{name}.{key} is {weights[key].dtype}, not {own.dtype}")


def load_optimizer(optimizer: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Take over the state that `optimizer_tensors` returned; without any it begins anew.

    Raises:
        ValueError: it does not fit.
    """
    state: dict[int, dict[str, Tensor]] = defaultdict(dict)
    for key, value in below(OPTIMIZER, tensors).items():
        index, field = key.split(".")
        state[int(index)][field] = value
    parameters = dict(enumerate(weights for group in optimizer.param_groups for weights in group["params"]))
    for number, own in state.items():
        if number not in parameters or own.keys() != {"step", *_MOMENTS}:
            raise ValueError(f"{OPTIMIZER}.{number}: there are no such weights, or a part of their state is missing")
        like = parameters[number]
        if any((own[name].shape, own[name].dtype) != (like.shape, like.dtype) for name in _MOMENTS):
            raise ValueError(f"{OPTIMIZER}.{number} has another shape or kind than the weights")
        step = own["step"]
        if step.dim() or not 1 <= step <= _MOST_STEPS or (own["exp_avg_sq"] < 0).any():
            raise ValueError(f"{OPTIMIZER}.{number} is no state that Adam comes to")
    optimizer.load_state_dict({**optimizer.state_dict(), "state": dict(state)})

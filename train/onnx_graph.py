"""Networks as ONNX files."""

import logging
import warnings
from pathlib import Path

import torch
from torch import nn


def write_graph(network: nn.Module, columns: int, output: str, path: Path) -> None:
    """Write a network, `observation` (n, columns) uint8 -> `output` (n, …) float32, as one file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about torch's own insides
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        torch.onnx.export(
            network.eval(),
            (torch.zeros(2, columns, dtype=torch.uint8),),
            path,
            input_names=["observation"],
            output_names=[output],
            dynamic_shapes=({0: torch.export.Dim("n")},),
            dynamo=True,
            external_data=False,
            verbose=False,
        )

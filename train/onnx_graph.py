"""Networks as ONNX files."""

import logging
import warnings
from pathlib import Path

import torch
from onnx_ir.passes.common import ClearMetadataAndDocStringPass
from torch import nn


def write_graph(network: nn.Module, columns: int, output: str, path: Path) -> None:
    """Write a network, `observation` (n, columns) uint8 -> `output` (n, …) float32, as one file.

    What torch notes of where each node comes from, paths of this machine among it, stays out.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about torch's own insides
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        program = torch.onnx.export(
            network.eval(),
            (torch.zeros(2, columns, dtype=torch.uint8),),
            input_names=["observation"],
            output_names=[output],
            dynamic_shapes=({0: torch.export.Dim("n")},),
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    ClearMetadataAndDocStringPass()(program.model)
    program.save(path, external_data=False)

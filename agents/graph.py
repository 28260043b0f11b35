"""A graph in an ONNX file, run by onnxruntime on one thread: rows in, rows out.

A row's outcome must not depend on the rows beside it, or the same seed would choose otherwise in a larger batch. Matrix
products sum in an order that may depend on their shape, so the graph only ever sees rows by the dozen and four, the
last of them filled up with zeros.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROWS = 16  # one decision then costs three times as much as alone, still a third of a millisecond; many cost the same


class GraphError(ValueError):
    """A file that is no graph, or one that takes or gives something else; the message names it in one line."""


class Graph:
    """A function of rows: (n, inputs) uint8 to (n, outputs) float32."""

    def __init__(self, content: bytes, path: Path, takes: tuple[str, int], gives: tuple[str, int]) -> None:
        """Load it.

        Args:
            content: of the file.
            path: where it stands, for messages.
            takes, gives: name and width of the rows that it has to take and to give.

        Raises:
            GraphError: it cannot be loaded or run, or takes or gives something else.
        """
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # or importing it writes to the user's home, and sends
        try:
            import onnxruntime
        except ImportError:
            raise GraphError(
                "networks run on onnxruntime, which is missing: pip install '.[bot]' in a clone of blot brings it"
            ) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what goes wrong is raised
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own kinds share no base class
            raise GraphError(f"{path}: onnxruntime cannot load it: {_first_line(error)}") from None
        _check(path, self._session.get_inputs(), "uint8", *takes)
        _check(path, self._session.get_outputs(), "float", *gives)
        self._path, self._takes, self._gives, self._width = path, takes[0], gives[0], gives[1]
        self(np.zeros((1, takes[1]), np.uint8))  # what cannot be run is not found out at a table

    def __call__(self, rows: NDArray[Any]) -> NDArray[np.float32]:
        """Return what it gives for each row, shape (n, outputs).

        Raises:
            GraphError: it cannot be run, or gives what is no number.
        """
        given = np.empty((len(rows), self._width), np.float32)
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            whole = np.zeros((ROWS, rows.shape[1]), rows.dtype)
            whole[: len(some)] = some
            try:
                (outcome,) = self._session.run([self._gives], {self._takes: whole})
                given[start : start + ROWS] = outcome[: len(some)]
            except Exception as error:
                raise GraphError(f"{self._path}: onnxruntime cannot run it: {_first_line(error)}") from None
        if not np.isfinite(given).all():
            raise GraphError(f"{self._path}: gives {self._gives} that are no numbers; train it anew, or export another")
        return given


def _check(path: Path, nodes: list[Any], kind: str, name: str, width: int) -> None:
    """Check that a graph takes or gives nothing but any number of rows of a kind and width."""
    found = {node.name: (node.type, node.shape) for node in nodes}
    _, shape = found.get(name, ("", []))
    if found != {name: (f"tensor({kind})", [*shape[:1], width])} or isinstance(shape[0], int):
        has = ", ".join(f"{named} of {of} {dimensions}" for named, (of, dimensions) in found.items())
        wanted = f"{name} of {width} columns is wanted, {kind} and any number of rows"
        raise GraphError(f"{path}: has {has} where {wanted}; export it again")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]

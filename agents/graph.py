"""A graph in an ONNX file, run by onnxruntime on one thread: rows in, rows out.

A row's outcome must not depend on the rows beside it, or the same seed would choose otherwise in a larger batch. Matrix
products sum in an order that may depend on their shape, so the graph only ever sees rows by the dozen and four, the
last of them filled up with zeros.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROWS = 16  # one decision then costs three times as much as alone, still a third of a millisecond; many cost the same


class GraphError(ValueError):
    """A file that is no graph, or one that takes or gives something else; the message names it in one line."""


class Graph:
    """A function of rows: (n, inputs) of one type to (n, outputs) float32."""

    def __init__(self, content: bytes, path: Path, takes: tuple[str, int], gives: tuple[str, int]) -> None:
        """Load it.

        Args:
            content: of the file.
            path: where it stands, for messages.
            takes, gives: name and width of the rows that it has to take and to give.

        Raises:
            GraphError: it cannot be loaded, or takes or gives something else.
        """
        try:
            import onnxruntime
        except ImportError:
            raise GraphError("networks run on onnxruntime, which is missing: pip install 'blot[bot]'") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what goes wrong is raised
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own kinds share no base class
            raise GraphError(f"{path}: onnxruntime cannot load it: {str(error).splitlines()[0]}") from None
        for nodes, (name, width) in ((self._session.get_inputs(), takes), (self._session.get_outputs(), gives)):
            found = {node.name: node.shape[1:] for node in nodes}
            if found != {name: [width]}:
                raise GraphError(f"{path}: has {found} where {name} of {width} columns is wanted; export it again")
        self._takes, self._gives, self._width = takes[0], gives[0], gives[1]

    def __call__(self, rows: NDArray[Any]) -> NDArray[np.float32]:
        """Return what it gives for each row, shape (n, outputs)."""
        given = np.empty((len(rows), self._width), np.float32)
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            whole = np.zeros((ROWS, rows.shape[1]), rows.dtype)
            whole[: len(some)] = some
            (outcome,) = self._session.run([self._gives], {self._takes: whole})
            given[start : start + ROWS] = outcome[: len(some)]
        return given

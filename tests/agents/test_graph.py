"""Graphs in ONNX files: what takes, gives or does something else is refused in one line, before anybody plays by it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

from agents.graph import Graph, GraphError

ROWS = np.array([[1, 2, 3], [4, 5, 0]], np.uint8)


def content(takes: int = TensorProto.UINT8, rows: Any = "n", given: Any = "n", factor: float = 2.0) -> bytes:
    """A graph that multiplies three columns by a factor; nothing times infinity is no number."""
    nodes = [
        helper.make_node("Cast", ["observation"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["numbers", "factor"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "factor",
        [helper.make_tensor_value_info("observation", takes, [rows, 3])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [given, 3])],
        [helper.make_tensor("factor", TensorProto.FLOAT, [], [factor])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


def load(written: bytes) -> Graph:
    return Graph(written, Path("policy.onnx"), ("observation", 3), ("logits", 3))


def test_it_gives_what_the_graph_gives() -> None:
    assert (load(content())(ROWS) == 2.0 * ROWS).all()


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (content(takes=TensorProto.FLOAT), "has observation of tensor.float. .'n', 3. where observation of 3 columns"),
        (content(rows=1, given=1), "uint8 and any number of rows"),
        (content(rows=16, given=16), "uint8 and any number of rows"),
        (content(rows="n", given=4), "float and any number of rows"),
        (content(factor=np.inf), "gives logits that are no numbers"),
        (b"no graph", "onnxruntime cannot load it: "),
    ],
)
def test_another_graph_is_refused_in_a_line(written: bytes, reason: str) -> None:
    with pytest.raises(GraphError, match=reason) as caught:
        load(written)
    assert str(caught.value).startswith("policy.onnx: ")
    assert "\n" not in str(caught.value)


def test_what_is_no_number_is_not_played_by() -> None:
    graph = load(content(factor=3e38))  # which a trial with nothing does not tell
    with pytest.raises(GraphError, match="gives logits that are no numbers"):
        graph(ROWS)


def test_no_telemetry_is_left_in_the_users_home(tmp_path: Path) -> None:
    (tmp_path / "policy.onnx").write_bytes(content())
    (home := tmp_path / "home").mkdir()
    code = (
        "from pathlib import Path\n"
        "from agents.graph import Graph\n"
        f"path = Path({str(tmp_path / 'policy.onnx')!r})\n"
        "Graph(path.read_bytes(), path, ('observation', 3), ('logits', 3))\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", code], env=environment | {"HOME": str(home)}, check=True)
    assert [path.name for path in home.glob(".cache/*")] in ([], ["blot"]), "nothing but compiled kernels"

"""The promises of pyproject.toml: three layers, typed, and an environment that needs no torch."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ABOVE = {"blot_env": {"agents", "train", "torch", "onnxruntime"}, "agents": {"train"}, "train": set[str]()}


def imported(source: Path) -> set[str]:
    """Top-level names that a file imports, wherever in it the imports stand."""
    names = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("package", ABOVE)
def test_imports_run_downward(package: str) -> None:
    sources = sorted((ROOT / package).rglob("*.py"))
    assert sources
    upward = {source.name: wrong for source in sources if (wrong := imported(source) & ABOVE[package])}
    assert upward == {}


@pytest.mark.parametrize("package", ABOVE)
def test_packages_are_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


@pytest.mark.parametrize(
    "command",
    [
        "import blot_env, blot_env.blot_v0; blot_env.load_rules('bazar')",
        "import agents; from blot_env import load_rules; agents.make('rules', load_rules('bazar'))",
        "import train",
        "import train.tournament.command, train.tournament.summary, train.tournament.workers",
        "import sys; from train.cli import main; sys.argv = ['blot', 'bot', '--help']; main()",
    ],
)
def test_loads_no_torch(command: str) -> None:
    heavy = "{'torch', 'tensorboard', 'onnx', 'onnxruntime', 'ray'}"
    check = f"import atexit, sys\natexit.register(lambda: print('loaded:', sorted({heavy} & set(sys.modules))))\n"
    done = subprocess.run([sys.executable, "-c", check + command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_changelog_names_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## {version}\n" in (ROOT / "CHANGELOG.md").read_text()

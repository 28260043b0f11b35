"""The compiler of the kernels in this folder, which call those of the engine, the rule-based player and the search."""

from pathlib import Path

import blot_env
from blot_env.compile import compiler

kernel = compiler(Path(blot_env.__file__).parent, Path(__file__).parents[1] / "rule_based", Path(__file__).parent)

"""The compiler of the kernels in this folder, which call those of the engine, the rule-based player and the search."""

from pathlib import Path

import blot_env
from blot_env.compile import compiler

_AGENTS = Path(__file__).parents[1]

kernel = compiler(Path(blot_env.__file__).parent, _AGENTS / "rule_based", _AGENTS / "search", Path(__file__).parent)

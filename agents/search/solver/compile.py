"""The compiler of the solver's kernels, which call the engine's and one another."""

from pathlib import Path

import blot_env
from blot_env.compile import compiler

kernel = compiler(Path(blot_env.__file__).parent, Path(__file__).parent)

"""The compiler of the sampler's kernels, which call one another and the game's."""

from pathlib import Path

import blot_env
from blot_env.compile import compiler

kernel = compiler(Path(blot_env.__file__).parent, Path(__file__).parent)

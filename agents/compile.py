"""The compiler of the agents' kernels.

Of the agents' own files only those of `rule_based` call one another; numba itself notices a change within one file.
"""

from pathlib import Path

import blot_env
from blot_env.compile import compiler

kernel = compiler(Path(blot_env.__file__).parent, Path(__file__).parent / "rule_based")

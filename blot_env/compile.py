"""Numba with the project's defaults, cached where a change of any kernel is noticed.

Numba's on-disk cache looks only at the file that holds a function, so a kernel compiled against an older callee in
another file would live on. Each package therefore caches in a folder named by a hash of all sources that its kernels
may call.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def _sources_digest(folders: tuple[Path, ...]) -> str:
    digest = hashlib.sha256(f"numba {numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    for folder in folders:
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.relative_to(folder).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_base() -> Path:
    """`NUMBA_CACHE_DIR` if the user set it, else the user's cache, else (nothing writable) a temporary folder."""
    wanted = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    for base in (Path(wanted) if wanted else home / "blot", Path(tempfile.gettempdir()) / f"blot-{user}"):
        try:
            base.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(base, os.W_OK):
            return base
    raise OSError("no writable folder for compiled kernels: set NUMBA_CACHE_DIR to one")


def compiler(*folders: Path) -> Callable[..., Any]:
    """Return a decorator that compiles the kernels of one package.

    Args:
        folders: every package folder whose code the decorated kernels may call, their own included.

    The decorator is used bare (`@kernel`) or with options of `numba.njit` (`@kernel(inline="always")`).
    """
    cache = str(_cache_base() / _sources_digest(folders))

    def kernel(function: Function | None = None, **options: Any) -> Any:
        if function is None:
            return lambda decorated: kernel(decorated, **options)
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = cache
        try:
            return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return kernel


kernel = compiler(Path(__file__).parent)

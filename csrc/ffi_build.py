"""Describes the C core to cffi: run by setuptools through setup.py to build ``sgtmajor._core``.

The declarations are cut out of sgm.h between its two marks, so the interface is written once.
"""

from __future__ import annotations

import os
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def declarations() -> str:
    """Returns the part of sgm.h that cffi reads."""
    header = (HERE / "sgm.h").read_text(encoding="utf-8")
    return header.split("/* ffi-begin */", 1)[1].split("/* ffi-end */", 1)[0]


def relative(pattern: str) -> list[str]:
    """Returns the core's files that match, as paths setuptools accepts: relative, with slashes."""
    return sorted(os.path.relpath(path, ROOT).replace(os.sep, "/") for path in HERE.glob(pattern))


ffi = FFI()
ffi.cdef(declarations())
ffi.set_source(
    "sgtmajor._core",
    '#include "sgm.h"',
    sources=relative("*.c"),
    depends=relative("*.h"),
    include_dirs=["csrc"],
    extra_compile_args=["-std=c11", "-O3", "-pthread"],
    extra_link_args=["-pthread"],
)

"""The two settings pyproject.toml has no place for: the cffi extension and strict editable installs."""

from setuptools import setup

setup(
    cffi_modules=["csrc/ffi_build.py:ffi"],
    options={"editable_wheel": {"mode": "strict"}},
)

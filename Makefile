# make demo   set up, analyze an example deal, print the report
# make test   set up and run all tests
# make check  types, style, formatting and C warnings: what a change must pass besides the tests
# make docs   write the output of the examples in the documents anew
# make extras the tests of what needs an extra: clusters, Parquet, data frames, pictures
# make dds    the tests that hold it against the bridge solver DDS
# make bench  benchmarks      make fuzz  long fuzzing      make sanitize  the C core under sanitizers
# make clean  remove what these leave behind

PYTHON ?= python3
VENV ?= .venv
CC ?= cc
FUZZ_SECONDS ?= 60

BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py README.md $(wildcard csrc/*) $(wildcard solver/*.py*) $(wildcard cli/*.py)
C_FILES := $(wildcard csrc/*.c csrc/*.h tests/c/*.[ch] tests/fuzz/*.c)
WARNINGS := -std=c11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror

.PHONY: demo test check docs extras dds bench fuzz sanitize warnings clean

demo: $(VENV)/.installed
	$(BIN)/sgtmajor analyze examples/deal.txt

test: $(VENV)/.tested
	$(BIN)/python -m pytest

# A stale build/ would put deleted modules into the new wheel.
$(VENV)/.installed: $(SOURCES)
	$(PYTHON) -m venv $(VENV)
	rm -rf build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	rm -rf build
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[test]'
	rm -rf build
	touch $@

$(VENV)/.developed: $(VENV)/.tested
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	rm -rf build
	touch $@

check: $(VENV)/.developed warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(C_FILES)

warnings:
	for file in csrc/*.c; do $(CC) $(WARNINGS) -Icsrc -fsyntax-only $$file || exit 1; done

docs: $(VENV)/.installed
	$(BIN)/python docs/update.py

extras: $(VENV)/.developed
	$(BIN)/python -m pytest tests -k 'cluster or parquet or frame or plot or picture'

dds: $(VENV)/.developed
	$(BIN)/python -m pytest tests -k bridge

bench: $(VENV)/.developed
	$(BIN)/python -m pytest tests/benchmarks --benchmark-only $(if $(TABLE),--write-table $(TABLE))

fuzz: $(VENV)/.tested
	FUZZ_SECONDS=$(FUZZ_SECONDS) PYTHON=$(BIN)/python tests/fuzz/run.sh

sanitize:
	CC=$(CC) tests/sanitize.sh

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

"""The C core without Python: under sanitizers, and replaying the corpora of the fuzz targets."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

TESTS = Path(__file__).parent
CORE = TESTS.parent / "csrc"
FUZZ = TESTS / "fuzz"
# Threads that meet, and tables that grow, in small plays.
SMALL = TESTS / "c" / "small.flags"
SOURCES = sorted(map(str, CORE.glob("*.c")))
COMPILER = next(filter(None, map(shutil.which, ("gcc", "clang", "cc"))), None)

sys.path.insert(0, str(FUZZ))

from fuzz_record import check, mutate  # noqa: E402

needs_compiler = pytest.mark.skipif(COMPILER is None or os.name == "nt", reason="no C compiler")


def corpus(name: str) -> list[Path]:
    return sorted((FUZZ / "corpus" / name).iterdir())


def run(*command: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHON": sys.executable}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_compiler
def test_the_sanitizers_have_no_complaints_about_a_short_run() -> None:
    assert COMPILER
    output = run(str(TESTS / "sanitize.sh"), "--short", COMPILER)
    assert output.count(" questions, ") == 3
    assert output.endswith("sanitize: no complaints\n")


@needs_compiler
def test_the_core_compiles_without_a_warning_in_any_usual_mode(tmp_path: Path) -> None:
    modes = [["-O0"], ["-O3", "-DNDEBUG"], ["-O2", "-Wshadow", "-Wpointer-arith", "-Wwrite-strings"]]
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for mode in modes:
            for source in SOURCES:
                flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", *mode]
                run(compiler, *flags, "-c", source, "-o", str(tmp_path / "out.o"))


@needs_compiler
def test_the_public_header_is_plain_c99_and_cpp(tmp_path: Path) -> None:
    user = tmp_path / "user.c"
    user.write_text('#include "sgm.h"\nint main(void) { return (int)sgm_check(0) == SGM_OK; }\n')
    assert COMPILER
    for language in (["-std=c99"], ["-x", "c++"]):
        flags = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        if language == ["-std=c99"] or shutil.which("g++"):
            run(COMPILER, *language, *flags, f"-I{CORE}", str(user))


@needs_compiler
def test_the_core_keeps_every_promise_on_the_corpus_of_positions(tmp_path: Path) -> None:
    assert COMPILER
    target = tmp_path / "fuzz_position"
    flags = ["-std=c11", "-O1", "-g", "-UNDEBUG", "-Wall", "-Wextra", "-Werror", f"-I{CORE}", f"@{SMALL}"]
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    files = [str(FUZZ / "fuzz_position.c"), str(FUZZ / "standalone.c")]
    run(COMPILER, *flags, *sanitizers, *SOURCES, *files, "-lm", "-o", str(target))
    output = run(str(target), "1", "1", *map(str, corpus("position")))
    assert output.startswith(f"{len(corpus('position'))} files replayed")


@pytest.mark.parametrize("path", corpus("record"), ids=lambda path: path.name)
def test_the_reader_of_records_keeps_every_promise_on_its_corpus(path: Path) -> None:
    check(path.read_bytes())


@pytest.mark.parametrize("seed", range(3))
def test_the_reader_of_records_keeps_every_promise_on_mutations(seed: int) -> None:
    rng = Random(seed)
    known = [path.read_bytes() for path in corpus("record")]
    for _ in range(3000):
        data = mutate(rng, known)
        try:
            check(data)
        except BaseException:
            print("input:", data)
            raise

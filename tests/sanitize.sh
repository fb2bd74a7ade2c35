#!/bin/sh
# Runs the C core under the address, undefined-behaviour and thread sanitizers, with a table of 1 MiB.
#
# Usage: tests/sanitize.sh [--short] [compiler ...]     default: gcc and clang, those that are there
# PYTHON says which Python writes the positions.
set -eu

tests=$(cd "$(dirname "$0")" && pwd)
core=$tests/../csrc
short=
if [ "${1:-}" = --short ]; then
    short=--short
    shift
fi
if [ $# -eq 0 ]; then
    for compiler in gcc clang; do
        if command -v $compiler >/dev/null; then set -- "$@" $compiler; fi
    done
fi
if [ $# -eq 0 ]; then
    echo "sanitize: no C compiler found" >&2
    exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${PYTHON:-python3}" "$tests/c/positions.py" $short >"$work/positions"

build() { # compiler, sanitizers
    for file in "$core"/*.c "$tests/c/driver.c"; do
        rename="-Dmalloc=driver_malloc -Dcalloc=driver_calloc -Daligned_alloc=driver_aligned_alloc"
        if [ "$file" = "$tests/c/driver.c" ]; then rename=; fi
        # shellcheck disable=SC2086
        "$1" -std=c11 -O1 -g -UNDEBUG -Wall -Wextra -Werror -fsanitize="$2" -fno-sanitize-recover=all \
            -fno-omit-frame-pointer -pthread -I"$core" $rename @"$tests/c/small.flags" -c "$file" -o "$work/$(basename "$file").o"
    done
    "$1" -fsanitize="$2" -pthread "$work"/*.o -o "$work/driver"
}

for compiler in "$@"; do
    echo "sanitize: $compiler, address and undefined"
    build "$compiler" address,undefined
    "$work/driver" allocations
    "$work/driver" answers 1024 <"$work/positions"
    "$work/driver" equilibria 65536 <"$work/positions"
    echo "sanitize: $compiler, thread"
    build "$compiler" thread
    "$work/driver" threads 1024 <"$work/positions"
    "$work/driver" equilibria 65536 <"$work/positions"
done
echo "sanitize: no complaints"

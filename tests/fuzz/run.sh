#!/bin/sh
# Fuzzes the C interface and the reader of records, from the corpus, for FUZZ_SECONDS each (default 60).
#
# CC says which compiler to use: with a clang that has libFuzzer that is used, else standalone.c. PYTHON says which
# Python; it must be able to import sgtmajor. FUZZ_SEED seeds the mutations (default: the time).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
core=$here/../../csrc
seconds=${FUZZ_SECONDS:-60}
seed=${FUZZ_SEED:-$(date +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # compiler, sanitizers, more sources
    compiler=$1 sanitizers=$2
    shift 2
    # small.flags: threads that meet, and tables that grow, in small plays.
    "$compiler" @"$here/../c/small.flags" -std=c11 -O1 -g -UNDEBUG -Wall -Wextra -Werror -pthread -fsanitize="$sanitizers" -fno-sanitize-recover=all \
        -I"$core" "$core"/*.c "$here/fuzz_position.c" "$@" -lm -o "$work/fuzz_position"
}

echo "fuzz: $seconds seconds each, seed $seed"
if build "${CC:-clang}" fuzzer,address,undefined 2>"$work/log"; then
    mkdir "$work/found"
    "$work/fuzz_position" -seed=$((seed % 4294967295)) -max_total_time="$seconds" -max_len=128 -verbosity=0 \
        -print_final_stats=1 "$work/found" "$here/corpus/position"
else
    if ! build "${CC:-cc}" address,undefined "$here/standalone.c"; then
        cat "$work/log" >&2
        exit 2
    fi
    "$work/fuzz_position" "$seconds" "$seed" "$here"/corpus/position/*
fi
"${PYTHON:-python3}" "$here/fuzz_record.py" "$seconds" "$seed" "$here"/corpus/record/*

#!/usr/bin/env bash
# Holds the search with its bounds against the search without them on random endings.
#   tests/bounds_off.sh [COUNT [LARGEST [SEED]]]
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-300000} largest=${2:-7} seed=${3:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core=$(ls csrc/*.c | grep -v bounds.c)
build="${CC:-cc} -std=c11 -O2 -Icsrc"
$build tests/c/print_values.c $core csrc/bounds.c -o "$work/with"
$build tests/c/print_values.c $core tests/c/no_bounds.c -o "$work/without"
"$work/with" "$seed" "$count" "$largest" > "$work/with.txt"
"$work/without" "$seed" "$count" "$largest" > "$work/without.txt"
cmp "$work/with.txt" "$work/without.txt"
echo "$count endings of up to $largest tricks: the same with and without bounds"

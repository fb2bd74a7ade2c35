#!/bin/sh
# Holds what csrc/bounds.c claims against the search without bounds, on random endings (see c/check_bounds.c).
#   tests/check_bounds.sh [COUNT [LARGEST [SEED]]]      default: 1000000 endings of up to 6 tricks
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core=$(ls csrc/*.c | grep -v bounds.c)
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Werror -Icsrc tests/c/check_bounds.c tests/c/no_bounds.c $core -o "$work/check"
"$work/check" "${3:-1}" "${1:-1000000}" "${2:-6}"

#!/bin/sh
# Holds the proofs of the C core to account on random endings: what its bounds claim against the search without
# bounds, and what the search stores against plain enumeration (see c/check_bounds.c and c/check_claims.c).
#   tests/check_proofs.sh bounds|claims [COUNT [LARGEST [SEED]]]
# Default: 1000000 endings of up to 6 tricks for bounds, 1000000 of up to 5 for claims.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-} in
bounds) left_out=bounds.c with=tests/c/no_bounds.c count=1000000 largest=6 ;;
claims) left_out=table.c with= count=1000000 largest=5 ;;
*)
    echo "usage: tests/check_proofs.sh bounds|claims [COUNT [LARGEST [SEED]]]" >&2
    exit 2
    ;;
esac
core=$(ls csrc/*.c | grep -v "$left_out")
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Werror -Icsrc "tests/c/check_$1.c" $with $core -o "$work/check"
"$work/check" "${4:-1}" "${2:-$count}" "${3:-$largest}"

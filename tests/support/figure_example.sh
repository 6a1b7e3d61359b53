#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# figure_example.sh SCRIPT quick|full: runs one of examples/collective-io/. Its CSV must have a
# simulated and a model time in every row, and its pictures must exist if gnuplot is installed.
set -euo pipefail
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
name=$(basename "$1" .sh)
mode=$2
[ "$mode" = full ] || export QUICK=1

"$1" "$out"
awk -F, '
  /^#/ { next }
  { while (match($0, /"[^"]*"/)) # a field with commas
      $0 = substr($0, 1, RSTART - 1) "quoted" substr($0, RSTART + RLENGTH) }
  !header { for (i = 1; i <= NF; ++i) at[$i] = i; header = 1; next }
  { ++points }
  !($at["time_s"] > 0 && $at["model_loggp_s"] > 0) { print "no time: " $0; bad = 1 }
  END { if (points < 2) { print points + 0, "points"; bad = 1 }; exit bad }' "$out/$name.csv"
command -v gnuplot > /dev/null || exit 0
grep -q '</svg>' "$out/$name.svg"
[ "$(head -c 4 "$out/$name.png" | tail -c 3)" = PNG ]

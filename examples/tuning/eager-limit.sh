#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# An effect that ping-pong does not show: Table 4.4 of S. Jha's dissertation on the simulated crill.
# README.md describes what was measured and what is not modeled.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package

# column NAME: prints this column of the CSV on standard input, which has one row.
column() {
  awk -F, -v name="$1" '/^#/ { next }
    !head++ { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
    { print at ? $at : "" }'
}

printf '%-28s %9s %9s %7s  %s\n' "" "12 KiB us" "48 KiB us" "Gain %" "Sent eagerly"
row() { # NAME ARGUMENT...
  local name=$1 before after
  shift
  local as=(--platform crill --message-size 64KiB --format csv -q)
  before=$("$sim" run "$@" "${as[@]}" --set mpi/eager_limit=12KiB)
  after=$("$sim" run "$@" "${as[@]}" --set mpi/eager_limit=48KiB)
  awk -v name="$name" -v a="$(column time_s <<< "$before")" -v b="$(column time_s <<< "$after")" \
    -v all="$(column messages <<< "$after")" -v eager_a="$(column eager_messages <<< "$before")" \
    -v eager_b="$(column eager_messages <<< "$after")" 'BEGIN {
      sent = all == "" ? "no, no" : eager_a " of " all ", " eager_b " of " all
      printf "%-28s %9.1f %9.1f %+7.1f  %s\n", name, a * 1e6, b * 1e6, (1 - b / a) * 100, sent }'
}
row "ping-pong" pingpong
for procs in 32 64; do
  tree=(bcast --algorithm binary_tree --procs $procs --ppn 4 --set mpi/intra_node=network)
  row "$procs processes, in one piece" "${tree[@]}" --segment-size 0
  row "    segments of 32 KiB" "${tree[@]}" --segment-size 32KiB
  row "    segments of 16 KiB" "${tree[@]}" --segment-size 16KiB
done

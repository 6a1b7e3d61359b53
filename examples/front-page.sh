#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Draws the picture of the front page: broadcasts of 576 processes on crill. `auto` is the algorithm
# that Open MPI 4.1 selects, `auto:best` the fastest of all algorithms, including two-level ones.
#   examples/front-page.sh [PICTURE]   examples/front-page.svg
set -euo pipefail
here=$(dirname "$0")
sim=${TUTTI_SIM:-$here/../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$sim" run bcast --platform crill --procs 576 --engine flow --message-size 64:4MiB:*4 -q \
  --algorithm auto,auto:best,binomial,scatter_allgather_ring -o "$work/bcast.csv"
"$sim" plot "$work/bcast.csv" -o "${1:-$here/front-page.svg}"

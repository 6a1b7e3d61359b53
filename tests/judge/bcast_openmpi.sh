#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The real Open MPI as a judge: for each broadcast, at process counts, roots, sizes and segments
# that the golden table does not have, it sends (pml_monitoring) the messages that we send.
#   tests/judge/bcast_openmpi.sh SIM
# Exit 77 (skipped) where Open MPI is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1 collective=bcast
source "$root_dir/tests/support/openmpi_judge.sh"

names=(basic_linear chain pipeline split_binary_tree binary_tree binomial knomial
  scatter_allgather scatter_allgather_ring)
for id in {1..9}; do
  name=${names[id - 1]}
  compare "$id" "$name" 2 1000 300 4 1
  compare "$id" "$name" 3 10007 1000 2 2
  compare "$id" "$name" 6 5 0 3 0
  compare "$id" "$name" 7 4096 1000 3 5
  compare "$id" "$name" 11 9000 0 4 3
  compare "$id" "$name" 13 20000 7000 5 12
done
verdict

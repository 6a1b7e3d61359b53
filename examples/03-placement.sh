#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Block or round-robin? The last step of Open MPI's binomial tree has half of all messages, each to
# a rank half of the communicator away: between nodes with block, inside nodes with round-robin. A
# k-nomial tree is built in the opposite order.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package

for map in block round-robin; do
  "$sim" run bcast --platform crill --procs 192 --ppn 12 --map $map \
    --algorithm binomial,knomial,scatter_allgather_ring --message-size 64KiB,1MiB
done

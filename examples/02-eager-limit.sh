#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How does the eager limit affect a segmented broadcast? A segment up to the limit leaves at once; a
# larger one waits for a handshake: three latencies, and on crill a slower path.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package

for limit in 4KiB 12KiB 48KiB; do
  echo "eager limit $limit:"
  "$sim" run bcast --platform crill --procs 16 --ppn 1 --algorithm pipeline --message-size 256KiB \
    --segment-size 2KiB:64KiB --set mpi/eager_limit=$limit --no-cost -q |
    grep -v '^#'
done

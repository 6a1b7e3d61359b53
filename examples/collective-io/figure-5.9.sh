#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many aggregators do 10,000 processes need? opuntia-10k, 1 GiB each, buffers of 32 MiB. 2-D has
# more than 17 million messages: it is sampled. The knee is marked: see io_models/README.md.
set -euo pipefail
source "$(dirname "$0")/figure.sh"
source "$here/aggregators.sh"

write=(--platform opuntia-10k --procs 10000 --bytes-per-proc 1GiB)
many=64:4096:*4
[ -z "$quick" ] || { write=(--platform opuntia --procs 400 --bytes-per-proc 32MiB) many=4,16,64; }
for number in $(numbers "$many"); do
  for decomposition in 2d 1d; do
    for partitioning in static even; do
      simulate "${write[@]}" --decomposition $decomposition --partitioning $partitioning \
        --aggregators "$number"
    done
  done
done
join_runs
aggregator_picture "Figure 5.9: number of aggregators\n\
$(job "${write[@]}"), buffer 32 MiB"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many aggregators do 10,000 processes need? opuntia-10k, 1 GiB each, buffers of 32 MiB, under
# five assumptions (aggregators.sh). 2-D has more than 17 million messages and is sampled. In static
# domains a sample gives only an upper bound (few processes send at a time), so 2-D is omitted.
set -euo pipefail
source "$(dirname "$0")/figure.sh"
source "$here/aggregators.sh"

write=(--platform opuntia-10k --procs 10000 --bytes-per-proc 1GiB)
many=64:4096:*4
storage=targets=256,bandwidth=1GBps,stripe=32MiB
storage_title='256 targets of 1 GB/s, stripes of 32 MiB'
if [ -n "$quick" ]; then
  write=(--platform opuntia --procs 400 --bytes-per-proc 32MiB) many=4,16,64
  storage=targets=16,bandwidth=1GBps,stripe=32MiB storage_title='16 targets of 1 GB/s'
fi
for number in $(numbers "$many"); do
  for series in '2d even' '1d even' '1d static'; do
    read -r decomposition partitioning <<< "$series"
    under_all "${write[@]}" --decomposition "$decomposition" --partitioning "$partitioning" \
      --aggregators "$number"
  done
done
join_runs
aggregator_picture "Figure 5.9: number of aggregators\n\
$(job "${write[@]}"), buffer 32 MiB"

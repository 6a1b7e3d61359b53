#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many aggregators do 250,000 processes need? opuntia-250k, 1 GiB each, buffers of 32 MiB, even
# domains, under five assumptions (aggregators.sh). Jobs with more than 17 million messages (2-D)
# are sampled. 2-D has messages of 64 and 96 KiB; with opuntia's eager limit of 64 KiB some would be
# eager, which sampling does not support, so 2-D uses 32 KiB. Static domains are omitted: they take
# minutes of CPU time per point, in 2-D many. A run needs up to 10 GB of memory.
set -euo pipefail
source "$(dirname "$0")/figure.sh"
source "$here/aggregators.sh"

write=(--platform opuntia-250k --procs 250000 --bytes-per-proc 1GiB)
many=512,2048,8192,16384
storage=targets=1024,bandwidth=2GBps,stripe=32MiB
storage_title='1,024 targets of 2 GB/s, stripes of 32 MiB'
if [ -n "$quick" ]; then
  write=(--platform opuntia-10k --procs 2500 --bytes-per-proc 16MiB) many=16,64
  storage=targets=16,bandwidth=2GBps,stripe=32MiB storage_title='16 targets of 2 GB/s'
fi
for n in ${many//,/ }; do
  under_all "${write[@]}" --decomposition 2d --set mpi/eager_limit=32KiB --partitioning even \
    --aggregators "$n"
done
for n in ${many//,/ }; do
  under_all "${write[@]}" --decomposition 1d --partitioning even --aggregators "$n"
done
join_runs
aggregator_picture "Figure 5.10: number of aggregators\n\
$(job "${write[@]}"), buffer 32 MiB; \
2-D: eager limit 32 KiB"

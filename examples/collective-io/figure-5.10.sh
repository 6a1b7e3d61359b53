#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many aggregators do 250,000 processes need? opuntia-250k, 1 GiB each, buffers of 32 MiB. What
# has more than 17 million messages is sampled (2-D). The messages of 2-D are of 64 and 96 KiB: with
# opuntia's eager limit, 64 KiB, some were eager, which no sample may be; so 2-D has 32 KiB.
# Static domains are simulated in 1-D with one number of aggregators: a point takes minutes of a
# core, in 2-D many. A run needs up to 5 GB of memory.
set -euo pipefail
source "$(dirname "$0")/figure.sh"
source "$here/aggregators.sh"

write=(--platform opuntia-250k --procs 250000 --bytes-per-proc 1GiB)
even_1d=512,2048,8192,16384 even_2d=512,2048,8192,16384 static_1d=512
if [ -n "$quick" ]; then
  write=(--platform opuntia-10k --procs 2500 --bytes-per-proc 16MiB)
  even_1d=16,64 even_2d=16,64 static_1d=16
fi
one=("${write[@]}" --decomposition 1d)
two=("${write[@]}" --decomposition 2d --set mpi/eager_limit=32KiB)
for n in ${static_1d//,/ }; do simulate "${one[@]}" --partitioning static --aggregators "$n"; done
for n in ${even_2d//,/ }; do simulate "${two[@]}" --partitioning even --aggregators "$n"; done
for n in ${even_1d//,/ }; do simulate "${one[@]}" --partitioning even --aggregators "$n"; done
join_runs
aggregator_picture "Figure 5.10: number of aggregators\n\
$(job "${write[@]}"), buffer 32 MiB; 2-D: eager limit 32 KiB"

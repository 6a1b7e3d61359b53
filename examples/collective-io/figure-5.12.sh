#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What do more aggregators gain, as the model has it and as simulated? 576 processes of crill,
# 64 MiB (8192 x 8192 bytes) each, even file domains, buffer 32 MiB; times normalised to
# those of the smallest number of aggregators, as the dissertation's measurements.
set -euo pipefail
source "$(dirname "$0")/figure.sh"

procs=576
[ -z "$quick" ] || procs=144
simulate --platform crill --procs $procs --decomposition 1d,2d --bytes-per-proc 64MiB \
  --partitioning even --aggregators 4:128
join_runs

size=1000,760
{
  series one decomposition=1d aggregators
  series two decomposition=2d aggregators
  cat << EOD
set title "Figure 5.12: time relative to that of 4 aggregators\n\
crill (DDR InfiniBand), $procs processes, 64 MiB (8192 x 8192 bytes) each, even domains,\
 buffer 32 MiB"
@count_tics
set yrange [0:*]
set ylabel 'time / time of 4 aggregators'
plot \\
EOD
  curves one 1-D '#0b3c8c' 7 $(rows decomposition=1d aggregators time_s model_loggp_s | first_times)
  curves two 2-D '#d9662b' 5 $(rows decomposition=2d aggregators time_s model_loggp_s | first_times)
  echo "NaN notitle"
} | draw

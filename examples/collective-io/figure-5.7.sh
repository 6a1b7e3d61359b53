#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How large must the collective buffer be? 576 processes of crill write 1 GiB each through 100
# aggregators, even file domains that end at multiples of 32 KiB (a row of a process' block in 2-D;
# a smaller piece would be an eager message, which sampling does not support), buffers of 64 KiB to
# 64 MiB. In 2-D, buffers up to 256 KiB give more than 17 million messages: these two are sampled.
set -euo pipefail
source "$(dirname "$0")/figure.sh"

write=(--platform crill --procs 576 --bytes-per-proc 1GiB --aggregators 100 --align 32KiB)
if [ -n "$quick" ]; then
  write=(--platform crill --procs 144 --bytes-per-proc 16MiB --aggregators 16)
  simulate "${write[@]}" --decomposition 1d,2d --buffer-size 1MiB:16MiB:*4
else
  simulate "${write[@]}" --decomposition 2d --buffer-size 1MiB
  simulate "${write[@]}" --decomposition 1d --buffer-size 64KiB
  simulate "${write[@]}" --decomposition 2d --buffer-size 64KiB,256KiB
  simulate "${write[@]}" --decomposition 1d --buffer-size 256KiB:64MiB:*4
  simulate "${write[@]}" --decomposition 2d --buffer-size 4MiB:64MiB:*4
fi
join_runs

size=1000,760
{
  series one decomposition=1d buffer_bytes
  series two decomposition=2d buffer_bytes
  cat << EOD
set title "Figure 5.7: size of the collective buffer\n\
crill (DDR InfiniBand), ${write[3]} processes, $(spaced "${write[5]}") each, even domains,\
 ${write[7]} aggregators\nhollow: sampled"
@size_tics
set xlabel 'collective buffer'
set yrange [0:*]
set ylabel 'time (s)'
plot \\
EOD
  curves one 1-D '#0b3c8c' 7
  curves two 2-D '#d9662b' 5
  echo "NaN notitle"
} | draw

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# GPFS or Lustre? Even file domains with buffers of 32 MiB compared with static ones with 1 MiB: 576
# processes on crill, 2-D, 64 aggregators, over the data per process. Static ones also with ranks
# placed round-robin: then the senders of a cycle are not all on one node.
set -euo pipefail
source "$(dirname "$0")/figure.sh"

procs=576 sizes=16MiB:256MiB:*4
[ -z "$quick" ] || { procs=144 sizes=4MiB,16MiB; }
write=(--platform crill --procs $procs --decomposition 2d --bytes-per-proc $sizes --aggregators 64)
simulate "${write[@]}" --partitioning static --buffer-size 1MiB
simulate "${write[@]}" --partitioning static --buffer-size 1MiB --map round-robin
simulate "${write[@]}" --partitioning even --buffer-size 32MiB
join_runs

size=1000,760
{
  series even partitioning=even bytes_per_proc
  series static 'partitioning=static map=block' bytes_per_proc
  series dealt 'partitioning=static map=round-robin' bytes_per_proc
  cat << EOD
set title "Figure 5.8: even domains of 32 MiB against static ones of 1 MiB\n\
crill (DDR InfiniBand), $procs processes, 2-D, 64 aggregators"
@size_tics
set xlabel 'data per process'
set logscale y
set ylabel 'time (s)'
plot \\
EOD
  curves even 'even, 32 MiB' '#0b3c8c' 7
  curves static 'static, 1 MiB' '#d9662b' 5
  simulated dealt 'static, 1 MiB, ranks round-robin' '#2e8b57' 9 # the model has no nodes
  echo "NaN notitle"
} | draw

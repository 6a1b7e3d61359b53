#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How much more does a 2-D decomposition cost than block rows? Collective writes on crill, even file
# domains, 64 aggregators with 32 MiB each: times with 576 processes, and the difference with 144,
# 225 and 576 processes, over the data per process.
set -euo pipefail
source "$(dirname "$0")/figure.sh"

procs=576,225,144 sizes=16MiB:1GiB:*4
[ -z "$quick" ] || { procs=144 sizes=4MiB,16MiB; }
simulate --platform crill --procs ${procs%%,*} --decomposition 2d --bytes-per-proc $sizes \
  --aggregators 64
simulate --platform crill --procs $procs --decomposition 1d --bytes-per-proc $sizes --aggregators 64
[ -n "$quick" ] ||
  simulate --platform crill --procs ${procs#*,} --decomposition 2d --bytes-per-proc $sizes \
    --aggregators 64
join_runs

# difference PROCS: a data block of x and the additional time of 2-D in percent: simulated, model.
difference() {
  echo "\$difference_$1 << EOD"
  join <(rows "procs=$1 decomposition=1d" bytes_per_proc time_s model_loggp_s | sort) \
    <(rows "procs=$1 decomposition=2d" bytes_per_proc time_s model_loggp_s | sort) |
    awk '{ print $1, 100 * ($4 / $2 - 1), 100 * ($5 / $3 - 1) }' | sort -g
  echo EOD
}
# difference_curves PROCS COLOUR POINT
difference_curves() {
  cat << EOD
\$difference_$1 using 1:2 with linespoints lc rgb '$2' lw 2 pt $3 ps 1.4 \\
  title '$1 processes, simulated', \\
\$difference_$1 using 1:3 with linespoints lc rgb '$2' dt (12,6) lw 2 pt 2 ps 1.2 \\
  title '$1 processes, model', \\
EOD
}
size=1300,720
{
  series one "procs=${procs%%,*} decomposition=1d" bytes_per_proc
  series two "procs=${procs%%,*} decomposition=2d" bytes_per_proc
  for p in ${procs//,/ }; do difference "$p"; done
  cat << EOD
set multiplot layout 1,2 title "Figure 5.5: block rows (1-D) against blocks (2-D)\n\
crill (DDR InfiniBand), even domains, 64 aggregators, buffer 32 MiB"
@size_tics
set xlabel 'data per process'
set logscale y
set ylabel 'time (s)'
set title '${procs%%,*} processes'
plot \\
EOD
  curves one 1-D '#0b3c8c' 7
  curves two 2-D '#d9662b' 5
  cat << EOD
NaN notitle
unset logscale y
set ylabel 'additional time of 2-D over 1-D (%)'
set yrange [*<0:*]
set title 'Difference'
plot \\
EOD
  colours=('#0b3c8c' '#2e8b57' '#d9662b') points=(7 9 5) i=0
  for p in ${procs//,/ }; do
    difference_curves "$p" "${colours[i]}" "${points[i]}"
    i=$((i + 1))
  done
  echo "NaN notitle"
  echo "unset multiplot"
} | draw

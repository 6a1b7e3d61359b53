#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Are the receivers the bottleneck? The model's fraction T_recv / (T_send + T_recv) for 144, 225 and
# 576 processes on crill, 1 GiB each, 64 aggregators, 32 MiB, compared with the fraction of the
# simulated time that the busiest link is busy. Near 100 % this link is the bottleneck (in even
# domains an aggregator's core or NIC). Far below, the links take turns: in static domains all
# aggregators need data of the same few processes in each cycle.
set -euo pipefail
source "$(dirname "$0")/figure.sh"

procs=144,225,576 size_of_each=1GiB
[ -z "$quick" ] || { procs=144,225 size_of_each=32MiB; }
for decomposition in 2d 1d; do
  for partitioning in static even; do
    simulate --platform crill --procs $procs --decomposition $decomposition \
      --partitioning $partitioning --bytes-per-proc $size_of_each --aggregators 64
  done
done
join_runs

# bars NAME "COLUMN=VALUE ...": a data block of processes and the fractions of the model and of the
# busiest link in percent.
bars() {
  echo "\$$1 << EOD"
  rows "$2" procs model_recv_s model_loggp_s busiest_link_busy_s time_s |
    awk '{ print $1, 100 * $2 / $3, 100 * $4 / $5 }'
  echo EOD
}
size=1300,640
{
  bars even_1d 'partitioning=even decomposition=1d'
  bars static_1d 'partitioning=static decomposition=1d'
  bars even_2d 'partitioning=even decomposition=2d'
  bars static_2d 'partitioning=static decomposition=2d'
  cat << EOD
set multiplot layout 1,2 title "Figure 5.6: fraction of receiving\n\
crill (DDR InfiniBand), $(spaced $size_of_each) per process, 64 aggregators, buffer 32 MiB"
set style data histograms
set style histogram clustered gap 1
set style fill solid border lc rgb 'black'
set boxwidth 0.85
set grid noxtics
set key maxrows 2
set yrange [0:100]
set xlabel 'processes'
do for [column = 2:3] {
  set title (column == 2 ? 'Model: T_recv / (T_send + T_recv)' : \
    'Simulated: the busiest link is busy')
  set ylabel (column == 2 ? 'fraction of the time (%)' : 'fraction of the simulated time (%)')
  plot \$even_1d using column:xtic(1) lc rgb '#0b3c8c' title '1-D even', \\
    \$static_1d using column lc rgb '#0b3c8c' fs pattern 4 title '1-D static', \\
    \$even_2d using column lc rgb '#f0a868' title '2-D even', \\
    \$static_2d using column lc rgb '#d9662b' fs pattern 5 title '2-D static'
}
unset multiplot
EOD
} | draw

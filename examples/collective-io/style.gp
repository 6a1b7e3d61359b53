# SPDX-License-Identifier: BSD-3-Clause
# Style of all pictures: a legend below the curves, a thin grid, margins around the outer points.
set key below vertical Left reverse maxrows 6 spacing 1.25 samplen 5 width 1 height 0.6
set grid back lt 1 lc rgb '#cccccc' lw 0.7
set border 3
set tics nomirror
set bars 1.2
set xlabel offset 0, 0.3
set offsets graph 0.03, graph 0.03, 0, 0
set tmargin 5
# Axes of sizes and of numbers of aggregators: use `@size_tics`, `@count_tics`.
size_tics = "set logscale x 2; set xtics ('64 KiB' 2**16, '256 KiB' 2**18, '1 MiB' 2**20, \
  '4 MiB' 2**22, '16 MiB' 2**24, '64 MiB' 2**26, '256 MiB' 2**28, '1 GiB' 2**30)"
count_tics = "set logscale x 2; set format x '%.0f'; set xlabel 'aggregators'"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A 4-D array in blocks, written and read by ROMIO's collective I/O on Lustre, does not get faster
# from 64 nodes on (github.com/pmodels/mpich/issues/7935, Frontier and Orion). See README.md.
set -euo pipefail
source "$(dirname "$0")/report.sh"

# A lattice of 24 x 24 x 24 x 24 sites of 576 B per process, the last dimension adjacent.
lattice() {
  case $1 in
    1) echo --array 48x24x24x48 --grid 2x1x1x2 ;;
    2) echo --array 48x48x24x48 --grid 2x2x1x2 ;;
    16) echo --array 96x96x48x96 --grid 4x4x2x4 ;;
    32) echo --array 96x96x96x96 --grid 4x4x4x4 ;;
    64) echo --array 192x96x96x96 --grid 8x4x4x4 ;;
    128) echo --array 192x96x96x192 --grid 8x4x4x8 ;;
  esac
}
all='16 32 64 128' ppn=8 stripes=64 many=450
if [ -n "$quick" ]; then all='1 2' ppn=4 stripes=1 many=8; fi
job() {
  echo --platform lumi --set mpi/routing=fixed --procs $(($1 * ppn)) --ppn $ppn \
    --decomposition array $(lattice "$1") --element-size 576B
}
narrow=orion-capacity,stripe_count=$stripes

library_write() { # NODES STORAGE
  echo write $(job "$1") --implementation romio_lustre --storage "$2"
}
library_read() { # NODES STORAGE: the collective buffer is a stripe
  echo read $(job "$1") --implementation romio --aggregators $(($1 < stripes ? $1 : stripes)) \
    --aggregator-placement nodes --buffer-size 1MiB --storage "$2"
}
# One exchange after which each process has a contiguous part of the file, then one access.
own() { # write|read NODES
  echo "$1" $(job "$2") --implementation two_phase --aggregators $(($2 * ppn)) \
    --buffer-size $((24 * 24 * 24 * 24 * 576)) --setup off --storage "$narrow"
}

title "Stripes over $stripes targets: the library, by number of nodes"
for n in $all; do row "write, $n nodes" - $(library_write "$n" "$narrow"); done
for n in $all; do row "read, $n nodes" - $(library_read "$n" "$narrow"); done
last=${all##* }
title "Fixes, $last nodes (factor: compared with the library)"
row "write, stripes over all targets" "write, $last nodes" $(library_write "$last" orion-capacity)
row "write, $many targets, $many aggregators" "write, $last nodes" \
  $(library_write "$last" orion-capacity,stripe_count=$many) --aggregators $many
row "write, own exchange, then POSIX" "write, $last nodes" $(own write "$last")
row "read, own exchange after POSIX" "read, $last nodes" $(own read "$last")

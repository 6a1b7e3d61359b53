#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ROMIO's collective buffering of strided data at scale (github.com/pmodels/mpich/issues/7645), and
# in one node (6984). See README.md.
set -euo pipefail
source "$(dirname "$0")/report.sh"

ppn=64 nodes=16 segments=1024
if [ -n "$quick" ]; then ppn=16 nodes=2 segments=64; fi
procs=$((nodes * ppn))
contiguous="--decomposition 1d --bytes-per-proc $((segments * 4096))"
strided="--decomposition array --array ${segments}x${procs}x4096 --element-size 1
         --grid 1x${procs}x1"
job() { # write|read ACCESS...
  echo "$1" --platform lumi --set mpi/routing=fixed --procs $procs --ppn $ppn "${@:2}" \
    --implementation romio --aggregators $((nodes * 8)) --aggregator-placement nodes \
    --buffer-size 4MiB
}

title "$procs processes, $((segments * 4)) KiB each, 8 aggregators per node (factor: strided)"
for operation in write read; do
  row "$operation, segments of 4 KiB" - $(job $operation $strided)
  row "$operation, contiguous" "$operation, segments of 4 KiB" $(job $operation $contiguous)
  row "$operation, segments, leaders in nodes" "$operation, segments of 4 KiB" \
    $(job $operation $strided --node-leaders 8)
done

title "One node, 2 MiB per process in segments of 4 KiB, Lustre"
for procs in 2 16 32; do
  one="write --platform lumi --procs $procs --ppn 64 --decomposition array
       --array 512x${procs}x4096 --element-size 1 --grid 1x${procs}x1
       --implementation romio --buffer-size 16MiB --storage lustre-hdd"
  row "$procs processes, 1 aggregator" - $one --aggregators 1
  many=$((procs < 8 ? procs : 8))
  row "$procs processes, $many aggregators" "$procs processes, 1 aggregator" \
    $one --aggregators $many
done

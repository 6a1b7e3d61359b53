#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of the traffic with Open MPI: for every algorithm of every collective, at process
# counts, roots, sizes and segments outside the golden table, Open MPI (pml_monitoring) and `sim`
# send the same messages.
#   tests/conformance/collectives_openmpi.sh SIM [COLLECTIVE...]
# Exit 77 (skipped) if Open MPI is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1
shift
source "$root_dir/tests/support/openmpi_conformance.sh"

# collective: its algorithms' names in the order of Open MPI's numbers from 1; - is omitted
# (two_proc runs with two processes only).
declare -A names=(
  [bcast]="basic_linear chain pipeline split_binary_tree binary_tree binomial knomial
    scatter_allgather scatter_allgather_ring"
  [allgather]="linear bruck recursive_doubling ring neighbor -"
  [allgatherv]="default bruck ring neighbor -"
  [allreduce]="basic_linear nonoverlapping recursive_doubling ring segmented_ring rabenseifner"
  [alltoall]="linear pairwise modified_bruck linear_sync -"
  [alltoallv]="basic_linear pairwise"
  [barrier]="linear double_ring recursive_doubling bruck - tree"
  [gather]="basic_linear binomial linear_sync"
  [scatter]="basic_linear binomial linear_nb"
  [reduce]="linear chain pipeline binary binomial in-order_binary rabenseifner"
  [reduce_scatter]="non-overlapping recursive_halving ring butterfly"
  [reduce_scatter_block]="basic_linear recursive_doubling recursive_halving butterfly"
  [scan]="linear recursive_doubling"
  [exscan]="linear recursive_doubling"
)
has_root() { [[ " bcast gather scatter reduce " == *" $1 "* ]]; }

# procs bytes segment fanout root
cases=("3 1007 100 2 2" "7 4096 1000 3 5" "13 5 0 4 12")
for collective in "${@:-${!names[@]}}"; do
  for one in $collective; do
    id=0
    for name in ${names[$one]}; do
      id=$((id + 1))
      [ "$name" = - ] && continue
      for each in "${cases[@]}"; do
        read -r procs bytes segment fanout root <<< "$each"
        has_root "$one" || root=0
        compare "$one" "$id" "$name" "$procs" "$bytes" "$segment" "$fanout" "$root"
      done
    done
  done
done
verdict

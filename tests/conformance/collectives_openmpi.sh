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

# procs [--mca ...], the calls in the file `calls` -> "collective number: src dst messages bytes"
real_traffic() {
  local procs=$1
  shift
  traffic_of "$procs" forced "$@" < calls |
    awk 'NR == FNR { id[NR] = $1 " " $3 ":"; next } { $1 = id[$1 + 0]; print }' calls -
}
# The same of all `cases`. For allgatherv no algorithm can be chosen at run time: one run for each.
by_library() { # procs
  local id
  cut -d' ' -f1-6 cases | grep -v '^allgatherv ' > calls && real_traffic "$1"
  for id in $(awk '$1 == "allgatherv" { print $3 }' cases); do
    grep "^allgatherv [0-9]* $id " cases | cut -d' ' -f1-6 > calls
    real_traffic "$1" --mca coll_tuned_allgatherv_algorithm "$id"
  done
}

# The same by `sim`.
by_simulation() { # procs
  local one bytes fanout segment root algorithms size
  for one in $(cut -d' ' -f1 cases | sort -u); do
    read -r _ bytes _ fanout segment root _ < <(grep "^$one " cases)
    algorithms=$(awk -v one="$one" '$1 == one { print $7 }' cases | paste -sd,)
    size=(--message-size "$bytes")
    [ "$one" = barrier ] && size=()
    "$sim" run "$one" --platform crill --ppn 4 --engine ideal -q --traffic ours.csv -o table.csv \
      --algorithm "$algorithms" --procs "$1" "${size[@]}" --segment-size "$segment" \
      --fanout "$fanout" --root "$root"
    awk -F, 'NR == FNR { split($0, of, " "); id[of[1] "," of[7]] = of[3]; next }
      ($1 "," $3) in id { print $1, id[$1 "," $3] ":", $9, $10, $11, $12 }' cases ours.csv
  done
}

# procs bytes segment fanout root
cases=("3 1007 100 2 2" "7 4096 1000 3 5" "13 5 0 4 12")
compared=0 wrong=0
for each in "${cases[@]}"; do
  read -r procs bytes segment fanout root <<< "$each"
  # Lines "collective bytes number fanout segment root algorithm".
  for one in ${*:-${!names[*]}}; do
    id=0
    for name in ${names[$one]}; do
      id=$((id + 1))
      [ "$name" = - ] && continue
      echo "$one $bytes $id $fanout $segment $(has_root "$one" && echo "$root" || echo 0) $name"
    done
  done > cases
  by_library "$procs" > real
  by_simulation "$procs" > simulated
  while read -r one _ id _ _ _ name; do
    compared=$((compared + 1))
    grep "^$one $id: " real | sort > theirs || { echo "$one $id: no messages" >&2; exit 1; }
    if ! diff theirs <(grep "^$one $id: " simulated | sort) > difference; then
      wrong=$((wrong + 1))
      echo "differs: $one $name; procs bytes segment fanout root = $each"
      head -n 10 difference
    fi
  done < cases
done
echo "$compared cases compared, $wrong differ"
[ "$compared" -gt 0 ] && [ "$wrong" -eq 0 ]

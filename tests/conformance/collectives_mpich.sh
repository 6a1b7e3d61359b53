#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of the traffic with MPICH 4.0 (ch4:ucx): the library and `sim` send the same
# messages, for the library's own choice around each border of its decision tree (auto:mpich-4.0)
# and for each of its blocking algorithms; with one process per node and, for the library's choice
# of the collectives that it composes of others, with two.
#   tests/conformance/collectives_mpich.sh SIM [PROCS...]
# Exit 77 (skipped) if MPICH with this device is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1
shift
source "$root_dir/tests/support/mpich_conformance.sh"

# collective: its algorithms in the order of the numbers of MPIR_CVAR_*_INTRA_ALGORITHM from 1; - is
# omitted: nonblocking, for several ranks per node, or for MPI_IN_PLACE.
declare -A names=(
  [bcast]="binomial_mpich - - scatter_recursive_doubling_allgather scatter_ring_allgather"
  [allgather]="bruck - recursive_doubling ring"
  [allgatherv]="bruck - recursive_doubling ring_mpich"
  [allreduce]="- - recursive_doubling reduce_scatter_allgather_mpich"
  [alltoall]="modified_bruck - pairwise_mpich - scattered"
  [alltoallv]="- - scattered"
  [barrier]="- - bruck"
  [gather]="binomial"
  [gatherv]="linear_mpich"
  [scatter]="binomial"
  [scatterv]="linear_mpich"
  [reduce]="binomial_mpich - - reduce_scatter_gather"
  [reduce_scatter]="- noncommutative pairwise recursive_doubling recursive_halving"
  [reduce_scatter_block]="butterfly recursive_doubling pairwise recursive_halving"
  [scan]="- - recursive_doubling"
  [exscan]="- recursive_doubling"
)

# Sizes at which the library's own choice is compared.
sizes_of() { # collective procs
  local of_all="$((81919 / $2)) $((81920 / $2 + 1)) $((524287 / $2)) $((524288 / $2 + 1))"
  case $1 in
    bcast) echo 1 100 12288 12289 524288 524289 ;;
    allgather | allgatherv) echo "1 $of_all" ;;
    allreduce) echo 1 8 9 1007 100000 ;;
    alltoall) echo 1 256 257 32768 32769 ;;
    reduce) echo 1 2048 2049 100000 ;;
    reduce_scatter) echo 5 1007 524287 524288 ;;
    reduce_scatter_block) echo "5 $((524287 / $2)) $((524288 / $2 + 1))" ;;
    barrier) echo 0 ;;
    *) echo 7 5000 ;;
  esac
}
is_power_of_two() { (($1 & ($1 - 1))) && return 1 || return 0; }
# Where the library chooses again or aborts.
is_restricted() { # algorithm procs bytes collective
  case $1 in
    noncommutative) ! is_power_of_two "$2" || (($3 % $2 != 0)) ;;
    butterfly) ! is_power_of_two "$2" ;;
    recursive_doubling) [[ $4 == allgather* ]] && ! is_power_of_two "$2" ;;
    *) return 1 ;;
  esac
}

# Lines "collective bytes root number algorithm".
cases_of() { # procs
  local collective bytes root number name
  for collective in $(printf '%s\n' "${!names[@]}" | sort); do
    root=0
    has_root "$collective" && root=$(($1 - 2))
    for bytes in $(sizes_of "$collective" "$1"); do
      echo "$collective $bytes $root 0 auto:mpich-4.0"
    done
    number=0
    for name in ${names[$collective]}; do
      number=$((number + 1))
      [ "$name" = - ] && continue
      for bytes in 5 $((960 * $1)); do
        is_restricted "$name" "$1" "$bytes" "$collective" && continue
        [ "$collective" = barrier ] && bytes=0
        echo "$collective $bytes $root $number $name"
      done
    done
  done
}

read -ra counts <<< "${*:-3 4 5 7 8 9}"
# Each process is a node of its own, and all messages pass through UCX.
export MPIR_CVAR_NOLOCAL=1
for procs in "${counts[@]}"; do
  cases_of "$procs" > all
  compare "$procs" 1 < all
done

# P/2 nodes of two processes, whose messages pass through UCX as well.
unset MPIR_CVAR_NOLOCAL
for collective in BCAST REDUCE ALLREDUCE; do
  export "MPIR_CVAR_${collective}_POSIX_INTRA_ALGORITHM=mpir"
done
for procs in 6 8 10; do
  export MPIR_CVAR_NUM_CLIQUES=$((procs / 2))
  for case in bcast:{1,12287,12288,524287,524288,524289} reduce:{1,2048,2049,100000} \
    allreduce:{1,8,9,100000}; do
    echo "${case/:/ } 0 0 auto:mpich-4.0"
  done > all
  compare "$procs" 2 < all
done
echo "$compared cases compared, $wrong differ"
[ "$compared" -gt 0 ] && [ "$wrong" -eq 0 ]

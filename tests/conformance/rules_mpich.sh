#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of selection trees with MPICH 4.0 (ch4:ucx): with a tree that `sim rules convert`
# made of Open MPI's rules, the library sends the messages that `sim` predicts for the same file:
# those of the rules where they apply, and those of its own choice elsewhere.
#   tests/conformance/rules_mpich.sh SIM
# Exit 77 (skipped) if MPICH with this device is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1
source "$root_dir/tests/support/mpich_conformance.sh"

# Each collective is changed from 5 processes on, most of them for some sizes. The sizes are Open
# MPI's: vectors, or blocks times processes.
cat > changed.rules << 'RULES'
7
7 2               # bcast: scatter_allgather_ring
2 1  0 0 0 0
5 3  0 0 0 0  1024 9 0 0  8192 0 0 0
0 2               # allgather: ring
2 1  0 0 0 0
5 2  0 0 0 0  360 4 0 0
1 2               # allgatherv: ring
2 1  0 0 0 0
5 1  0 3 0 0
2 2               # allreduce: recursive doubling
2 1  0 0 0 0
5 2  0 0 0 0  64 3 0 0
3 2               # alltoall: pairwise
2 1  0 0 0 0
5 2  0 0 0 0  360 2 0 0
11 2              # reduce: binomial
2 1  0 0 0 0
5 2  0 0 0 0  4096 5 0 0
13 2              # reduce_scatter_block: recursive doubling
2 1  0 0 0 0
5 1  0 2 0 0
RULES
"$sim" rules convert changed.rules --to mpich-json -q > tree.json
"$sim" rules lint tree.json -q > lint.txt || { cat lint.txt; exit 1; }

cases_of() { # procs algorithm
  local case
  for case in bcast:{1,1023,1024,8191,8192,600000} allgather:{1,40,72,100,30000} \
    allgatherv:{1,40,100} allreduce:{8,63,64,1007,100000} alltoall:{1,40,72,100,40000} \
    reduce:{1,2049,4095,4096,100000} reduce_scatter_block:{1,100,5000} \
    reduce_scatter:1007 gather:100 scatter:100 scan:100 exscan:100 barrier:0 alltoallv:100; do
    echo "${case/:/ } 0 0 $2"
  done
}

export MPIR_CVAR_NOLOCAL=1
changed=0 unchanged=0
for procs in 3 4 5 8 9; do
  cases_of "$procs" auto:mpich-4.0 > all
  compare "$procs" 1 < all
  mv real own
  cases_of "$procs" auto:rules=tree.json > all
  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$PWD/tree.json compare "$procs" 1 < all
  for line in $(seq "$(wc -l < all)"); do
    if diff <(sed -n "s/^$line: //p" own) <(sed -n "s/^$line: //p" real) > /dev/null; then
      unchanged=$((unchanged + 1))
    elif ((procs < 5)); then
      wrong=$((wrong + 1))
      echo "changed: procs $procs: $(sed -n "${line}p" all)"
    else
      changed=$((changed + 1))
    fi
  done
done
echo "$compared cases compared, $wrong differ; the file changes the messages of $changed calls," \
  "and not those of $unchanged"
[ "$changed" -ge 20 ] && [ "$unchanged" -ge 60 ] && [ "$wrong" -eq 0 ]

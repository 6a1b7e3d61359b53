#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The real Open MPI as a judge: for each algorithm, at process counts, roots, sizes and segments
# that the golden table does not have, it sends (pml_monitoring) the messages that we send.
#   tests/judge/bcast_openmpi.sh SIM
# Exit 77 (skipped) where Open MPI is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1
command -v mpicc > /dev/null && command -v mpirun > /dev/null || {
  echo "skipped: Open MPI is not installed (tests/run.sh --full installs it)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mpicc "$root_dir/tests/support/bcast_once.c" -o bcast_once
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# alg_id algorithm procs bytes segment fanout root -> src,dst,msgs,sum_bytes
real() {
  rm -f counts.*
  mpirun --oversubscribe -np "$3" --mca btl self,vader \
    --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
    --mca pml_monitoring_filename "$work/counts" --mca coll_tuned_use_dynamic_rules 1 \
    --mca coll_tuned_bcast_algorithm "$1" --mca coll_tuned_bcast_algorithm_segmentsize "$5" \
    --mca coll_tuned_bcast_algorithm_chain_fanout "$6" \
    --mca coll_tuned_bcast_algorithm_knomial_radix "$6" ./bcast_once "$4" "$7"
  awk '$1 == "I" { print $2 "," $3 "," $6 "," $4 }' counts.*.prof | sort
}
simulated() {
  "$sim" run bcast --platform crill --ppn 4 --engine ideal -q --traffic ours.csv -o table.csv \
    --algorithm "$2" --procs "$3" --message-size "$4" --segment-size "$5" --fanout "$6" --root "$7"
  awk -F, '/^bcast/ { print $9 "," $10 "," $11 "," $12 }' ours.csv | sort
}

compared=0 wrong=0
compare() {
  compared=$((compared + 1))
  if ! diff <(real "$@") <(simulated "$@") > difference; then
    wrong=$((wrong + 1))
    echo "differs: alg_id algorithm procs bytes segment fanout root = $*"
    head -n 10 difference
  fi
}

names=(basic_linear chain pipeline split_binary_tree binary_tree binomial knomial
  scatter_allgather scatter_allgather_ring)
for id in {1..9}; do
  name=${names[id - 1]}
  compare "$id" "$name" 2 1000 300 4 1
  compare "$id" "$name" 3 10007 1000 2 2
  compare "$id" "$name" 6 5 0 3 0
  compare "$id" "$name" 7 4096 1000 3 5
  compare "$id" "$name" 11 9000 0 4 3
  compare "$id" "$name" 13 20000 7000 5 12
done
echo "$compared cases compared, $wrong differ"
[ "$wrong" -eq 0 ]

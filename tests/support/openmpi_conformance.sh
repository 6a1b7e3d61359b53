# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2164
# Shared code of the traffic conformance tests with Open MPI; sourced. The script that sources it
# sets `root_dir` and `sim`, then calls `compare` for each case and `verdict` at the end.
# Exits with 77 (skipped) if Open MPI is not installed.
if ! command -v mpicc > /dev/null || ! command -v mpirun > /dev/null; then
  echo "skipped: Open MPI is not installed (tests/run.sh --full installs it)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mpicc "$root_dir/tests/support/collective_once.c" -o once
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
judge_compared=0 judge_wrong=0

# collective alg_id algorithm procs bytes segment fanout root -> src,dst,msgs,sum_bytes
# by the real library, whose counters omit pairs without messages. It counts the messages of some
# collectives as the library's own ("I"), of others (alltoallv) as the program's ("E").
judge_real() {
  local forced=(--mca "coll_tuned_$1_algorithm" "$2"
    --mca "coll_tuned_$1_algorithm_segmentsize" "$6"
    --mca "coll_tuned_$1_algorithm_chain_fanout" "$7"
    --mca "coll_tuned_$1_algorithm_knomial_radix" "$7")
  rm -f counts.*
  mpirun --oversubscribe -np "$4" --mca btl self,vader \
    --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
    --mca pml_monitoring_filename "$work/counts" --mca coll_tuned_use_dynamic_rules 1 \
    "${forced[@]}" ./once "$1" "$5" "$8"
  awk '$1 == "I" || $1 == "E" { print $2 "," $3 "," $6 "," $4 }' counts.*.prof | sort
}
# The same by `sim`.
judge_simulated() {
  local size=(--message-size "$5")
  [ "$1" = barrier ] && size=()
  "$sim" run "$1" --platform crill --ppn 4 --engine ideal -q --traffic ours.csv \
    -o table.csv --algorithm "$3" --procs "$4" "${size[@]}" --segment-size "$6" \
    --fanout "$7" --root "$8"
  awk -F, -v name="$1" '$1 == name { print $9 "," $10 "," $11 "," $12 }' ours.csv | sort
}

compare() {
  judge_compared=$((judge_compared + 1))
  if ! diff <(judge_real "$@") <(judge_simulated "$@") > difference; then
    judge_wrong=$((judge_wrong + 1))
    echo "differs: collective alg_id algorithm procs bytes segment fanout root = $*"
    head -n 10 difference
  fi
}

# Fails if a case differs, or if there were no cases.
verdict() {
  echo "$judge_compared cases compared, $judge_wrong differ"
  [ "$judge_compared" -gt 0 ] && [ "$judge_wrong" -eq 0 ]
}

# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2164
# What the judges of traffic by the real Open MPI share; sourced. The script that sources this sets
# `root_dir`, `sim` and `collective`, then calls `compare` for each case and `verdict` in the end.
# Exits with 77 (skipped) where Open MPI is not installed.
if ! command -v mpicc > /dev/null || ! command -v mpirun > /dev/null; then
  echo "skipped: Open MPI is not installed (tests/run.sh --full installs it)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mpicc "$root_dir/tests/support/${collective}_once.c" -o once
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
judge_compared=0 judge_wrong=0

# alg_id algorithm procs bytes segment fanout root -> src,dst,msgs,sum_bytes
# by the real library, whose counting does not list pairs without messages.
judge_real() {
  local forced=(--mca "coll_tuned_${collective}_algorithm" "$1"
    --mca "coll_tuned_${collective}_algorithm_segmentsize" "$5"
    --mca "coll_tuned_${collective}_algorithm_chain_fanout" "$6"
    --mca "coll_tuned_${collective}_algorithm_knomial_radix" "$6")
  rm -f counts.*
  mpirun --oversubscribe -np "$3" --mca btl self,vader \
    --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
    --mca pml_monitoring_filename "$work/counts" --mca coll_tuned_use_dynamic_rules 1 \
    "${forced[@]}" ./once "$4" "$7"
  awk '$1 == "I" { print $2 "," $3 "," $6 "," $4 }' counts.*.prof | sort
}
# The same by `sim`.
judge_simulated() {
  "$sim" run "$collective" --platform crill --ppn 4 --engine ideal -q --traffic ours.csv \
    -o table.csv --algorithm "$2" --procs "$3" --message-size "$4" --segment-size "$5" \
    --fanout "$6" --root "$7"
  awk -F, -v name="$collective" '$1 == name { print $9 "," $10 "," $11 "," $12 }' ours.csv | sort
}

compare() {
  judge_compared=$((judge_compared + 1))
  if ! diff <(judge_real "$@") <(judge_simulated "$@") > difference; then
    judge_wrong=$((judge_wrong + 1))
    echo "differs: alg_id algorithm procs bytes segment fanout root = $*"
    head -n 10 difference
  fi
}

# Fails if a case differs, or if there was none.
verdict() {
  echo "$judge_compared cases compared, $judge_wrong differ"
  [ "$judge_compared" -gt 0 ] && [ "$judge_wrong" -eq 0 ]
}

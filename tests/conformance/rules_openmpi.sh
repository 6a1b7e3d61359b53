#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of `sim select rules` with Open MPI: it accepts the file of dynamic rules, and
# applies every rule. With the file, each rule's smallest and largest message has the traffic of the
# same algorithm forced by MCA parameters; so do smaller communicators, and those in between, for
# which the file selects the library's own rules or those of the next smaller size.
#   tests/conformance/rules_openmpi.sh SIM
# Exit 77 (skipped) if Open MPI is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1
source "$root_dir/tests/support/openmpi_conformance.sh"
compared=0 wrong=0 unlike_default=0

# file procs -> "collective bytes algorithm fanout segment root" of the rules that apply there
calls_of() {
  awk -v procs="$2" '
    { sub(/#.*/, ""); for (i = 1; i <= NF; ++i) number[n++] = $i }
    function bytes_of(name, from) {  # a message of at least this number of bytes of the file
      if (name ~ /^(alltoallv|barrier|scan|exscan)$/) return 100
      if (name ~ /^(allgather|alltoall|gather|scatter|reduce_scatter_block)$/)
        return int((from + procs - 1) / procs)
      return from
    }
    function tell(name, from, next_from, rule) {
      if (from == 0) from = next_from > procs || next_from < 0 ? procs : 1
      print name, bytes_of(name, from), rule, 0
      if (next_from > from && bytes_of(name, next_from) - 1 > bytes_of(name, from))
        print name, bytes_of(name, next_from) - 1, rule, 0
    }
    END {
      split("allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast exscan " \
            "gather gatherv reduce reduce_scatter reduce_scatter_block scan scatter " \
            "scatterv", names)
      at = 1
      for (c = 0; c < number[0]; ++c) {
        name = names[number[at++] + 1]; sizes = number[at++]
        for (s = 0; s < sizes; ++s) {
          size = number[at++]; rules = number[at++]
          if (size <= procs) count = 0
          for (r = 0; r < rules; ++r) {
            if (size <= procs) {
              from[count] = number[at]
              rule[count++] = number[at + 1] " " number[at + 2] " " number[at + 3]
            }
            at += 4
          }
        }
        for (r = 0; r < count; ++r) tell(name, from[r], r + 1 < count ? from[r + 1] : -1, rule[r])
      }
    }' "$1"
}

# wanted: an awk condition on name and algorithm of the calls, procs [--mca ...]
forced_if() {
  local wanted=$1 procs=$2
  shift 2
  traffic_of "$procs" forced "$@" < calls > one_forced
  awk "NR == FNR { name = \$1; algorithm = \$3; is_wanted[NR] = $wanted; next }
    is_wanted[\$1 + 0]" calls one_forced
}

# file procs: the traffic of forced calls. Some algorithms call other collectives, which the file
# also decides. For allgatherv no algorithm can be chosen at run time: one run for each.
forced_traffic_of() {
  local others='name ~ /^(allgather|allreduce|reduce_scatter|reduce_scatter_block)$/' id
  local called=(--mca coll_tuned_dynamic_rules_filename "$PWD/$1.called")
  forced_if "!($others) && name != \"allgatherv\"" "$2"
  forced_if "$others" "$2" "${called[@]}"
  for id in $(awk '$1 == "allgatherv" { print $3 }' calls | sort -u); do
    forced_if "name == \"allgatherv\" && algorithm == $id" "$2" "${called[@]}" \
      --mca coll_tuned_allgatherv_algorithm "$id"
  done
}

# Lines of the calls whose traffic differs.
differing() { { diff "$1" "$2" || true; } | awk '/^[<>]/ { print $2 + 0 }' | sort -nu; }

run_with() {
  local file=$1 procs=$2
  calls_of "$file" "$procs" > calls
  traffic_of "$procs" free --mca coll_tuned_dynamic_rules_filename "$PWD/$file" < calls |
    sort -s -n > obeyed
  forced_traffic_of "$file" "$procs" | sort -s -n > forced
  compared=$((compared + $(wc -l < calls)))
  for line in $(differing obeyed forced); do
    wrong=$((wrong + 1))
    echo "not applied: $file, $procs processes: $(sed -n "${line}p" calls)"
  done
}

# Check that the test can fail: without the file, other messages are sent.
control() {
  traffic_of "$1" free < calls | sort -s -n > default
  unlike_default=$(differing obeyed default | wc -l)
}

# Few rules and many: if no loss is allowed, nearly every size has a separate rule.
# file options: all rules, and those of only the collectives that others call.
make_rules() {
  local file=$1 make=("$sim" select rules --platform crill -q --format rules)
  shift
  "${make[@]}" "$@" > "$file"
  "${make[@]}" --collective bcast,gather,reduce,scatter "$@" > "$file.called"
}
make_rules few.rules --ppn 4 --procs 4,8,16 --message-size 1:64KiB:*4
make_rules many.rules --ppn 4 --procs 4 --message-size 64:64KiB:*4 --loss 0% --refine 0
make_rules two.rules --ppn 1 --procs 2 --message-size 1:64KiB:*8
run_with many.rules 4
run_with two.rules 2
run_with two.rules 3
for procs in 2 5 8 16; do run_with few.rules "$procs"; done
control 16
echo "$compared calls under rules compared, $wrong differ;" \
  "of the last of 16 processes $unlike_default are not what the library does without the file"
[ "$compared" -gt 100 ] && [ "$unlike_default" -gt 20 ] && [ "$wrong" -eq 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs all tests that take too long for CI (several hours on two cores), and prints a summary.
#   tests/nightly.sh [PART...]        default: all parts, in this order
# Parts:
#   gate       tests/run.sh --full, with the tests that it runs only after changes of their folders
#   products   the delivery, traffic and agreement tests for all processes, roots and sizes
#              and segments, where the gate runs covering arrays
#   slow       the tests with the label slow: large jobs, all points of the figures
#   outside    a clean Debian with the package and the new-user path; Open MPI 5.0.7; Slurm
#   dev        compiles each file separately, with warnings as errors
#   asan       all tests of the gate under AddressSanitizer and UndefinedBehaviorSanitizer
#   fuzz       each fuzz target for FUZZ_SECONDS (600)
# A part that fails does not stop the others. Exit code 1 if one failed, 2 for unknown parts.
set -uo pipefail
cd "$(dirname "$0")/.."
source tests/support/packages.sh
export TUTTI_ALL_TESTS=1

all=(gate products slow outside dev asan fuzz)
parts=("$@")
[ $# -gt 0 ] || parts=("${all[@]}")
for part in "${parts[@]}"; do
  [[ " ${all[*]} " == *" $part "* ]] || {
    echo "tests/nightly.sh: unknown part '$part' (there are: ${all[*]})" >&2
    exit 2
  }
done
ensure_packages "${build_packages[@]}" "${picture_packages[@]}" "${test_packages[@]}" \
  "${conformance_packages[@]}" "${outside_packages[@]}" "${fuzz_packages[@]}" || exit 1

build() { # preset, target...
  local preset=$1
  shift
  cmake --preset "$preset" > /dev/null && cmake --build --preset "$preset" ${1:+--target "$@"}
}
tests() { ctest --preset "$1" -j "$(nproc)" "${@:2}"; }

run_gate() { tests/run.sh --full; }
run_products() {
  build release && TUTTI_FULL_PRODUCTS=1 tests release -L model --timeout 5400 &&
    TUTTI_FULL_PRODUCTS=1 tests release -R cli.smpi_keys_test
}
run_slow() { build release all slow_tests && tests release -L slow; }
run_outside() { build release && tests release -L nightly; }
run_dev() { build dev; }
run_asan() { build asan && tests asan -LE "slow|nightly|conformance"; }
run_fuzz() { tests/fuzz/run.sh --seconds "${FUZZ_SECONDS:-600}"; }

summary=() failed=0
for part in "${parts[@]}"; do
  echo "== $part"
  SECONDS=0
  result=passed
  "run_$part" || { result=FAILED failed=1; }
  summary+=("$(printf '%-9s %s, %d min' "$part" "$result" $(((SECONDS + 30) / 60)))")
done
printf '%s\n' "== summary" "${summary[@]}"
exit "$failed"

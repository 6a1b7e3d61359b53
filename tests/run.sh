#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what building and testing needs (Debian 12), builds, and passes the tests.
#   tests/run.sh          the suite, without the label `slow`
#   tests/run.sh --full   also installs the outside judges (Open MPI, ...) and runs their tests; and
#                         clang: each fuzz target runs for 30 s
#   tests/run.sh --slow   the slow tests as well
#   --fuzz-seconds N      so long instead of 30 s; 0: what the corpora hold, and nothing new
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/support/packages.sh

packages=("${build_packages[@]}" "${picture_packages[@]}" "${test_packages[@]}")
exclude=(-LE "slow|judge|fuzz")
fuzz=no
fuzz_seconds=30
while [ $# -gt 0 ]; do
  argument=$1
  shift
  case $argument in
    --fuzz-seconds)
      fuzz_seconds=${1:?"tests/run.sh: --fuzz-seconds needs a number"}
      shift
      ;;
    --full)
      packages+=("${judge_packages[@]}" "${fuzz_packages[@]}")
      exclude=(-LE "slow|fuzz")
      fuzz=yes
      ;;
    --slow) exclude=(-LE fuzz) ;;
    *)
      echo "tests/run.sh: no option '$argument' (there are --full, --slow, --fuzz-seconds N)" >&2
      exit 2
      ;;
  esac
done

ensure_packages "${packages[@]}"
cmake --preset release
cmake --build --preset release
ctest --preset release -j "$(nproc)" "${exclude[@]}"
# With its own summary: a line for each target.
[ "$fuzz" = no ] || tests/fuzz/run.sh --seconds "$fuzz_seconds"

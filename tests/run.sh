#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages for building and testing (Debian 12), builds, and runs the tests.
#   tests/run.sh          the tests that need only this project
#   tests/run.sh --full   also installs other programs for comparison (Open MPI, EZTrace, Chromium)
#                         and for the documentation, and runs the tests that use them, as CI does
# Long tests run in tests/nightly.sh; tests/README.md lists which tests run where.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/support/packages.sh

packages=("${build_packages[@]}" "${picture_packages[@]}" "${test_packages[@]}"
  "${python_packages[@]}")
exclude="slow|nightly|conformance"
case ${1:-} in
  "") ;;
  --full)
    packages+=("${conformance_packages[@]}" "${docs_packages[@]}")
    exclude="slow|nightly"
    ;;
  *)
    echo "tests/run.sh: unknown option '$1' (there is --full; long tests: tests/nightly.sh)" >&2
    exit 2
    ;;
esac

timed() { # what, command...: prints its wall and CPU time
  local what=$1
  shift
  TIMEFORMAT="== $what: %0R s wall, %0U s user, %0S s sys"
  time "$@"
}

timed "packages" ensure_packages "${packages[@]}"
cmake --preset release > /dev/null
timed "build" cmake --build --preset release
timed "tests" ctest --preset release -j "$(nproc)" -LE "$exclude"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh Debian 12 to a first prediction: installs missing packages with apt, builds `sim`
# from source (6 minutes on two slow cores), and predicts the time of an MPI broadcast of 576
# processes on 12 nodes of the crill cluster.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/support/packages.sh

SECONDS=0
ensure_packages "${build_packages[@]}" "${picture_packages[@]}"
packages_s=$SECONDS
cmake --preset release > /dev/null
echo "building sim (6 minutes on two slow cores)" >&2
TIMEFORMAT="built in %0R s (CPU time %0U s user, %0S s sys); packages took $packages_s s"
# Ninja's step counter: overwritten in place on a terminal, otherwise one line per step.
time NINJA_STATUS="[%f/%t, %e s] " cmake --build --preset release --target installed
build/release/sim run bcast --platform crill.xml --procs 576
echo "to use it from anywhere: export PATH=$PWD/build/release:\$PATH" >&2

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh Debian 12 to the main job: installs what is missing, builds, and simulates an MPI
# broadcast of 576 processes on 12 nodes of the crill cluster.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/support/packages.sh

ensure_packages "${build_packages[@]}" "${picture_packages[@]}"
cmake --preset release > /dev/null
cmake --build --preset release --target sim
build/release/sim run bcast --platform crill.xml --procs 576

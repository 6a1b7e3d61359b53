#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Which broadcast is the fastest for which size? Runs all nine algorithms of Open MPI and a
# two-level one with 48 processes on crill; the fastest for each size is marked.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package

"$sim" run bcast --platform crill --procs 48 --ppn 4 --algorithm all --message-size 1KiB:1MiB:*32

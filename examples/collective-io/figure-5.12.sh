#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How much do more aggregators gain, by the model and simulated? 576 processes on crill, 64 MiB
# (8192 x 8192 bytes) each, even file domains, buffer 32 MiB; times are normalized to those of the
# smallest number of aggregators, like the dissertation's measurements.
set -euo pipefail
source "$(dirname "$0")/figure.sh"
source "$here/normalised.sh"

procs=576
[ -z "$quick" ] || procs=144
simulate --platform crill --procs $procs --decomposition 1d,2d --bytes-per-proc 64MiB \
  --partitioning even --aggregators 4:128
join_runs
normalised_picture 5.12 "$procs processes, 64 MiB (8192 x 8192 bytes) each, even domains"

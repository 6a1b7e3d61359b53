#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How much do more aggregators gain, by the model and simulated? 225 processes on crill, 3800 x 3800
# bytes (14 MB) each, static file domains, buffer 32 MiB; times are normalized to those of the
# smallest number of aggregators, like the dissertation's measurements.
set -euo pipefail
source "$(dirname "$0")/figure.sh"
source "$here/normalised.sh"

procs=225
[ -z "$quick" ] || procs=144
simulate --platform crill --procs $procs --decomposition 1d,2d --bytes-per-proc 14440000 \
  --partitioning static --aggregators 4:64
join_runs
normalised_picture 5.11 "$procs processes, 3800 x 3800 bytes (14 MB) each, static domains"

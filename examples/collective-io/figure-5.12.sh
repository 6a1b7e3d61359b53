#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What do more aggregators gain, as the model has it and as simulated? 576 processes of crill,
# 64 MiB (8192 x 8192 bytes) each, even file domains, buffer 32 MiB; times normalised to
# those of the smallest number of aggregators, as the dissertation's measurements.
set -euo pipefail
source "$(dirname "$0")/figure.sh"
source "$here/normalised.sh"

procs=576
[ -z "$quick" ] || procs=144
simulate --platform crill --procs $procs --decomposition 1d,2d --bytes-per-proc 64MiB \
  --partitioning even --aggregators 4:128
join_runs
normalised_picture 5.12 "$procs processes, 64 MiB (8192 x 8192 bytes) each, even domains"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Draws all figures, one after the other; each runs one simulation per core at a time.
# Arguments and environment: see figure.sh.
set -euo pipefail
for figure in 5.5 5.6 5.7 5.8 5.9 5.10 5.11 5.12; do
  "$(dirname "$0")/figure-$figure.sh" "$@"
done

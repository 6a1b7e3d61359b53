#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How much do collectives gain from faster messages? all.sh [FOLDER] simulates the experiment behind
# Figures 4.1 to 4.12 and Tables 3.2, 4.2 and 4.4 of S. Jha's dissertation: writes a page with the
# figures, and all numbers as CSV. Takes seconds.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
out=${1:-improvement}
mkdir -p "$out"

# The eager limits of Table 3.1, compared by ping-pong; the nine algorithms; 32 and 64 processes.
"$sim" validate improvement --platform crill --procs 32,64 -q -o "$out/crill.json"
"$sim" report "$out/crill.json" -o "$out/crill.html"
for part in parameters errors signs table_3_2 table_4_4; do
  "$sim" validate improvement --platform crill --procs 32,64 -q --part $part -o "$out/$part.csv"
done

# Beyond the dissertation: messages faster by 10 %, by less overhead, latency, or time per byte.
"$sim" validate improvement --platform crill --procs 64 --improvement 10% -q -o "$out/given.json"
"$sim" report "$out/given.json" -o "$out/given.html"

# A job that sends many small and few large messages, and another machine.
"$sim" validate improvement --platform crill --procs 64 --weights 1KiB:100,16KiB:10,64KiB:1 -q \
  --part weighted -o "$out/weighted.csv"
"$sim" validate improvement --platform grisou --procs 64 -q \
  --change mpi/eager_limit=32KiB,64KiB --change mpi/send_overhead=0.2us,0.4us \
  --collective allreduce,reduce --part errors -o "$out/grisou.csv"
for file in "$out"/*.csv; do
  [ "$(grep -vc '^#' "$file")" -gt 1 ] || { echo "$file has no rows" >&2; exit 1; }
done
echo "$out/crill.html has the figures"

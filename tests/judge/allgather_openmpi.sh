#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The real Open MPI as a judge: for each allgather, at process counts and block sizes that the
# golden table does not have, it sends (pml_monitoring) the messages that we send.
#   tests/judge/allgather_openmpi.sh SIM
# Exit 77 (skipped) where Open MPI is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1 collective=allgather
source "$root_dir/tests/support/openmpi_judge.sh"

for algorithm in "2 bruck" "3 recursive_doubling"; do
  read -r id name <<< "$algorithm"
  for procs in 2 3 6 7 8 11 12 16; do
    compare "$id" "$name" "$procs" 1 0 4 0
    compare "$id" "$name" "$procs" 5000 0 4 0
  done
done
verdict

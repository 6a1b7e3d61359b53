#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Open MPI's vulcan counts its file domains from byte 0 of the file instead of from the first byte
# of the access (github.com/open-mpi/ompi/issues/13376). See README.md.
set -euo pipefail
source "$(dirname "$0")/report.sh"

procs=4 bytes=100
pieces() { # OFFSET: adjacent pieces from this byte on
  local file=$work/pieces-$1.csv rank
  echo rank,offset,length > "$file"
  for ((rank = 0; rank < procs; ++rank)); do
    echo "$rank,$(($1 + rank * bytes)),$bytes" >> "$file"
  done
  echo "$file"
}
job() { # OFFSET IMPLEMENTATION AGGREGATORS
  echo write --platform crill --procs $procs --decomposition "file:$(pieces "$1")" \
    --implementation "$2" --aggregators "$3" --setup off \
    --storage targets=1,bandwidth=1GBps,request=20us,lock=1,lock_penalty=100us
}

title "$procs processes write $bytes B each (factor: compared with offset 1234)"
row "vulcan, 4 aggregators, offset 1234" - $(job 1234 vulcan 4)
row "vulcan, 4 aggregators, offset 0" "vulcan, 4 aggregators, offset 1234" $(job 0 vulcan 4)
row "two_phase, 4 aggregators, offset 1234" "vulcan, 4 aggregators, offset 1234" \
  $(job 1234 two_phase 4)
row "vulcan, 1 aggregator, offset 1234" "vulcan, 4 aggregators, offset 1234" $(job 1234 vulcan 1)

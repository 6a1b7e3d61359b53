#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The machines of the PGMPITuneLib paper (Section 4): which guidelines are violated on them. Writes
# a table for each to the given folder, by default ./guidelines.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
folder=${1:-guidelines}
mkdir -p "$folder"

# Exit code 1 means that replacing a collective pays off.
check() {
  local name=$1
  shift
  "$sim" guidelines check "$@" --part guidelines -q >"$folder/$name.txt" 2>/dev/null || [ $? -eq 1 ]
  echo "$folder/$name.txt"
}

some=bcast,scatter,reduce,allreduce
check jupiter-32x1 --platform jupiter --procs 32 --ppn 1 --message-size 1:1MiB:*4
# As measured in the paper: noise, and a barrier before each call.
check jupiter-32x1-barrier --platform jupiter --procs 32 --ppn 1 --collective gather \
  --message-size 1:64KiB --selection auto:ompi-3.1 --noise multiplicative:5%:1 --sync barrier
check jupiter-32x16 --platform jupiter --procs 512 --ppn 16 --collective reduce,allreduce \
  --message-size 64:64KiB:*4 --selection auto:ompi-3.1
# GL14 is violated by messages of 128 to 725 kB, as in Section 4.4.1.
check jupiter-32x16-large --platform jupiter --procs 512 --ppn 16 --collective reduce \
  --message-size 128kB,256kB,512kB,725kB --selection auto:ompi-3.1 --guideline GL14
large=$folder/jupiter-32x16-large.txt
read -r _ _ _ violated _ < <(grep '^GL14' "$large")
[ "$violated" = 4 ] || { echo "$large: GL14 is violated at $violated of 4 sizes" >&2; exit 1; }
check juqueen-64x16 --platform juqueen --procs 1024 --ppn 16 --collective $some \
  --message-size 64:64KiB:*32 --selection hardware
check vsc3-64x16 --platform vsc3 --procs 1024 --ppn 16 --collective $some \
  --message-size 64:64KiB:*32 --selection auto
# Without GL2, by alltoall, whose million messages on a torus take minutes.
check juqueen-64x16-blocks --platform juqueen --procs 1024 --ppn 16 \
  --collective gather,allgather --message-size 64,2KiB --selection hardware \
  --guideline GL1,GL3,GL4,GL11,GL12,GL13
check vsc3-64x16-blocks --platform vsc3 --procs 1024 --ppn 16 \
  --collective gather,allgather --message-size 64,2KiB --selection auto
# Blocks of vectors of 64 B to 64 KiB; the paper gives the sizes of the vectors.
check juqueen-64x16-vectors --platform juqueen --procs 1024 --ppn 16 \
  --collective reduce_scatter_block --message-size 1,2,64 --selection hardware
check vsc3-64x16-vectors --platform vsc3 --procs 1024 --ppn 16 \
  --collective reduce_scatter_block --message-size 1,2,64 --selection auto

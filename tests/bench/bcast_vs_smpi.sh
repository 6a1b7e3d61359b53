#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A binomial broadcast on a flat cluster, one rank a node: Tutti's simgrid engine beside SMPI
# (smpirun of the same SimGrid), wall time and peak memory, as ratios of one run.
#   tests/bench/bcast_vs_smpi.sh [procs (16384)] [message bytes (1024)] [repeats (3)]
# Needs build/release/sim, smpicc and smpirun (libsimgrid-dev), GNU time.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
procs=${1:-16384} bytes=${2:-1024} repeats=${3:-3}
sim=${TUTTI_SIM:-$root/build/release/sim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > flat.xml <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="smpi/async-small-thresh" value="65536"/>
    <prop id="smpi/send-is-detached-thresh" value="65536"/>
    <prop id="smpi/os" value="0:0:0"/>
    <prop id="smpi/ois" value="0:0:0"/>
    <prop id="smpi/or" value="0:0:0"/>
  </config>
  <cluster id="flat" prefix="n" suffix="" radical="0-$((procs - 1))" speed="1Gf"
           bw="10GBps" lat="1us"/>
</platform>
XML
smpicc -O2 "$root/tests/support/bcast_once.c" -o bcast_once

# Prints "wall_s peak_kib" of a command; the least of the repeats.
measure() {
  for _ in $(seq "$repeats"); do
    /usr/bin/time -f '%e %M' -o cost "$@" > out.log 2>&1 || { cat out.log >&2; exit 1; }
    tail -n 1 cost
  done | sort -n | head -n 1
}

smpi() {
  smpirun -np "$procs" -platform flat.xml --cfg=smpi/bcast:binomial_tree \
    --cfg=smpi/simulate-computation:no --cfg=smpi/privatization:no \
    --cfg=contexts/stack-size:1024 --cfg=contexts/guard-size:0 \
    --log=root.thres:critical ./bcast_once "$bytes"
}
export -f smpi
export procs bytes

read -r smpi_wall smpi_kib <<< "$(measure bash -c smpi)"
read -r sim_wall sim_kib <<< "$(measure "$sim" run bcast --platform flat.xml --procs "$procs" \
  --ppn 1 --algorithm binomial --message-size "$bytes" --engine simgrid -q)"

awk -v p="$procs" -v b="$bytes" -v sw="$smpi_wall" -v sk="$smpi_kib" \
  -v tw="$sim_wall" -v tk="$sim_kib" 'BEGIN {
     printf "binomial bcast of %d B, %d ranks on a flat cluster\n", b, p
     printf "%-24s %10s %12s\n", "", "wall s", "peak MiB"
     printf "%-24s %10.2f %12.0f\n", "smpirun", sw, sk / 1024
     printf "%-24s %10.2f %12.0f\n", "sim (simgrid engine)", tw, tk / 1024
     printf "%-24s %10.2f %12.2f\n", "ratio sim / smpirun", tw / sw, tk / sk
   }'

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A machine of your own: describes 32 nodes of 16 cores on 10 Gbit/s Ethernet in a SimGrid platform
# file, simulates broadcasts on it, and prints the times of the slowest ranks.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/mine.xml" << 'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="mine" prefix="node-" suffix="" radical="0-31" speed="1Gf" core="16"
           bw="10Gbps" lat="7us">
    <prop id="mpi/eager_limit" value="64KiB"/>
    <prop id="mpi/send_overhead" value="1us"/>
    <prop id="mpi/recv_overhead" value="1us"/>
    <prop id="mpi/copy_bandwidth" value="5GBps"/>
    <prop id="mpi/bus_bandwidth" value="20GBps"/>
    <prop id="mpi/bus_latency" value="0.5us"/>
  </cluster>
</platform>
XML
"$sim" run bcast --platform "$work/mine.xml" --procs 512 --message-size 1KiB:1MiB:*32 \
  --algorithm auto,auto:ompi-3.1
"$sim" run bcast --platform "$work/mine.xml" --procs 512 --message-size 1MiB --ranks "$work/r.csv" \
  -q > /dev/null
echo "the last five ranks to end (rank,node,begin_s,end_s):"
tail -n +2 "$work/r.csv" | sort -t, -g -k4 | tail -n 5

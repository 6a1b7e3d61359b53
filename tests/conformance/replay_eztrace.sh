#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A trace of an Open MPI program recorded by EZTrace: its clocks are not synchronized; after
# alignment no message violates causality, the replay without a hypothesis keeps every time, and
# otf2-print and `sim` read the written trace.
#   tests/conformance/replay_eztrace.sh SIM
# Exit 77 (skipped) if EZTrace, Open MPI or otf2-print is not installed.
set -euo pipefail
sim=$1
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
for tool in eztrace mpicc mpirun otf2-print; do
  command -v "$tool" > /dev/null && continue
  echo "skipped: $tool is not installed (tests/run.sh --full installs it)"
  exit 77
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mpicc -O2 "$root_dir/tests/support/two_ranks.c" -o two_ranks
timeout 60 mpirun --oversubscribe -np 2 --mca btl self,vader \
  eztrace -t openmpi -o recorded ./two_ranks > record.log 2>&1 ||
  { cat record.log; echo "EZTrace failed to record"; exit 1; }
trace=$(find recorded -name '*.otf2')
[ -n "$trace" ] || { cat record.log; echo "EZTrace wrote no trace"; exit 1; }

# contains FILE TEXT, lacks FILE TEXT: search a report without its line breaks.
words_of() { tr -s '\n# ' ' ' < "$1"; }
contains() { [[ $(words_of "$1") == *"$2"* ]] || { cat "$1"; echo "missing in $1: $2"; exit 1; }; }
lacks() { [[ $(words_of "$1") != *"$2"* ]] || { cat "$1"; echo "unexpected in $1: $2"; exit 1; }; }
identity="the largest deviation of an event's time is 0 s"

"$sim" replay "$trace" > unaligned.txt
contains unaligned.txt "2 ranks"
contains unaligned.txt " 200 messages, 300 collective calls"
contains unaligned.txt "$identity"

"$sim" replay "$trace" --align-clocks --write-trace new > aligned.txt
contains aligned.txt "clocks are aligned"
contains aligned.txt "$identity"
lacks aligned.txt "Clock violations"

# EZTrace's definitions are kept unchanged, and otf2-print warns about them.
otf2-print new/traces.otf2 > printed.txt 2> printed.log || { cat printed.log; exit 1; }
# EZTrace 2.0 does not record the end of nonblocking receives: 100 blocking ones remain.
[ "$(grep -c '^MPI_RECV ' printed.txt)" -eq 100 ]
"$sim" replay new > again.txt
contains again.txt "$identity"
lacks again.txt "Clock violations"
words_of aligned.txt | grep -o 'clocks are aligned: [^#]* most'

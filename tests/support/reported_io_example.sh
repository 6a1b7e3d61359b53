#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# reported_io_example.sh quick|full: runs the scripts of examples/reported-io/. The reported effect
# must show: every row has a time, and the named ones have at least the given factor.
set -euo pipefail
folder=$(cd "$(dirname "$0")/../../examples/reported-io" && pwd)
[ "$1" = full ] || export QUICK=1

# check SCRIPT "LABEL=FACTOR"...: the first row whose label begins with LABEL.
check() {
  local output expected factor
  output=$("$folder/$1.sh")
  echo "$output"
  for expected in "${@:2}"; do
    factor=$(grep -m 1 "^${expected%=*}" <<< "$output" | awk '{ print $NF }')
    awk -v factor="$factor" -v least="${expected#*=}" 'BEGIN { exit !(factor >= least) }' ||
      { echo "$1: '${expected%=*}' has factor $factor, expected at least ${expected#*=}"; exit 1; }
  done
}
check mpich-7935 'write, own exchange=2' 'read, own exchange=2' 'write, stripes over all=1.1'
check ompi-13376 'vulcan, 4 aggregators, offset 0=4' 'two_phase=4'
check mpich-7645 'write, contiguous=1.1' 'read, contiguous=1.1' '16 processes, 8=1.3'

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Predicts a traced program on machines where it has never run: a halo exchange of 64 KiB and an
# allreduce by 8 ranks, each of which computes 0.1 ms longer than the previous one.
set -euo pipefail
here=$(dirname "$0")
sim=${TUTTI_SIM:-$here/../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package

replayed() { # what OPTION...
  local what=$1
  shift
  echo "$what:"
  "$sim" replay "$here/replay/halo" --flop-rate 1Gf --model platform --part summary -q "$@" |
    awk '$1 == "end" || $1 == "blocked" { printf "  %-8s %8.3f ms\n", $1, $3 }'
}

replayed gros --platform gros --ppn 1
replayed "gros, 8 ranks per node" --platform gros --ppn 8
replayed juqueen --platform juqueen --ppn 1
replayed "gros, processors twice as fast" --platform gros --ppn 1 --cpu-factor 0.5
# The files that list.txt names are relative to the current folder.
halo=$(cd "$here/replay/halo" && pwd)
for catalog in "$here/../platforms/catalog" "$here/../../../tutti/catalog"; do # or installed
  [ ! -d "$catalog" ] || gros=$(cd "$catalog" && pwd)/gros.xml
done
echo "SMPI's replay takes the same trace:"
echo "  (cd $halo && smpirun -np 8 -platform ${gros:-gros.xml} -replay list.txt)"

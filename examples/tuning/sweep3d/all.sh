#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From the profile of an application to the parameters of its job: all.sh [FOLDER]. Takes seconds.
set -euo pipefail
sim=${TUTTI_SIM:-$(dirname "$0")/../../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-sweep3d}
mkdir -p "$out"
rm -f "$out/params.db"*

# Which values suit the calls of the profile on the simulated crill?
"$sim" tune "$here/study.toml" -q --settings "$out/best.toml" -o "$out/report.json"
"$sim" tune "$here/study.toml" -q --open-mpi 4.1 --part open_mpi
# Store them ...
"$sim" params put "$out/best.toml" --db "$out/params.db"
# ... look them up for a job, and pass them to Open MPI: as a mca-params.conf, or in one step with
#   sim params exec --host crill --app sweep3d --procs 576 -- mpirun -n 576 ./sweep3d
"$sim" params get --host crill --app sweep3d --procs 576 --db "$out/params.db" --export mca \
  -o "$out/mca-params.conf"
grep -q '^btl_openib_eager_limit = ' "$out/mca-params.conf"
# A job of another size gets the nearest set, with a note.
"$sim" params get --host crill --app sweep3d --procs 288 --db "$out/params.db" --export mca |
  sed -n 1,2p

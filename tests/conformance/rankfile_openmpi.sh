#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of rankfiles: Open MPI starts each rank on the node and the core that `sim place`
# writes, and `sim run --map rankfile:` places it there. The nodes are namespaces of this machine.
#   tests/conformance/rankfile_openmpi.sh SIM
# Exit 77 (skipped) if Open MPI is not installed or nodes in namespaces cannot be created.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != inside ]; then
  command -v mpirun > /dev/null || {
    echo "skipped: Open MPI is not installed (tests/run.sh --full installs it)"
    exit 77
  }
  command -v unshare ip nsenter > /dev/null && unshare --net --mount --uts true 2> /dev/null || {
    echo "skipped: only root can create nodes in namespaces"
    exit 77
  }
  unshare --net --mount --uts "$0" inside "$@"
  exit
fi

sim=$2
work=$(mktemp -d)
source "$root_dir/tests/support/nodes_in_namespaces.sh"
most_nodes=3
make_nodes "$most_nodes"
trap 'kill "${node_ids[@]}" 2> /dev/null; rm -rf "$work"' EXIT
cd "$work"
node_agent > agent
chmod +x agent
{
  echo 127.0.0.1 localhost
  echo "10.77.0.254 $(hostname)"
  for ((i = 1; i <= most_nodes; ++i)); do echo "10.77.0.$i n$i"; done
} > hosts
mount --bind hosts /etc/hosts
cores=$(lscpu --parse=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)
for ((i = 1; i <= most_nodes; ++i)); do echo "n$i slots=$cores"; done > nodes
cat > machine.xml <<XML
<platform version="4.1">
  <cluster id="machine" prefix="n" suffix="" radical="1-$most_nodes" speed="1Gf" core="$cores"
           bw="1GBps" lat="1us"/>
</platform>
XML

cat > where <<'SH'
#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK $(hostname) $(sed -n 's/Cpus_allowed_list:.//p' /proc/self/status)"
SH
chmod +x where
# Lines "rank node cores", with the numbers of the processors that the rank may use.
by_library() { # file procs
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 \
    mpirun --hostfile nodes --mca plm_rsh_agent "$work/agent" --rankfile "$1" -np "$2" ./where |
    sort -n
}
# The same from the file; a core has the processors that the kernel names.
by_file() { # file
  local rank node core
  tr '=' ' ' < "$1" | while read -r _ rank node _ core; do
    echo "$rank $node $(lscpu --parse=CPU,CORE | awk -F, -v core="$core" \
      '!/^#/ && $2 == core { list = list (list == "" ? "" : ",") $1 } END { print list }')"
  done
}
by_simulation() { # file procs
  "$sim" run bcast --platform machine.xml --procs "$2" --map "rankfile:$1" --message-size 8 -q \
    --ranks ranks.csv -o table.csv
  awk -F, 'NR > 1 { print $1, $2 }' ranks.csv
}

compared=0 wrong=0
compare() { # collectives procs options of `sim place`
  local name="$*" collectives=$1 procs=$2
  shift 2
  "$sim" place "$collectives" --platform machine.xml --procs "$procs" "$@" -q -o ranks \
    > report.txt
  by_file ranks > expected
  by_library ranks "$procs" > real 2> log || { cat log; echo "mpirun failed: $name"; exit 1; }
  compared=$((compared + 1))
  if ! diff expected real > difference ||
    ! diff <(cut -d ' ' -f 1,2 expected) <(by_simulation ranks "$procs") >> difference; then
    wrong=$((wrong + 1))
    echo "differs: $name"
    cat difference
  fi
}

compare bcast $((3 * cores))                            # all cores
compare allreduce $((2 * cores)) --ppn "$cores"         # two nodes
compare alltoall 5 --map random:3 --budget 3 --random 0 # from a random placement
compare gather $((3 * cores)) --map random:5 --seed 2   # the search finds another one
compare bcast,allgather $((cores + 1)) --nodes n3,n1 --message-size 1KiB,1MiB
echo "$compared placements compared, $wrong differ"
[ "$compared" -eq 5 ] && [ "$wrong" -eq 0 ]

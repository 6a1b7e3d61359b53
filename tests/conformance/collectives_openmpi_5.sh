#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of the choices of Open MPI 5.0.7, from Debian 13 in a folder, on several nodes in
# namespaces: the library (coll/han and coll/tuned, pml_monitoring) and `sim` with auto:ompi-5.0
# send the same messages.
#   tests/conformance/collectives_openmpi_5.sh SIM ["NODES PPN"...]
# Exit 77 (skipped) if a clean Debian or nodes in namespaces cannot be created.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" != inside ]; then
  command -v unshare ip nsenter > /dev/null && unshare --net --mount --uts true 2> /dev/null || {
    echo "skipped: only root can create nodes in namespaces"
    exit 77
  }
  source "$root_dir/tests/support/debian_chroot.sh"
  need_debian_chroot
  make_debian_chroot trixie
  in_debian apt-get install -y -qq --no-install-recommends openmpi-bin libopenmpi-dev gcc \
    libc6-dev > "$chroot_dir.log" 2>&1 || { cat "$chroot_dir.log"; exit 1; }
  rm "$chroot_dir.log"
  in_debian ompi_info --version 2> /dev/null | grep -q 'Open MPI v5\.0' || {
    echo "skipped: Debian 13 has another version of Open MPI"
    exit 77
  }
  cp "$root_dir"/tests/support/{collective_calls.h,collective_traffic.c,openmpi_counters.h} \
    "$chroot_dir/tmp"
  unshare --net --mount --uts "$0" inside "$chroot_dir" "$@"
  exit
fi

chroot_dir=$2
sim=$3
shift 3
work=$chroot_dir/tmp
source "$root_dir/tests/support/nodes_in_namespaces.sh"
most_nodes=5
make_nodes "$most_nodes"
node_agent > "$work/agent"
chmod +x "$work/agent"
mount -t proc proc "$chroot_dir/proc"
in_chroot() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${settings[@]}" chroot "$chroot_dir" "$@"
}
# With coll/monitoring before it, coll/han would test the nodes again at every call that it leaves
# to coll/tuned.
settings=({OMPI,PRTE}_ALLOW_RUN_AS_ROOT{,_CONFIRM}=1
  OMPI_MCA_btl=self,sm,tcp OMPI_MCA_coll=^monitoring OMPI_MCA_mpi_yield_when_idle=1
  OMPI_MCA_pml_monitoring_enable=1 PRTE_MCA_plm_ssh_agent=/tmp/agent)
in_chroot mpicc /tmp/collective_traffic.c -o /tmp/traffic -ldl

has_root() { [[ " bcast reduce gather scatter " == *" $1 "* ]]; }
sizes_of() { # collective
  case $1 in
    bcast | reduce | allreduce) echo 1 100 5000 65536 65537 200000 1000000 ;;
    barrier) echo 0 ;;
    *) echo 1 100 5000 100000 ;;
  esac
}
# Lines "collective bytes algorithm fanout segment root".
cases_of() { # procs
  local collective bytes root
  for collective in allgather allgatherv allreduce alltoall barrier bcast gather reduce \
    reduce_scatter reduce_scatter_block scan scatter; do
    for bytes in $(sizes_of "$collective"); do
      for root in 0 $(($1 / 2)) $(($1 - 1)); do
        has_root "$collective" || [ "$root" = 0 ] || continue
        echo "$collective $bytes 0 0 0 $root"
      done
    done
  done
}

by_simulation() { # collective bytes root
  local options=(--message-size "$2")
  [ "$1" = barrier ] && options=()
  has_root "$1" && options+=(--root "$3")
  "$sim" run "$1" --platform crill --procs "$procs" --map "file:$work/map.csv" --engine ideal -q \
    --algorithm auto:ompi-5.0 "${options[@]}" --traffic "$work/ours.csv" -o "$work/table.csv"
  awk -F, -v name="$1" '$1 == name { print $9, $10, $11, $12 }' "$work/ours.csv" | sort
}

compared=0 wrong=0
compare() { # ranks of each node
  local line=0 collective bytes root node=0 rank=0 ranks
  procs=0
  echo rank,node > "$work/map.csv"
  for ranks in "$@"; do
    procs=$((procs + ranks)) node=$((node + 1))
    echo "n$node slots=$ranks" >> "$work/hosts.new"
    for (( ; rank < procs; ++rank)); do echo "$rank,$node" >> "$work/map.csv"; done
  done
  mv "$work/hosts.new" "$work/hosts"
  cases_of "$procs" > "$work/cases"
  rm -rf "$work"/prte*
  in_chroot timeout 120 mpirun --hostfile /tmp/hosts -np "$procs" --map-by slot \
    /tmp/traffic second < "$work/cases" > "$work/real" 2> "$work/log" || true
  grep -q '^end$' "$work/real" || { cat "$work/log"; echo "the library's program failed"; exit 1; }
  while read -r collective bytes _ _ _ root; do
    line=$((line + 1)) compared=$((compared + 1))
    sed -n "s/^$line: //p" "$work/real" | sort > "$work/theirs"
    if ! diff "$work/theirs" <(by_simulation "$collective" "$bytes" "$root") \
      > "$work/difference"; then
      wrong=$((wrong + 1))
      echo "differs: ranks per node $*: $collective $bytes B root $root"
      head -n 10 "$work/difference"
    fi
  done < "$work/cases"
}

if [ $# -gt 0 ]; then
  for each in "$@"; do compare $each; done
else
  compare 2 2 2
  compare 3 3
  compare 2 2 2 2 2
  compare 1 1 1 1    # coll/han needs several ranks on a node
  compare 3 2 3      # unbalanced
  compare 7          # one node
fi
echo "$compared cases compared, $wrong differ"
[ "$compared" -gt 0 ] && [ "$wrong" -eq 0 ]

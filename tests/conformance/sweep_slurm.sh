#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A study on a real Slurm of one node, started here: four merged shards give the same bytes as a
# run without Slurm. Usage: sweep_slurm.sh SIM. Exit code 77: skipped, with the reason.
set -euo pipefail
sim=$1

skip() { echo "skipped: $*"; exit 77; }
for program in slurmctld slurmd munged sbatch; do
  command -v "$program" > /dev/null || PATH=$PATH:/usr/sbin command -v "$program" > /dev/null ||
    skip "$program is not installed (Debian: slurm-wlm, munge)"
done
[ "$(id -u)" -eq 0 ] || skip "Slurm's daemons are started as root"
PATH=$PATH:/usr/sbin

work=$(mktemp -d)
chmod 755 "$work"
pids=()
stop() {
  kill "${pids[@]}" 2> /dev/null || true
  sleep 0.5
  kill -9 "${pids[@]}" 2> /dev/null || true
  rm -rf "$work"
}
trap stop EXIT

# ---- a cluster on this machine ----
mkdir "$work/munge" "$work/state" "$work/spool"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 status=none
chmod 700 "$work/munge"
chmod 400 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
  --pid-file="$work/munge/pid" --log-file="$work/munge/log" \
  --seed-file="$work/munge/seed" > "$work/munged.out" 2>&1 &
pids+=($!)
host=$(hostname -s)
cores=$(nproc)
ports=$((20000 + RANDOM % 20000))
cat > "$work/slurm.conf" << EOF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ports
SlurmdPort=$((ports + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
CryptoType=crypto/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF=$work/slurm.conf
slurmctld -D -i > "$work/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D > "$work/slurmd.out" 2>&1 &
pids+=($!)
for _ in $(seq 100); do
  state=$(sinfo -h -o %T 2> /dev/null || true)
  [ "$state" = idle ] && break
  sleep 0.2
done
if [ "$state" != idle ]; then
  tail -n 5 "$work"/*.out "$work"/*.log || true
  skip "Slurm does not start here"
fi

# ---- the study, with and without Slurm ----
cat > "$work/study.toml" << 'EOF'
[base]
workload = "bcast"
platform = "crill"
[matrix]
algorithm = ["chain", "binomial", "knomial"]
procs = [4, 8, 16]
message_size = "1KiB..1MiB:*4"
EOF
cd "$work"
"$sim" sweep study.toml --store alone.db -q
"$sim" sweep study.toml --store slurm.db --slurm --array 4
for _ in $(seq 300); do
  [ -z "$(squeue -h)" ] && break
  sleep 0.2
done
"$sim" export alone.db --no-cost -o alone.csv
"$sim" export slurm.db --no-cost -o slurm.csv || { tail -n 20 slurm.db.*.log; exit 1; }
cmp alone.csv slurm.csv
[ "$(grep -c done slurm.csv)" -eq 54 ]
left=$(ls | grep -E '^slurm\.db\.[0-9]+$' || true)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "54 points in four array tasks, merged: the same bytes as without Slurm"

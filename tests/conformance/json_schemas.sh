#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Test of the JSON Schemas in share/tutti/schemas: the documents of all commands satisfy them,
# changed documents do not, and these documents have all columns of the dictionary (`sim help
# columns`), from which the schemas are generated.
#   tests/conformance/json_schemas.sh SIM
# Exit 77 (skipped) if Python's jsonschema is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$(realpath "$1")
if ! python3 -c 'import jsonschema' 2> /dev/null; then
  echo "python3-jsonschema is not installed" >&2
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work SIM_CONFIG=
cd "$work"
mkdir documents
failed=0

# NAME ARGUMENT...: runs `sim ARGUMENT...` and keeps its JSON. Checks that fail end with 1.
document() {
  local name=$1
  shift
  local code=0
  "$sim" "$@" --format json > "documents/$name.json" 2> errors || code=$?
  [ $code -le 1 ] && [ -s "documents/$name.json" ] && return 0
  echo "sim $*: exit code $code" >&2
  cat errors >&2
  rm "documents/$name.json"
  failed=1
}

record_documents() {
  document bcast run bcast -p crill -n 8 --ppn 4 --message-size 1KiB,64KiB --algorithm all -q
  document auto run bcast -p leonardo,lumi -n 8 --ppn 1 --message-size 64KiB --algorithm \
    auto:best --confidence -q
  document measured run reduce -p crill -n 8 --message-size 1KiB --repetitions 3 --skew \
    uniform:1us -q
  document noisy run allreduce -p crill -n 8 --message-size 1KiB --noise multiplicative:0.05 \
    --repetitions 3 -q --set mpi/eager_limit=1KiB
  document ideal run alltoallv -p crill -n 4 --message-size 8 --counts linear --engine ideal -q
  document model run bcast -p crill -n 4 --model-only -q
  document verified run bcast -p crill -n 4 --engine flow --verify -q
  document extrapolated run allgather -p fat-tree-262144 -n 1024 --ppn 1 --message-size 1KiB \
    --algorithm ring -q
  document path run bcast -p crill -n 8 --ppn 4 --message-size 64KiB --algorithm binomial \
    --critical-path -q
  document write run write -p crill -n 8 --ppn 4 --storage lustre-hdd --bytes-per-proc 8MiB -q
  document read run read -p crill -n 8 --ppn 4 --decomposition 2d --bytes-per-proc 1MiB \
    --implementation vulcan -q
  document pingpong run pingpong -p crill --message-size 1,1MiB --pattern pingpong,stream -q
  document loggp run loggp -p crill --message-size 1KiB,64KiB -q
  local program
  for program in lb-coll sweep3d xns halo rooted; do
    document "trace-$program" run trace $program -p crill -n 8 --iterations 2 -q
  done
  document io-path run write -p crill -n 8 --ppn 4 --bytes-per-proc 1MiB --critical-path -q
  document background run bcast -p lumi -n 4 --background all-to-all:1GBps -q
  document jobs run "$root_dir/examples/jobs/two-jobs.toml" -q
  "$sim" run bcast -p crill -n 4 -q -o times.csv
  cp times.csv.json documents/sidecar.json
}

listing_documents() {
  local list
  for list in algorithms mockups platforms storage tunables; do
    document "list-$list" list $list
  done
  document columns help columns
  document show-crill platform show crill
  document show-leonardo platform show leonardo
  document show-fugaku platform show fugaku
  document check platform check crill
  document routes platform routes crill 0 1
  "$sim" platform routes crill 0 1 --format csv > documents/routes.csv
  document all-paths platform routes leonardo 0 40 --all-paths
}

store_documents() {
  printf '[study]\nname = "s"\n[base]\nworkload = "bcast"\nplatform = "crill"\n%s' \
    $'[matrix]\nprocs = [4, 8]\n"mpi/eager_limit" = ["1KiB", "12KiB"]\n' > study.toml
  "$sim" sweep study.toml -q > /dev/null
  document store store info study.db
  document export export study.db
  document compare compare times.csv times.csv
  "$sim" params put --db p.db --host crill --app a --procs 4 --value mpi/eager_limit=24KiB \
    --metric time_s=0.5 -q
  document params params list --db p.db
}

fit_documents() {
  local job="--collective bcast -p crill --algorithm binomial,pipeline --ppn 1 --procs 8,16
    --segment-size 0,4KiB --message-size 32KiB:128KiB -q"
  "$sim" fit models $job -o models.toml --report models.json > /dev/null
  cp models.json documents/fit-models.json
  "$sim" fit platform "$root_dir/examples/measured/taurus.csv" --intra \
    "$root_dir/examples/measured/taurus-loopback.csv" --nodes 4 -o taurus.xml --report fit.json > \
    /dev/null
  cp fit.json documents/fit-platform.json
  printf 'collective,algorithm,procs,message_bytes,time_s,run\n' > runs.csv
  printf 'allgather,ring,4,%d,%s,%s\n' 8 5e-6 a 1024 7e-6 a 65536 1e-4 a 1048576 1.5e-3 a \
    8 5.2e-6 b 1024 7.2e-6 b 65536 1e-4 b 1048576 1.6e-3 b \
    8 4.9e-6 c 1024 6.9e-6 c 65536 1e-4 c 1048576 1.5e-3 c >> runs.csv
  "$sim" fit platform --collectives runs.csv -q -o runs.xml --report documents/fit-runs.json \
    > /dev/null
  printf 'operation,procs,ppn,transfer_size,block_size,bandwidth_Bps\n' > storage.csv
  printf 'write,%d,4,%d,16777216,%d\n' 1 65536 90000000 4 65536 200000000 1 1048576 120000000 \
    4 1048576 300000000 16 1048576 800000000 16 65536 600000000 >> storage.csv
  document fit-check fit platform --check times.csv -p crill -q
  document fit-storage fit storage storage.csv -p crill --ppn 4 --targets 4 -q
  document select-models select models --models models.toml -p crill -n 8 --ppn 1 --message-size \
    32KiB -q
}

choice_documents() {
  local job="-p crill -n 16 --ppn 4 --collective bcast --message-size 1KiB,64KiB -q"
  document placements select rules -p crill -n 8 --ppn 1,4 --map block,round-robin --collective \
    bcast \
    --message-size 1KiB:1MiB:*32 -q
  "$sim" run bcast -p crill -n 16 --ppn 4 --message-size 1KiB --algorithm binomial -q \
    --goal binomial-16.goal > /dev/null
  document select-rules select rules $job --refine 1 --hierarchical \
    --schedules 'binomial-{procs}.goal'
  document schedule run schedule binomial-16.goal -p crill -q
  "$sim" select rules $job -o a.rules > /dev/null
  "$sim" select rules $job --loss 50% -o b.rules > /dev/null
  document select-evaluate select evaluate a.rules $job
  document rules-lint rules lint a.rules
  printf '1\n7\n1\n4\n1\n0 99 0 0\n' > broken.rules
  document rules-broken rules lint broken.rules
  document rules-convert rules convert a.rules --to ompi-json -o a.json
  document rules-omit rules convert a.rules --to nccl -o nccl.csv
  document rules-diff rules diff a.rules b.rules -p crill -q
  document explain explain bcast -p crill -n 32 --message-size 64KiB -q
  document explain_nccl explain allreduce -p h100-pod -n 16 --to nccl-2.28 --message-size 64KiB -q
  document place place bcast -p crill -n 8 --ppn 4 --message-size 1KiB -q
  document guidelines guidelines check -p jupiter -n 8 --ppn 1 --collective gather --message-size \
    1KiB:8KiB -q
  document guidelines-tune guidelines tune -p jupiter -n 8 --ppn 1 --collective gather \
    --message-size 1KiB -q -o .
  document guidelines-omitted guidelines tune -p jupiter -n 8 --ppn 1 --collective bcast \
    --message-size 64KiB --int-buffer 4 -q -o omitted
  document tune tune "$root_dir/examples/tuning/broadcast.toml" --method factorial,model --budget \
    10 -q
  document tune-each tune "$root_dir/examples/tuning/broadcast.toml" --each --method model \
    --budget 6 -q
  document tune-hints tune hints write -p crill -n 8 --ppn 4 --bytes-per-proc 8MiB --storage \
    lustre-hdd --budget 4 -q
}

application_documents() {
  document fireworks fireworks -p tachyon1 --samples grid:4 --costs costs.toml -q
  document fireworks-check fireworks check --costs costs.toml --node-sets 6 -q
  document fireworks-predict fireworks predict --costs costs.toml --node-set 4,4 -q
  "$sim" run trace lb-coll -p jubl -n 8 --ppn 1 --iterations 2 -q -o trace > /dev/null
  "$sim" run trace lb-p2p -p jubl -n 8 --ppn 1 --iterations 2 -q -o other > /dev/null
  document replay replay trace --causes -q
  document replay-platform replay trace --model platform -p jubl --ppn 1 -q
  document replay-diff replay diff trace other -q
  document replay-suggest replay suggest trace -q
  document validate-models validate models -p crill -n 16 --collective bcast --message-size \
    1KiB,64KiB -q
  document validate-io validate io
  "$sim" run bcast -p crill -n 16 --ppn 1 --algorithm binomial,chain --message-size 1KiB:1MiB:*4 \
    -q -o alike.csv
  sed -i 's/,binomial/,x/g; s/,chain/,binomial/g; s/,x/,chain/g' alike.csv
  document validate-alike validate measured alike.csv -p crill -q
  document validate-measured validate measured times.csv -p crill -q
}

record_documents
listing_documents
store_documents
fit_documents
choice_documents
application_documents
[ $failed -eq 0 ] || exit 1
python3 "$root_dir/tests/support/json_schemas.py" "$(dirname "$sim")/share/tutti/schemas" documents

# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2164
# Shared code of the traffic conformance tests with Open MPI; sourced, with `root_dir` set. The
# current folder is then a temporary one.
# Exits with 77 (skipped) if Open MPI is not installed.
if ! command -v mpicc > /dev/null || ! command -v mpirun > /dev/null; then
  echo "skipped: Open MPI is not installed (tests/run.sh --full installs it)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpicc "$root_dir/tests/support/collective_traffic.c" -o traffic -ldl

# procs how [--mca ...], lines "collective bytes algorithm fanout segment root" on standard input ->
# "line: source destination messages bytes" of each, by one run of the real library.
traffic_of() {
  local procs=$1 how=$2
  shift 2
  mpirun --oversubscribe -np "$procs" --mca btl self,vader --mca mpi_yield_when_idle 1 \
    --mca pml_monitoring_enable 1 --mca coll_tuned_use_dynamic_rules 1 "$@" ./traffic "$how" \
    2> mpirun.said > sent || true
  if [ "$(tail -n 1 sent)" != end ]; then
    {
      echo "Open MPI failed after $(tail -n 1 sent):"
      cat calls
      tail -n 20 mpirun.said
    } >&2
    exit 1
  fi
  grep -v end sent
}

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of the shuffle's traffic of collective I/O with Open MPI 4.1 (fcoll/vulcan,
# dynamic_gen2, two_phase and its ROMIO 3.2.1) and with ROMIO of MPICH 4.0: for distributed arrays
# of one to five dimensions, ghost cells, IOR and lists of pieces, the library and `sim` send the
# same messages. `sim` gets the pieces of each call, which the real program derives from its file
# views. The library must also write and read the right data.
#   tests/conformance/io_traffic.sh SIM [LIBRARY...]
# Exit 77 (skipped) if neither library is installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
source "$root_dir/tests/support/io_cases.sh"

has_openmpi() {
  command -v mpicc.openmpi > /dev/null && command -v ompi_info > /dev/null &&
    ompi_info --version | grep -q 'Open MPI v4\.1'
}
has_mpich() {
  command -v mpicc.mpich > /dev/null && mpichversion | grep -q 'MPICH Version:[[:space:]]*4\.0'
}
libraries=()
if has_openmpi; then
  mpicc.openmpi "$root_dir/tests/conformance/io_traffic.c" -o with_openmpi -ldl
  libraries+=(vulcan dynamic_gen2 two_phase romio)
fi
if has_mpich; then
  mpicc.mpich "$root_dir/tests/conformance/io_traffic.c" -o with_mpich -ldl -rdynamic
  libraries+=(romio_mpich)
fi
if [ ${#libraries[@]} -eq 0 ]; then
  echo "skipped: no Open MPI 4.1 and no MPICH 4.0 is installed (tests/run.sh --full installs them)"
  exit 77
fi
[ $# -eq 0 ] || libraries=("$@")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# library procs, accesses on standard input
by_library() {
  local of_openmpi=(mpirun.openmpi -quiet --oversubscribe -np "$2" --mca btl "self,vader"
    --mca pml_monitoring_enable 2 --mca mpi_yield_when_idle 1
    # With data sieving, 4.1 loses data of neighboring aggregators and misreads overlapping views.
    --mca fbtl_posix_write_datasieving 0 --mca fbtl_posix_read_datasieving 0)
  case $1 in
    romio_mpich) mpiexec.mpich -n "$2" ./with_mpich "$1" pieces ;;
    romio) "${of_openmpi[@]}" --mca io romio321 ./with_openmpi "$1" pieces || true ;;
    *) "${of_openmpi[@]}" --mca io ompio --mca fcoll "$1" ./with_openmpi "$1" pieces || true ;;
  esac
}
# What `sim` sends in one call: src,dst,msgs,sum_bytes.
simulate() { # implementation procs operation aggregators buffer decomposition...
  rm -f ours.csv
  "$sim" run "$3" --platform crill --procs "$2" --oversubscribe --engine ideal -q \
    --implementation "$1" --aggregators "$4" --buffer-size "$5" --setup on --extrapolate off \
    --traffic ours.csv -o table.csv "${@:6}"
  awk -F, -v OFS=, 'NR > 1 { print $(NF - 3), $(NF - 2), $(NF - 1), $NF }' ours.csv
}
# ROMIO of MPICH 4.0 sends both lists of pieces in one message, ROMIO 3.2.1 in two: one message less
# for each pair with lists of a call: the pairs whose bytes are fewer with the lengths of two_phase.
without_second_list() { # procs operation aggregators buffer decomposition...
  simulate romio "$@" > ours_romio
  simulate two_phase "$@" --aggregator-placement first |
    awk -F, -v OFS=, 'NR == FNR { bytes[$1 OFS $2] = $4; next }
      { print $1, $2, $3 - ($4 > bytes[$1 OFS $2]), $4 }' - ours_romio
}
simulate_library() { # library procs operation aggregators buffer decomposition...
  case $1 in
    romio_mpich) without_second_list "${@:2}" ;;
    *) simulate "$@" ;;
  esac
}
sum_of_pairs() {
  awk -F, -v OFS=, '{ msgs[$1 OFS $2] += $3; bytes[$1 OFS $2] += $4 }
    END { for (pair in msgs) print pair, msgs[pair], bytes[pair] }' | sort
}

compared=0 wrong=0
# Compares the file `ours` with `theirs`.
judge() { # what
  compared=$((compared + 1))
  diff theirs ours > difference && return
  wrong=$((wrong + 1))
  echo "differs: $*"
  head -n 10 difference
}
# Adds to `array` the defaults of the real program, which are not those of `sim`.
add_defaults() {
  local dimensions=${array[1]//[^x]/}
  [[ " ${array[*]} " == *" --element-size "* ]] || array+=(--element-size 1)
  [[ " ${array[*]} " == *" --distribution "* ]] ||
    array+=(--distribution "block${dimensions//x/,block}")
}
# Compares the calls of a case, as pieces; and an array and IOR as `sim` describes them.
compare() { # library procs name operation options
  local call aggregators=1 buffer=1 array=() at=5
  while [ $at -le $# ]; do
    case ${!at} in
      -V) at=$((at - 1)) ;;
      --aggregators) aggregators=${*:at + 1:1} ;;
      --buffer-size) buffer=${*:at + 1:1} ;;
      *) array+=("${@:at:2}") ;;
    esac
    at=$((at + 2))
  done
  grep "^$1,$3," real | cut -d, -f6- | sort > theirs || true
  for call in pieces/"$3".*.csv; do
    simulate_library "$1" "$2" "$4" "$aggregators" "$buffer" --decomposition "file:$call"
  done | sum_of_pairs > ours
  judge "library procs case = $*"
  if [ $has_arrays -eq 1 ] && [ "${array[0]}" = --array ]; then
    add_defaults
    simulate_library "$1" "$2" "$4" "$aggregators" "$buffer" --decomposition array \
      "${array[@]}" | sum_of_pairs > ours
    judge "as an array: library procs case = $*"
  elif [ $has_arrays -eq 1 ] && [ "${array[0]}" = -t ] && [ "$1" != romio_mpich ]; then
    simulate_library "$1" "$2" "$4" "$aggregators" "$buffer" --decomposition ior \
      --ior "${array[*]} -c" | sum_of_pairs > ours
    judge "as IOR's calls: library procs case = $*"
  fi
}
has_arrays=0
"$sim" run write --help > help
! grep -q -e '--array ' help || has_arrays=1

io_lists
for procs in "${io_counts[@]}"; do
  io_cases "$procs" > cases
  for library in "${libraries[@]}"; do
    rm -rf pieces
    mkdir pieces
    by_library "$library" "$procs" < cases > real
    [ "$(tail -n 1 real)" = end ] || { echo "the program of $library failed" >&2; exit 1; }
    if grep '^# wrong data' real; then
      echo "$library reads or writes wrong data with $procs processes"
      wrong=$((wrong + 1))
    fi
    while read -ra words; do
      compare "$library" "$procs" "${words[@]}"
    done < cases
  done
done
echo "$compared cases compared, $wrong differ"
[ "$compared" -gt 0 ] && [ "$wrong" -eq 0 ]

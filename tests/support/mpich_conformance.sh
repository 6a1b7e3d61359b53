# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154,SC2164
# Compares messages of MPICH 4.0 (ch4:ucx) with those that `sim` predicts. To be sourced, with
# root_dir and sim set; exits with 77 (skipped) if MPICH with this device is not installed. The
# current folder is then a temporary one.
if ! mpichversion 2> /dev/null | grep -q 'MPICH Version:[[:space:]]*4\.0' ||
  ! mpichversion | grep -q 'ch4:ucx' || ! command -v mpicc.mpich > /dev/null; then
  echo "skipped: MPICH 4.0 with device ch4:ucx is not installed (tests/run.sh --full installs it)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mpicc.mpich "$root_dir/tests/support/mpich_traffic.c" -o traffic -ldl -rdynamic

export UCX_TLS=posix,sysv,self UCX_LOG_LEVEL=error

has_root() { [[ " bcast gather gatherv scatter scatterv reduce " == *" $1 "* ]]; }

# line of `cases` -> src,dst,messages,bytes
by_library() { sed -n "s/^$1: //p" real | tr ' ' ',' | sort; }
# procs ppn -> "collective bytes root algorithm,src,dst,messages,bytes" of all `cases`: one run for
# all sizes of an algorithm.
simulate() {
  local procs=$1 ppn=$2 collective root algorithm sizes options
  awk '{ key = $1 " " $3 " " $5 }
    !seen[key, $2]++ { sizes[key] = sizes[key] "," $2 }
    END { for (key in sizes) print key, substr(sizes[key], 2) }' cases > runs
  while read -r collective root algorithm sizes; do
    options=(--message-size "$sizes")
    [ "$collective" = barrier ] && options=()
    has_root "$collective" && options+=(--root "$root")
    [ "$algorithm" = ring_mpich ] && options+=(--segment-size 32KiB)
    "$sim" run "$collective" --platform crill --procs "$procs" --ppn "$ppn" --map round-robin \
      --algorithm "$algorithm" "${options[@]}" --engine ideal -q --traffic ours.csv -o table.csv
    awk -F, -v name="$collective" -v others="$root $algorithm" '$1 == name {
      print name, $5, others "," $9 "," $10 "," $11 "," $12 }' ours.csv
  done < runs
}
by_simulation() { # collective bytes root algorithm
  awk -F, -v key="$*" '$1 == key { print $2 "," $3 "," $4 "," $5 }' simulated | sort
}
# Messages whose size the library's side does not know have no size on the other side either.
without_unknown() { # real simulated
  awk -F, 'NR == FNR { if ($4 == -1) unknown[$1 "," $2] = 1; next }
    ($1 "," $2) in unknown { $4 = -1 } { print $1 "," $2 "," $3 "," $4 }' "$1" "$2"
}

compared=0 wrong=0
compare() { # procs ppn, cases on standard input
  local line=0 collective bytes root algorithm
  cat > cases
  cut -d' ' -f1-4 cases | mpiexec.mpich -n "$1" ./traffic > real
  [ "$(tail -n 1 real)" = end ] || { echo "the library's program failed" >&2; exit 1; }
  simulate "$1" "$2" > simulated
  while read -r collective bytes root _ algorithm; do
    line=$((line + 1)) compared=$((compared + 1))
    by_library "$line" > theirs
    by_simulation "$collective" "$bytes" "$root" "$algorithm" > ours
    if ! diff theirs <(without_unknown theirs ours) > difference; then
      wrong=$((wrong + 1))
      echo "differs: procs $1 ppn $2: $collective $bytes B root $root $algorithm"
      head -n 10 difference
    fi
  done < cases
}

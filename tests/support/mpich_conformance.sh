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
by_simulation() { # procs ppn collective bytes root algorithm
  local options=(--message-size "$4")
  [ "$3" = barrier ] && options=()
  has_root "$3" && options+=(--root "$5")
  [ "$6" = ring_mpich ] && options+=(--segment-size 32KiB)
  "$sim" run "$3" --platform crill --procs "$1" --ppn "$2" --map round-robin --algorithm "$6" \
    "${options[@]}" --engine ideal -q --traffic ours.csv -o table.csv
  awk -F, -v name="$3" '$1 == name { print $9 "," $10 "," $11 "," $12 }' ours.csv | sort
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
  while read -r collective bytes root _ algorithm; do
    line=$((line + 1)) compared=$((compared + 1))
    by_library "$line" > theirs
    by_simulation "$1" "$2" "$collective" "$bytes" "$root" "$algorithm" > ours
    if ! diff theirs <(without_unknown theirs ours) > difference; then
      wrong=$((wrong + 1))
      echo "differs: procs $1 ppn $2: $collective $bytes B root $root $algorithm"
      head -n 10 difference
    fi
  done < cases
}

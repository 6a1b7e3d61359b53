# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the scripts of this folder: runs `sim` and prints a row per run.
#   QUICK=1   small jobs: seconds instead of minutes
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sim=${TUTTI_SIM:-$here/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
quick=${QUICK:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

title() { printf '\n%s\n%-42s %10s %8s %8s\n' "$1" '' 'time (ms)' 'GB/s' 'factor'; }

# row LABEL BASE write|read ARGUMENTS: simulates a job and prints its time, its bandwidth, and the
# time of the row BASE (a label, or - for none) divided by its own.
row() {
  local label=$1 base=$2 file
  file=$work/$(tr -c 'a-z0-9\n' _ <<< "$label")
  [ "$base" = - ] || base=$work/$(tr -c 'a-z0-9\n' _ <<< "$base")
  shift 2
  "$sim" run "$@" --no-cost -q --format csv --provenance none > "$file"
  awk -v label="$label" -v base="$base" '
    { while (match($0, /"[^"]*"/)) # a field with commas
        $0 = substr($0, 1, RSTART - 1) "quoted" substr($0, RSTART + RLENGTH) }
    FNR == 1 { n = split($0, names, ","); for (i = 1; i <= n; ++i) at[names[i]] = i; next }
    { split($0, cells, ",")
      if (FILENAME == base) { reference = cells[at["time_s"]]; if (base != own) next }
      time = cells[at["time_s"]]; bytes = cells[at["file_bytes"]] }
    END { printf "%-42s %10.3f %8s %8s\n", label, time * 1e3, sprintf("%.3g", bytes / time / 1e9),
                 base == "-" ? "" : sprintf("%.2f", reference / time) }' \
    $([ "$base" = - ] || echo "$base") "$file"
}

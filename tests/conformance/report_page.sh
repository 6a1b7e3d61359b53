#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the page of `sim report` in a real browser: it reports no errors, makes no network requests,
# draws the plots and shows values on hover; zooming, hiding and sorting work; texts are inert.
#   tests/conformance/report_page.sh SIM [FOLDER]   screenshots are saved to FOLDER
# Exits with 77 (skipped) if Chromium or Python is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1
for program in chromium python3; do
  if ! command -v $program > /dev/null; then
    echo "skipped: $program is not installed (tests/run.sh --full installs it)"
    exit 77
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shots=${2:-$work}
mkdir -p "$shots"

"$sim" run bcast --platform crill --procs 16,64 --ppn 8 --message-size 1:1MiB:*4 -q \
  --algorithm all --format csv -o "$work/bcast.csv"
"$sim" report "$work/bcast.csv" -o "$work/bcast.html"
python3 "$root_dir/tests/support/many_points.py" > "$work/many.csv"
"$sim" report "$work/many.csv" -o "$work/many.html"
# Traces may be stored next to the project; without them, the timeline is not tested.
timeline=()
for trace in "$root_dir"/../{,../}shared/data/traces/synthetic/lbp2p-4; do
  if [[ -d $trace ]]; then
    printf '[[balance]]\nregion = "foo"\n' > "$work/balance.toml"
    "$sim" replay "$trace" --hypothesis "$work/balance.toml" --report "$work/replay.html" \
      --timeline-window 0:10ms > "$work/replay.txt"
    timeline=("$work/replay.html")
    break
  fi
done
python3 "$root_dir/tests/support/look_at_page.py" "$work/bcast.html" "$work/many.html" "$shots" \
  "${timeline[@]}"

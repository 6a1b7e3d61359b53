#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check.sh STUDY: runs a study of this folder, reduced by the options in its file `reduced`, and
# compares the exported results with expected.csv. UPDATE=1 overwrites expected.csv.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sim=${TUTTI_SIM:-$here/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
folder=$here/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
eval "reduced=($(cat "$folder/reduced"))"
"$sim" sweep "$folder/study.toml" --store "$work/study.db" -q "${reduced[@]}"
"$sim" export "$work/study.db" --no-cost -o "$work/study.csv"
"$sim" report "$work/study.db" -o "$work/report.html"
if [ -n "${UPDATE:-}" ]; then
  cp "$work/study.csv" "$folder/expected.csv"
fi
diff "$folder/expected.csv" "$work/study.csv"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The machines of the cFireworks paper: measures the message costs of a node, predicts the four node
# sets, and checks that their order is the paper's. Writes to the given folder, by default
# ./fireworks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sim=${TUTTI_SIM:-$here/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
printed=$here/../papers/cfireworks/table2.csv
folder=${1:-fireworks}
mkdir -p "$folder"
picture=svg
command -v node >/dev/null || picture=vg

# compare MACHINE COLUMN: compares with Table II, whose COLUMN is the paper's expected time of one
# of the eight cycles.
compare() {
  local machine=$1 column=$2
  "$sim" fireworks predict --costs "$folder/$machine.toml" "${sets[@]}" --orders 0 \
    --part node-sets --format csv -q |
    awk -F'"' -v OFS= '!/^#/ { $1 = $1; for (i = 2; i <= NF; i += 2) gsub(",", "-", $i); print }' |
    awk -F, -v machine="$machine" -v column="$column" '
      FNR == NR && /^T/ { printed[$2] = 1000 * $column; test[$2] = $1; match_of[$2] = $3; next }
      FNR == NR || !($2 in test) { next }
      {
        printf "%-9s %s  %2d of 32  %2d of 32  %9.3f  %9.3f  %9.3f\n", machine, test[$2],
               match_of[$2], $3, printed[$2], 1000 * $8 / 8, 1000 * $9 / 8
        paper[++n] = printed[$2]; write[n] = $9; read[n] = $10
      }
      # If printed times differ, the simulated ones must differ in the same direction.
      END {
        for (i = 1; i <= n; ++i)
          for (j = 1; j <= n; ++j)
            if (paper[i] < paper[j] && !(write[i] < write[j] && read[i] < read[j])) exit 1
        exit n != 4
      }' "$printed" -
}

sets=()
for set in 4,4,2,2,1,1,1,1 1,1,1,1,2,4,4,2 1,1,2,2,1,1,4,4 1,1,1,4,4,2,2,1; do
  sets+=(--node-set "$set")
done
for machine in tachyon1 tachyon2; do
  "$sim" fireworks --platform $machine --costs "$folder/$machine.toml" -q \
    --plot "$folder/$machine.$picture" >"$folder/$machine.txt"
  "$sim" fireworks predict --costs "$folder/$machine.toml" "${sets[@]}" -q \
    --plot "$folder/$machine-sets.$picture" >"$folder/$machine-sets.txt"
  "$sim" fireworks check --costs "$folder/$machine.toml" --node-sets 60 -q \
    --plot "$folder/$machine-check.$picture" >"$folder/$machine-check.txt"
done
{
  echo "# Time of a cycle in ms: Table II (intra-first), expected here, simulated write here"
  echo "# machine set     match      here          paper   expected      write"
  compare tachyon1 4
  compare tachyon2 6
} | tee "$folder/compare.txt"

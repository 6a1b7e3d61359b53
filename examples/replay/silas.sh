#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The figures of the thesis on SILAS (M.-A. Hermanns, Juel-4297, chapter 5), on the simulated JUBL.
# silas.sh [FOLDER] writes them to a folder, by default ./silas.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sim=${TUTTI_SIM:-$here/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
out=${1:-silas}
mkdir -p "$out"
picture=svg
command -v node > /dev/null || picture=vg

# Figures 5.1 and 5.3: waiting in the collective, and for the second message.
for program in lb-coll lb-p2p; do
  rm -rf "$out/$program"
  "$sim" run trace $program --platform jubl --procs 8 --ppn 1 --iterations 2 -q \
    -o "$out/$program" > "$out/$program.txt"
  "$sim" replay "$out/$program" -q --plot "$out/$program.$picture" > "$out/$program-waits.txt"
done

# Figures 5.2, 5.4 and 5.5: deviations from the really changed program, of both modes of JUBL.
TUTTI_SIM=$sim python3 "$here/../papers/silas/check.py" --predictions "$out/predictions.csv" \
  > "$out/check.txt"
for program in lb-coll lb-p2p sweep3d; do
  "$sim" plot "$out/predictions.csv" --where "program == \"$program\" and what == \"all\"" \
    --x nodes --y deviation --series model,mode -o "$out/$program-deviations.$picture"
done

# Figures 5.7 and 5.8: what the optimized XNS saves, and what is predicted.
sed -n '/^# Time that the optimized XNS saves/,$p' "$out/check.txt" | tee "$out/gains.txt"

# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the scripts of this folder: runs `sim`, joins its CSV files, and draws with gnuplot.
#   OUT, the first argument   folder of the results; default ./collective-io
#   QUICK=1                   fewer and smaller points: seconds instead of minutes
#   REDRAW=1                  no runs: the pictures of the CSV files that are there
#   JOBS=N                    runs of `sim` at a time; default: all cores
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sim=${TUTTI_SIM:-$here/../../build/release/sim}
command -v "$sim" > /dev/null || sim=sim  # of an installed package
out=${1:-collective-io}
quick=${QUICK:-}
jobs=${JOBS:-$(nproc)}
name=$(basename "$0" .sh)
csv=$out/$name.csv
mkdir -p "$out"
work=$(mktemp -d)
runs=() # process ids, in the order of the calls
trap 'kill "${runs[@]}" 2> /dev/null || true; rm -rf "$work"' EXIT

# Starts `sim run write ARGUMENTS` when fewer than $jobs of them run. Where $assumption is set, its
# rows have it in a first column of that name.
simulate() {
  local part
  [ -z "${REDRAW:-}" ] || return 0
  part=$(printf '%s/%03d.csv' "$work" ${#runs[@]})
  echo "${assumption:-}" > "${part%.csv}.assumption"
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.1; done
  "$sim" run write "$@" --no-cost -q --format csv -o "$part" &
  runs+=($!)
}

# Waits for all of them and joins their files: comments, the header once, rows as called.
join_runs() {
  local run
  [ -z "${REDRAW:-}" ] || return 0
  for run in "${runs[@]}"; do wait "$run"; done
  runs=()
  awk 'FNR == 1 { getline assumption < (substr(FILENAME, 1, length(FILENAME) - 3) "assumption")
                  of_file = 0 }
       /^#/ { if (!seen[$0]++) print; next }
       { first = of_file++ == 0 ? "assumption" : assumption
         lines[++n] = (assumption == "" ? "" : first ",") $0 }
       END { for (i = 1; i <= n; ++i) if (i == 1 || lines[i] != lines[1]) print lines[i] }' \
    "$work"/*.csv > "$csv"
}

# rows "COLUMN=VALUE ..." COLUMN...: the named columns of the rows that have these values, as
# gnuplot reads them, sorted by the first; what is missing is NaN.
rows() {
  awk -F, -v conditions="$1" -v columns="${*:2}" '
    /^#/ { next }
    { while (match($0, /"[^"]*"/)) { # a field with commas
        field = substr($0, RSTART + 1, RLENGTH - 2); gsub(",", ";", field)
        $0 = substr($0, 1, RSTART - 1) field substr($0, RSTART + RLENGTH) } }
    !header { for (i = 1; i <= NF; ++i) at[$i] = i; header = 1
              n = split(conditions, wanted, " "); m = split(columns, shown, " "); next }
    { for (i = 1; i <= n; ++i) { split(wanted[i], pair, "=")
                                 if ($at[pair[1]] != pair[2]) next }
      line = ""
      for (i = 1; i <= m; ++i) { cell = $at[shown[i]]; line = line (cell == "" ? "NaN" : cell) " " }
      print line }' "$csv" | sort -g
}

# series NAME "COLUMN=VALUE ..." X: a data block of x, simulated s, model s, error, extrapolation.
series() {
  echo "\$$1 << EOD"
  rows "$2" "$3" time_s model_loggp_s sampling_error extrapolation
  echo EOD
}

# simulated NAME TITLE COLOUR POINT [UNIT]: a series' simulated times, divided by UNIT. POINT is the
# number of gnuplot's filled symbol; that before it is the hollow one, which sampled runs get, with
# bars of their estimated error.
simulated() {
  local block=\$$1 colour="lc rgb '$3'" y="\$2/(${5:-1})" sampled="stringcolumn(5) eq 'sampled'"
  cat << EOD
$block using 1:($y) with lines $colour lw 2 notitle, \\
$block using 1:($sampled ? NaN : $y) with points $colour lw 2 ps 1.4 pt $4 notitle, \\
$block using 1:($sampled ? $y : NaN):(valid(4) ? $y*\$4 : 0) \\
  with yerrorbars $colour lw 2 ps 1.6 pt $(($4 - 1)) notitle, \\
keyentry with linespoints $colour lw 2 ps 1.4 pt $4 title '$2, simulated', \\
EOD
}

# model NAME TITLE COLOUR [UNIT]: a series' times by the model.
model() {
  cat << EOD
\$$1 using 1:(\$3/(${4:-1})) with linespoints lc rgb '$3' dt (12,6) lw 2 pt 2 ps 1.2 \\
  title '$2, model', \\
EOD
}

# curves NAME TITLE COLOUR POINT [UNIT UNIT]: both, each with its unit.
curves() {
  simulated "$1" "$2" "$3" "$4" "${5:-1}"
  model "$1" "$2" "$3" "${6:-1}"
}

# The simulated and the model's time of the first of the rows "x simulated model".
first_times() { head -n 1 | cut -d ' ' -f 2,3; }

# "32MiB" as people write it.
spaced() { sed -E 's/([0-9])([KMG]iB)/\1 \2/' <<< "$1"; }

# draw < PROGRAM: OUT/NAME.svg and .png, WIDTH x HEIGHT of $size; only the CSV without gnuplot.
draw() {
  local program=$work/$name.gp terminal
  cat > "$program"
  local packages=$here/../../tests/support/packages.sh # none in an installed tree
  if ! command -v gnuplot > /dev/null && [ -e "$packages" ]; then
    source "$packages"
    ensure_packages "${picture_packages[@]}" || true
  fi
  if ! command -v gnuplot > /dev/null; then
    echo "$csv is written; its picture needs gnuplot (Debian: gnuplot-nox)" >&2
    return 0
  fi
  for terminal in svg png; do
    {
      echo "set terminal ${terminal/png/pngcairo} noenhanced size ${size:-1100,800} \
        font '$([ $terminal = svg ] && echo Helvetica || echo DejaVu Sans),12' background 'white'"
      echo "set output '$out/$name.$terminal'"
      cat "$here/style.gp" "$program"
    } | gnuplot
  done
  echo "$csv, $out/$name.svg, $out/$name.png"
}

# knee "COLUMN=VALUE ..." [COLUMN]: the smallest number of aggregators from which on, up to the
# largest of the rows, each doubling saves less than 5 % of the time that there is before it; `none`
# where the last doubling still saves more, `flat` where already the first saves less. Between two
# rows time goes with a power of the number. No row is compared with any but its neighbours.
knee() {
  rows "$1" aggregators "${2:-time_s}" | awk '
    { number[NR] = $1; time[NR] = $2 }
    function saved(i) {
      return 1 - (time[i + 1] / time[i]) ^ (log(2) / log(number[i + 1] / number[i]))
    }
    END { first = NR
          while (first > 1 && saved(first - 1) < 0.05) --first
          print first == NR ? "none" : first == 1 ? "flat" : number[first] }'
}

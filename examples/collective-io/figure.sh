# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the scripts of this folder: runs `sim`, joins its CSV files, and draws with gnuplot.
#   OUT, the first argument   folder of the results; default ./collective-io
#   QUICK=1                   fewer and smaller points: seconds instead of minutes
#   REDRAW=1                  only draws the existing CSV files
#   JOBS=N                    number of concurrent runs of `sim`; default: all cores
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
runs=0 # number of calls
trap 'kill $(jobs -rp) 2> /dev/null || true; rm -rf "$work"' EXIT

# Starts `sim run write ARGUMENTS` as soon as fewer than $jobs of them run. If $assumption is set,
# the rows contain it in a first column of that name.
simulate() {
  local part
  [ -z "${REDRAW:-}" ] || return 0
  part=$(printf '%s/%03d.csv' "$work" $runs)
  echo "${assumption:-}" > "${part%.csv}.assumption"
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.1; done
  "$sim" run write "$@" --no-cost -q --format csv --provenance comments -o "$part" &
  runs=$((runs + 1))
}

# Waits for all runs and joins their files: comments, the header once, rows in the order of the
# calls. Columns of --set, which not all runs have, are dropped; the comments contain them.
join_runs() {
  [ -z "${REDRAW:-}" ] || return 0
  wait # not for single processes, whose numbers may recur in an hour
  [ "$(find "$work" -name '*.csv' -size +0 | wc -l)" = $runs ] || exit 1 # a run has failed
  runs=0
  awk 'FNR == 1 { getline assumption < (substr(FILENAME, 1, length(FILENAME) - 3) "assumption")
                  of_file = 0 }
       /^#/ { if (!seen[$0]++) print; next }
       of_file == 0 { sets = gsub(/,[^,\/]+\/[^,]+/, "&") }
       { for (i = 0; i < sets; ++i) { # the third column
           match($0, /^[^,]*,[^,]*,/); rest = substr($0, RLENGTH + 1); sub(/^[^,]*,/, "", rest)
           $0 = substr($0, 1, RLENGTH) rest }
         first = of_file++ == 0 ? "assumption" : assumption
         lines[++n] = (assumption == "" ? "" : first ",") $0 }
       END { for (i = 1; i <= n; ++i) if (i == 1 || lines[i] != lines[1]) print lines[i] }' \
    "$work"/*.csv > "$csv"
}

# rows "COLUMN=VALUE ..." COLUMN...: prints the named columns of the rows with these values for
# gnuplot, sorted by the first; missing values are NaN.
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

# simulated NAME TITLE COLOUR POINT [UNIT]: the simulated times of a series, divided by UNIT. POINT
# is the number of gnuplot's filled symbol; the previous number is the hollow symbol for sampled
# runs, which also get bars of their estimated error.
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

# model NAME TITLE COLOUR [UNIT]: the times of a series by the model.
model() {
  cat << EOD
\$$1 using 1:(\$3/(${4:-1})) with linespoints lc rgb '$3' dt (12,6) lw 2 pt 2 ps 1.2 \\
  title '$2, model', \\
EOD
}

# curves NAME TITLE COLOUR POINT [UNIT UNIT]: simulated and model times, each with its unit.
curves() {
  simulated "$1" "$2" "$3" "$4" "${5:-1}"
  model "$1" "$2" "$3" "${6:-1}"
}

# The simulated and the model time in the first of the rows "x simulated model".
first_times() { head -n 1 | cut -d ' ' -f 2,3; }

# "32 MiB" for "32MiB".
spaced() { sed -E 's/([0-9])([KMG]iB)/\1 \2/' <<< "$1"; }

# draw < PROGRAM: draws OUT/NAME.svg and .png with the WIDTH,HEIGHT in $size; without gnuplot there
# is only the CSV.
draw() {
  local program=$work/$name.gp terminal
  cat > "$program"
  local packages=$here/../../tests/support/packages.sh # none in an installed tree
  if ! command -v gnuplot > /dev/null && [ -e "$packages" ]; then
    source "$packages"
    ensure_packages "${figure_packages[@]}" || true
  fi
  if ! command -v gnuplot > /dev/null; then
    echo "wrote $csv; its picture requires gnuplot (Debian: gnuplot-nox)" >&2
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

# knee "COLUMN=VALUE ..." [COLUMN]: the smallest number of aggregators from which, up to the largest
# in the rows, each doubling saves less than 5 % of the time before it; `none` if the last doubling
# still saves more, `flat` if already the first saves less. Between two rows the time is
# interpolated as a power of the number. Each row is compared only with its neighbors.
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

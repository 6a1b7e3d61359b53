# SPDX-License-Identifier: BSD-3-Clause
# Sourced by figures 5.9 and 5.10: time against the number of aggregators, and the knees.

# job --platform NAME --procs N --bytes-per-proc SIZE: as the title says it.
job() { echo "$2 (56 Gb Ethernet, TCP), $4 processes, $(spaced "$6") each"; }

# numbers A:B:*K or a list: its numbers.
numbers() {
  awk -v range="$1" 'BEGIN {
    n = split(range, part, ":")
    if (n == 1) { gsub(",", " ", range); print range; exit }
    for (x = part[1]; x <= part[2]; x *= substr(part[3], 2)) printf "%d ", x }'
}

# One series' knees: told on standard error, that of the simulated times noted for the picture.
note_knees() {
  local conditions=$1 title=$2 simulated model
  simulated=$(knee "$conditions")
  model=$(knee "$conditions" model_loggp_s)
  echo "$name: $title: knee at ${simulated:-?} aggregators simulated, ${model:-?} by the model" >&2
  [ -n "$simulated" ] || return 0
  knees["$simulated"]="${knees[$simulated]:+${knees[$simulated]}, }$title"
}

# Vertical lines at the knees, with their curves' names, each a line lower than the last.
draw_knees() {
  local n height=0.97
  for n in $(printf '%s\n' "${!knees[@]}" | sort -n); do
    echo "set arrow from $n, graph 0 to $n, graph 1 nohead dt 3 lw 2 lc rgb '#555555'"
    echo "set label 'knee $n: ${knees[$n]} ' at first $n, graph $height right"
    height=$(awk "BEGIN { print $height - 0.05 }")
  done
}

# The sets of curves: partitioning, decomposition, colour, symbol.
sets='even 1d #0b3c8c 7
even 2d #2e8b57 9
static 1d #d9662b 5
static 2d #8c1c8c 13'

# aggregator_picture TITLE
aggregator_picture() {
  local size=1200,860 partitioning decomposition colour point where title program=$work/curves
  declare -A knees=()
  echo "" > "$program"
  {
    while read -r partitioning decomposition colour point; do
      where="partitioning=$partitioning decomposition=$decomposition"
      title="${decomposition/d/-D} $partitioning"
      [ -n "$(rows "$where" procs)" ] || continue
      series "${partitioning}_$decomposition" "$where" aggregators
      note_knees "$where" "$title"
      curves "${partitioning}_$decomposition" "$title" "$colour" "$point" >> "$program"
    done <<< "$sets"
    cat << EOD
set title "$1\n\
hollow: sampled, with bars of the samples' spread; vertical: knees of the simulated times"
@count_tics
set logscale y
set ylabel 'time (s)'
EOD
    [ ${#knees[@]} -eq 0 ] || draw_knees
    echo 'plot \'
    tail -n +2 "$program"
    echo 'NaN notitle'
  } | draw
}

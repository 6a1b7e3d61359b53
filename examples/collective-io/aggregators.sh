# SPDX-License-Identifier: BSD-3-Clause
# Sourced by figures 5.9 and 5.10: time against the number of aggregators, and the knees.

# numbers A:B:*K or a list: its numbers.
numbers() {
  awk -v range="$1" 'BEGIN {
    n = split(range, part, ":")
    if (n == 1) { gsub(",", " ", range); print range; exit }
    for (x = part[1]; x <= part[2]; x *= substr(part[3], 2)) printf "%d ", x }'
}

# One line of the legend and one mark for a knee of the simulated times (bigger ring) and of the model's
# (cross at the same place on the model's curve); also told on standard output.
knee_marks() {
  local block=$1 conditions=$2 title=$3 simulated model
  simulated=$(knee "$conditions")
  model=$(knee "$conditions" model_loggp_s)
  echo "$name: $title: knee at ${simulated:-more} aggregators simulated, ${model:-more} by the model" >&2
  knees+=("$title: ${simulated:-none} simulated, ${model:-none} model")
  [ -z "$simulated" ] || arrows+=("$simulated $block")
}

# aggregator_picture TITLE
aggregator_picture() {
  local knees=() arrows=() size=1100,860 set partitioning decomposition colours points i=0
  colours=('#0b3c8c' '#2e8b57' '#d9662b' '#8c1c8c') points=(7 9 5 13)
  {
    for set in 'even 1d' 'even 2d' 'static 1d' 'static 2d'; do
      read -r partitioning decomposition <<< "$set"
      set="partitioning=$partitioning decomposition=$decomposition"
      [ -n "$(rows "$set" procs)" ] || continue
      series "${partitioning}_$decomposition" "$set" aggregators
      knee_marks "${partitioning}_$decomposition" "$set" "${decomposition/d/-D} $partitioning"
    done
    local text='knees: ' sep=''
    for set in "${knees[@]}"; do text+="$sep$set" sep='; '; done
    cat << EOD
set title "$1\nhollow: sampled, with bars of the samples' spread; vertical lines: knees of the simulated times"
@count_tics
set logscale y
set ylabel 'time (s)'
EOD
    local done_knees=' '
    for set in "${arrows[@]}"; do
      set=${set%% *}
      [[ $done_knees == *" $set "* ]] && continue
      done_knees+="$set "
      echo "set arrow from first $set, graph 0 to first $set, graph 0.93 nohead dt 3 lw 2 lc rgb '#555555'"
      echo "set label 'knee $set' at first $set, graph 0.96 center"
    done
    echo 'plot \'
    for set in 'even 1d' 'even 2d' 'static 1d' 'static 2d'; do
      read -r partitioning decomposition <<< "$set"
      if [ -n "$(rows "partitioning=$partitioning decomposition=$decomposition" procs)" ]; then
        curves "${partitioning}_$decomposition" "${decomposition/d/-D} $partitioning" \
          "${colours[i]}" "${points[i]}"
      fi
      i=$((i + 1))
    done
    echo 'NaN notitle'
  } | draw
}

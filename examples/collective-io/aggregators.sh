# SPDX-License-Identifier: BSD-3-Clause
# Sourced by figures 5.9 and 5.10: draws the time over the number of aggregators as a band from the
# minimum to the maximum of the times under the assumptions below, and prints the knee of each
# curve.
#
# The dissertation publishes that a single stream has 285 MB/s (Table 5.2: G = 3.51 ns/B). It does
# not state what limits the stream, where the processes are, and whether there is a file system.
# Name, color, symbol, assumption; `options` prints the options that simulate it.
assumptions='catalog #000000 7 285 MB/s limit what a process sends, and what it receives (catalog)
message #0b6fb8 5 285 MB/s limit each message: a process receives many at a time
nic #d9662b 9 285 MB/s limit a NIC: the 20 processes of a node share it
spread #2e8b57 13 as the catalog, but processes are placed round-robin over the nodes
storage #8c1c8c 11 as the catalog, and the file is written:'

# options ASSUMPTION: its options of `sim run write`. The file system is $storage.
options() {
  case $1 in
    message) echo --set mpi/rank_bandwidth=none --set mpi/bandwidth_factor=0.041774 ;;
    nic) echo --set mpi/rank_bandwidth=none --set link/bandwidth=284.9MBps ;;
    spread) echo --map round-robin ;;
    storage) echo --storage "$storage" ;;
  esac
}

# under_all ARGUMENTS: simulates the job under each assumption.
under_all() {
  local assumption _
  while read -r assumption _; do
    simulate "$@" $(options "$assumption")
  done <<< "$assumptions"
}

# job --platform NAME --procs N --bytes-per-proc SIZE: describes the job for a title.
job() { echo "$2 (56 Gb Ethernet, TCP), $4 processes, $(spaced "$6") each"; }

# numbers RANGE: the numbers of A:B:*K or of a list.
numbers() {
  awk -v range="$1" 'BEGIN {
    n = split(range, part, ":")
    if (n == 1) { gsub(",", " ", range); print range; exit }
    for (x = part[1]; x <= part[2]; x *= substr(part[3], 2)) printf "%d ", x }'
}

# The label of a panel: the knees of its curves. The knees of all curves go to standard error.
knee_label() {
  local where=$1 assumption colour point title found knees=""
  while read -r assumption colour point title; do
    found=$(knee "$where assumption=$assumption")
    echo "$name: $where: $assumption: knee $found" >&2
    knees+="$found "
  done <<< "$assumptions"
  found=$(knee "$where assumption=catalog" model_loggp_s)
  echo "$name: $where: model: knee $found" >&2
  case "$(tr ' ' '\n' <<< "$knees" | sort -u | xargs)" in
    none) echo "no knee: the last doubling still saves 5 % or more on every curve" ;;
    *) echo "knees, in the order of the legend: ${knees% }" | sed 's/flat/none (flat)/g' ;;
  esac
}

# panel "COLUMN=VALUE ..." TITLE: the band and its curves.
panel() {
  local where=$1 title=$2 assumption colour point error width=3 size=2
  error=$(rows "$where" sampling_error | awk '$1 != "NaN" { last = $1 } END { print last }')
  title+=$(awk -v s="$error" \
    'BEGIN { if (s + 0 > 0) printf "  (sampled, error up to %.0f %%)", 100 * s }')
  echo '$band << EOD'
  rows "$where" aggregators time_s | awk '
    !($1 in least) || $2 < least[$1] { least[$1] = $2 }
    $2 > most[$1] { most[$1] = $2 }
    END { for (n in most) print n, least[n], most[n] }' | sort -g
  echo EOD
  while read -r assumption colour point _; do
    series "$assumption" "$where assumption=$assumption" aggregators
  done <<< "$assumptions"
  cat << EOD
set title "$title"
set label 1 "$(knee_label "$where")" at graph 0.02, graph 0.05 font ',10' tc rgb '#444444'
plot \$band using 1:2:3 with filledcurves fc rgb '#e3e3e3' notitle, \\
  \$catalog using 1:3 with lines lc rgb '#777777' dt (12,6) lw 2 notitle, \\
EOD
  while read -r assumption colour point _; do
    echo "  \$$assumption using 1:2 with linespoints lc rgb '$colour' lw $width \\"
    echo "  ps $size pt $point notitle, \\"
    width=1.6 size=$(awk "BEGIN { print $size - 0.25 }")  # so that symbols below stay visible
  done <<< "$assumptions"
  echo '  NaN notitle'
}

# legend TOP: the last panel, up to that height of the screen: explains the band and the curves.
legend() {
  local assumption colour point title
  cat << EOD
unset logscale; unset title; unset label 1; unset border; unset grid
unset tics; unset xlabel; unset ylabel
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set key at screen 0.06, screen $1 left top Left reverse maxrows 7 spacing 1.4 samplen 5 font ',12'
set xrange [0:1]; set yrange [0:1]
plot -1 notitle, keyentry with boxes fs solid border lc rgb '#999999' fc rgb '#e3e3e3' \\
  title 'band: minimum to maximum over the five assumptions', \\
EOD
  while read -r assumption colour point title; do
    [ "$assumption" != storage ] || title+=" $storage_title"
    echo "  keyentry with linespoints lc rgb '$colour' lw 2 ps 1.2 pt $point title '$title', \\"
  done <<< "$assumptions"
  echo "  keyentry with lines lc rgb '#777777' dt (12,6) lw 2 \\"
  echo "  title 'model of the dissertation, eq. 5.3 (without nodes and file system)'"
}

# The panels, from left to right: partitioning, decomposition.
panels='even 1d
even 2d
static 1d'

# aggregator_picture TITLE: draws a panel for each pair with rows, and the legend below.
aggregator_picture() {
  local partitioning decomposition count=0 i=0 size shown="" bottom=0.31
  while read -r partitioning decomposition; do
    [ -n "$(rows "partitioning=$partitioning decomposition=$decomposition" procs)" ] || continue
    shown+="$partitioning $decomposition"$'\n'
    count=$((count + 1))
  done <<< "$panels"
  size=$((200 + count * 500)),700
  {
    cat << EOD
@count_tics
set logscale y
set ylabel 'time (s)'
unset key
set tmargin 3
set offsets graph 0.05, graph 0.05, 0, 0
set yrange [$(rows "" time_s | awk 'NR == 1 { printf "%g:", $1 / 2 } END { print $1 * 1.5 }')]
set multiplot title "$1" font ',14'
set size 1.0 / $count, 0.6
EOD
    while read -r partitioning decomposition; do
      [ -n "$partitioning" ] || continue
      echo "set origin $i.0 / $count, $bottom"
      panel "partitioning=$partitioning decomposition=$decomposition" \
        "${decomposition/d/-D}, $partitioning domains"
      i=$((i + 1))
    done <<< "$shown"
    echo "set origin 0, 0; set size 1, $bottom"
    legend $bottom
    echo 'unset multiplot'
  } | draw
}

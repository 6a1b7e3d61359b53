# SPDX-License-Identifier: BSD-3-Clause
# Sourced by figures 5.11 and 5.12: times relative to those of the smallest number of aggregators.

# normalised_curves NAME TITLE COLOUR POINT: curves of the decomposition named by the title.
normalised_curves() {
  local decomposition=${2/-D/d}
  curves "$@" $(rows "decomposition=$decomposition" aggregators time_s model_loggp_s | first_times)
}

# normalised_picture NUMBER JOB: draws the figure with this number; JOB describes the job in its
# title.
normalised_picture() {
  local size=1000,760
  {
    series one decomposition=1d aggregators
    series two decomposition=2d aggregators
    cat << EOD
set title "Figure $1: time relative to that with 4 aggregators\n\
crill (DDR InfiniBand), $2, buffer 32 MiB"
@count_tics
set yrange [0:*]
set ylabel 'time / time with 4 aggregators'
plot \\
EOD
    normalised_curves one 1-D '#0b3c8c' 7
    normalised_curves two 2-D '#d9662b' 5
    echo "NaN notitle"
  } | draw
}

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes a page of each command's section of sim.1, so that `man sim-replay` opens at what one wants
# to know. The text is sim.1's.
#   split_manual.sh MANUAL FOLDER
set -euo pipefail
manual=$1
folder=$2
mkdir -p "$folder"

# page name, section of sim.1, what the page is about
page() {
  local file=$folder/$1.1
  {
    echo '.\" SPDX-License-Identifier: BSD-3-Clause'
    echo ".TH ${1^^} 1 \"\" \"Tutti\" \"User commands\""
    echo ".SH NAME"
    echo "${1//-/\\-} \\- $3"
    echo ".SH DESCRIPTION"
    awk -v wanted="$2" '
      /^\.SH / { name = $0; sub(/^\.SH /, "", name); gsub(/"/, "", name); inside = name == wanted
                 if (inside) found = 1; next }
      inside { sub(/^\.SS /, ".SH "); print }
      END { if (!found) { print "no section " wanted > "/dev/stderr"; exit 1 } }' "$manual"
    echo ".SH SEE ALSO"
    echo ".BR sim (1),"
    echo "which has numbers and units, platform keys, reports, files and exit codes."
  } > "$file"
}

page sim-run "OPTIONS OF RUN" "simulate a collective"
page sim-run-io "COLLECTIVE I/O" "simulate collective I/O in two phases"
page sim-run-messages "MESSAGES BETWEEN TWO NODES" "simulate messages, measure LogGP parameters"
page sim-platform "SIM PLATFORM" "look at machines, and make some"
page sim-sweep "STUDIES" "run a study: many points, kept in a store"
page sim-store "SIM STORE" "look after stores of results"
page sim-export "SIM EXPORT" "write the points of a store as a table"
page sim-validate "SIM VALIDATE" "models and papers against simulations"
page sim-fit "SIM FIT" "machines and models of algorithms from times"
page sim-select "SIM SELECT" "choose algorithms, by models or as rules"
page sim-params "SIM PARAMS" "keep and hand out personal settings"
page sim-tune "SIM TUNE" "search for the best parameters"
page sim-guidelines "SIM GUIDELINES" "collectives beside their mock-ups"
page sim-fireworks "SIM FIREWORKS" "what a busy node costs, and orders of nodes"
page sim-replay "SIM REPLAY" "traces, changed and replayed"
page sim-plot "PICTURES AND COMPARISONS" "pictures, pages and comparisons of results"
page sim-completion "COMPLETION" "completion of bash and zsh"

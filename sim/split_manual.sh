#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes a page of each section of the manual that begins with a line `.\" page NAME ABOUT WHAT`, so
# that `man sim-replay` opens at what one wants to know.
#   split_manual.sh MANUAL FOLDER
set -euo pipefail
mkdir -p "$2"
awk -v folder="$2" '
  function finish() {
    if (file == "") return
    print ".SH SEE ALSO\n.BR sim (1)," > file
    print "which has numbers and units, platform keys, reports, files and exit codes." > file
    close(file)
    file = ""
  }
  /^\.SH / { finish(); next }
  /^\.\\" page / {
    name = $3
    about = substr($0, index($0, name) + length(name) + 1)
    file = folder "/" name ".1"
    print ".\\\" SPDX-License-Identifier: BSD-3-Clause" > file
    print ".TH " toupper(name) " 1 \"\" \"Tutti\" \"User commands\"\n.SH NAME" > file
    gsub("-", "\\-", name)
    print name " \\- " about "\n.SH DESCRIPTION" > file
    next
  }
  file != "" { sub(/^\.SS /, ".SH "); print > file }
  END { finish() }' "$1"

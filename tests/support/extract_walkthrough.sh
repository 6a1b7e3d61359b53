#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Extracts the sources that READMEs show: a block "```cpp FILE" is a new file; "```diff FILE" adds
# its lines with "+" to the project's file, after the line above them. Files are written below
# FOLDER, and only if their text has changed.
#   extract_walkthrough.sh PROJECT FOLDER README...
set -euo pipefail
project=$(realpath "$1")
folder=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for readme in "$@"; do
  awk -v work="$work" '
    /^```(cpp|diff) / { kind = substr($1, 4); file = work "/" $2
      if (kind == "diff") file = file ".diff"
      folder = file; sub("/[^/]*$", "", folder); system("mkdir -p " folder)
      next }
    /^```/ { kind = "" }
    kind != "" { print > file }' "$readme"
done

# Adds lines to "$1" of the project.
patched() {
  awk '
    function bare(line) { sub("^ +", "", line); return line }
    NR == FNR {
      if (substr($0, 1, 1) == "+") added[place] = added[place] substr($0, 2) "\n"
      else if ($0 ~ /^ /) { place = bare($0); wanted[place] = 1 }
      next
    }
    { print; if (bare($0) in added) { printf "%s", added[bare($0)]; delete added[bare($0)] } }
    END { for (place in added) { print "no such line: " place > "/dev/stderr"; exit 1 } }
  ' "$work/$1.diff" "$project/$1"
}

cd "$work"
find . -name '*.diff' | while read -r diff; do
  file=${diff%.diff}
  patched "$file" > "$file"
  rm "$diff"
done
find . -type f | while read -r file; do
  mkdir -p "$(dirname "$folder/$file")"
  cmp -s "$file" "$folder/$file" || cp "$file" "$folder/$file"
done

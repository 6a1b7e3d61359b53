#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Lists the sources in sim/ that include one of the headers, directly or not.
#   includers.sh PROJECT HEADER...
set -euo pipefail
cd "$1"
shift
found=$(printf '%s\n' "$@")
while true; do
  includes=$(sed 's/.*/#include "&"/' <<< "$found")
  includers=$(grep -rlF --include='*.[ch]pp' "$includes" sim || true)
  more=$(printf '%s\n' "$found" "$includers" | sort -u | sed '/^$/d')
  [ "$more" = "$found" ] && break
  found=$more
done
grep '\.cpp$' <<< "$found"

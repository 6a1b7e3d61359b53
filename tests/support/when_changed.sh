#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a long test only if files that it depends on have changed since it passed; otherwise skips it
# (exit code 77). tests/passed.txt, which is committed, has a line for each such test: its name and
# the checksum of the files. A test that passes renews its line.
#   when_changed.sh TEST PATH... -- COMMAND...     paths as `git ls-files` takes them
# TUTTI_ALL_TESTS=1 runs the test in any case, as tests/nightly.sh does. Without git it always runs.
set -uo pipefail
test=$1
shift
paths=()
while [ "$1" != -- ]; do
  paths+=("$1")
  shift
done
shift
cd "$(dirname "$0")/../.."
passed=tests/passed.txt

checksum() {
  git ls-files -z -- "${paths[@]}" | xargs -0 sha256sum 2> /dev/null | sha256sum | cut -c1-16
}
if ! git rev-parse --git-dir > /dev/null 2>&1; then
  exec "$@"
fi
line="$test $(checksum)"
if [ "${TUTTI_ALL_TESTS:-}" != 1 ] && grep -qxF -- "$line" "$passed"; then
  echo "skipped: no file in ${paths[*]} has changed since it passed (TUTTI_ALL_TESTS=1 runs it)"
  exit 77
fi
(cd "$OLDPWD" && "$@")
code=$?
[ "$code" = 0 ] || exit "$code"
{
  flock 9
  { grep -v -- "^$test " "$passed"; echo "$line"; } | LC_ALL=C sort > "$passed.new"
  cat "$passed.new" > "$passed"
  rm "$passed.new"
} 9>> "$passed"

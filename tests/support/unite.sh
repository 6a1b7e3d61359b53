#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Writes one C++ file that compiles several test files together, which saves most of the time for
# their headers. Each test file gets its own namespace, so names of its helpers are unrestricted.
#   tests/support/unite.sh OUTPUT FILE...
# The headers of all files come first, outside the namespaces; the files' own includes then have no
# effect. A test file therefore keeps its includes at its top and opens no namespace tutti.
set -euo pipefail
output=$1
shift
{
  grep -hE '^#(include|if|ifdef|ifndef|else|elif|endif)' "$@"
  for file in "$@"; do
    name=$(basename "$file" .cpp)
    printf 'namespace %s {\n#include "%s"\n}\n' "$name" "$file"
  done
} > "$output"

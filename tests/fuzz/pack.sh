#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Packs inputs into the corpora, each an archive corpus/TARGET.tar.gz.
#   tests/fuzz/pack.sh TARGET FILE...    adds the files to the corpus of the target
#   tests/fuzz/pack.sh TARGET FOLDER     makes the folder's files the corpus
set -euo pipefail
[ $# -ge 2 ] || { sed -n '4,5s/^# *//p' "$0" >&2; exit 2; }
archive=$(cd "$(dirname "$0")" && pwd)/corpus/$1.tar.gz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -d "$2" ]; then
  cp "$2"/* "$work"
else
  [ ! -f "$archive" ] || tar -xzf "$archive" -C "$work"
  cp "${@:2}" "$work"
fi
# Equal inputs make equal archives.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=0644 -c -C "$work" . |
  gzip -n9 > "$archive"

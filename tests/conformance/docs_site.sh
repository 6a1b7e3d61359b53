#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The documentation builds, its links resolve, it makes no network requests, and its search finds
# options and columns.
#   tests/conformance/docs_site.sh SIM [FOLDER]   keeps the site in FOLDER
# Exit 77 (skipped) if python3-markdown or mandoc is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
sim=$1
if ! /usr/bin/python3 -c 'import markdown' 2> /dev/null || ! command -v mandoc > /dev/null; then
  echo "skipped: python3-markdown or mandoc is not installed (tests/run.sh --full installs them)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
site=${2:-$work/site}

"$root_dir/docs/build" -o "$site" --sim "$sim"

export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root_dir/docs/site
/usr/bin/python3 - "$site" "$root_dir" << 'PYTHON'
import json, pathlib, shutil, sys
import links
from markdown_pages import markdown_files, page_path

site, root = map(pathlib.Path, sys.argv[1:])
assert links.problems_of(site) == []
for file in markdown_files(root):
    assert (site / page_path(file)).is_file(), f"no page of {file}"

index = (site / "search-index.js").read_text()
entries = json.loads(index[index.index("["):index.rindex("]") + 1])
found = {(entry["t"], entry["k"]) for entry in entries}
names = {(name, entry["k"]) for entry in entries for name in entry["t"].replace(",", "").split()}
for text, kind in [("time_s", "column"), ("message_bytes", "column"), ("sim fit", "command"),
                   ("mpi/eager_limit", "key"), ("crill", "platform"),
                   ("bcast binomial", "algorithm")]:
    assert (text, kind) in found, (text, kind)
for option in ["--message-size", "--procs", "--oversubscription"]:
    assert (option, "option") in names, option

# The check detects these problems.
for text, problem in [('<a href="none.html">', "broken link"), ('<a href="#none">', "no heading"),
                      ('<img src="https://example.org/a.png">', "from a network"),
                      ('<script src="//example.org/a.js"></script>', "from a network")]:
    page = site / "changed.html"
    page.write_text(text)
    assert any(problem in each for each in links.problems_of(site)), text
    page.unlink()
PYTHON

# The search in a real browser, on a page opened as a file.
if command -v chromium > /dev/null; then
  for asked in "--message-size option" "time_s column" "eager_limit key"; do
    read -r words kind <<< "$asked"
    chromium --headless=new --no-sandbox --disable-gpu --disable-background-networking \
      --user-data-dir="$work/profile" --dump-dom "file://$site/index.html?q=$words" \
      2> /dev/null > "$work/page.html"
    if ! grep -q "<a [^>]*><b>[^<]*$words[^<]*</b><i>$kind</i>" "$work/page.html"; then
      echo "the search for $words finds no $kind" >&2
      exit 1
    fi
  done
fi

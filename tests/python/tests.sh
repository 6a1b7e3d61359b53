#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The tests of the Python package, with the program of TUTTI_SIM. Exit 77 (skipped) if Debian's
# modules are not installed.
#   tests/python/tests.sh [ARGUMENT OF pytest]...
set -euo pipefail
cd "$(dirname "$0")"
if ! /usr/bin/python3 -c 'import matplotlib, pandas, pytest' 2> /dev/null; then
  echo "skipped: needs python3-pandas, python3-matplotlib and python3-pytest (tests/run.sh)"
  exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 -m pytest -q -p no:cacheprovider -W error . "$@"

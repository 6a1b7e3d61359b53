#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Executes the notebook of examples/python/ with the program of TUTTI_SIM, and compares the text of
# its outputs with the stored text. UPDATE=1 stores the new outputs.
# Exit 77 (skipped) if Debian's modules are not installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! /usr/bin/python3 -c 'import ipykernel, matplotlib, nbclient, pandas' 2> /dev/null; then
  echo "skipped: needs python3-nbclient, python3-ipykernel and python3-pandas (tests/run.sh)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD/python TMPDIR=$work IPYTHONDIR=$work
export MPLCONFIGDIR=$work JUPYTER_RUNTIME_DIR=$work JUPYTER_DATA_DIR=$work PATH=/usr/bin:$PATH
/usr/bin/python3 tests/python/run_notebook.py examples/python/your-own-algorithm.ipynb

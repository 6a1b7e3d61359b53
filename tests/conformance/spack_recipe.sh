#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Spack recipe is valid Python for Spack's directives, and names the packages that CMake needs.
# Exit 77 (skipped) if Python is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v python3 > /dev/null; then
  echo "skipped: python3 is not installed (tests/run.sh --full installs it)"
  exit 77
fi
python3 "$root_dir/tests/support/check_spack_recipe.py" "$root_dir"

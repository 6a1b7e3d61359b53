#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Spack recipe is Python that Spack's directives can take, and names what CMake asks for.
# Exit 77 (skipped) where Python is not installed.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v python3 > /dev/null; then
  echo "skipped: python3 is not installed (tests/run.sh --full installs it)"
  exit 77
fi
python3 "$root_dir/tests/support/check_spack_recipe.py" "$root_dir"

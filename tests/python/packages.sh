#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the wheel and the Debian package of the Python package, installs the wheel in a virtual
# environment, uses it, and checks the contents of the Debian package.
# Exit 77 (skipped) if Debian's modules are not installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! /usr/bin/python3 -c 'import setuptools, wheel, pip, venv, pandas' 2> /dev/null ||
  ! command -v dpkg-deb > /dev/null; then
  echo "skipped: needs python3-pip, python3-venv, python3-wheel and python3-pandas (tests/run.sh)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "packages.sh: $*" >&2; exit 1; }

packaging/build-python.sh "$work" > "$work/log" || fail "$(cat "$work/log")"
wheel=$(ls "$work"/tutti-*-py3-none-any.whl)
/usr/bin/python3 -m venv --system-site-packages --without-pip "$work/venv"
/usr/bin/python3 -m pip --disable-pip-version-check --python "$work/venv/bin/python" install -q \
  --no-index --no-deps "$wheel" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
cd "$work"
unset PYTHONPATH
"$work/venv/bin/python" - "$work/venv" << 'PYTHON'
import sys
import tutti
assert tutti.__file__.startswith(sys.argv[1]), tutti.__file__
table = tutti.run("bcast", platform="crill", procs=4, message_size="1KiB")
assert table["time_s"].iloc[0] > 0
PYTHON

package=$(ls "$work"/python3-tutti_*_all.deb)
dpkg-deb -I "$package" > info
for line in 'Depends: tutti (>= 0' 'python3-pandas' 'Recommends: python3-matplotlib' \
  'Architecture: all'; do
  grep -qF "$line" info || fail "the control file lacks '$line'"
done
dpkg-deb -c "$package" > contents
for file in lib/python3/dist-packages/tutti/__init__.py lib/python3/dist-packages/tutti/py.typed \
  share/doc/python3-tutti/copyright share/doc/python3-tutti/README.md; do
  grep -qF "./usr/$file" contents || fail "the package lacks /usr/$file"
done
! grep -q __pycache__ contents || fail "the package contains compiled files"
! grep -vq 'root/root' contents || fail "files of the package do not belong to root"
# The program of the same installation is found without the environment.
dpkg-deb -x "$package" tree
mkdir -p tree/usr/bin
printf '#!/bin/sh\n' > tree/usr/bin/sim
chmod +x tree/usr/bin/sim
found=$(env -u TUTTI_SIM PYTHONPATH=tree/usr/lib/python3/dist-packages /usr/bin/python3 -c \
  'import tutti; print(tutti.program())')
[ "$found" = "$(realpath tree/usr/bin/sim)" ] || fail "the package runs '$found'"

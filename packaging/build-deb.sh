#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Debian package of this version: installs what building needs, builds, packs.
#   packaging/build-deb.sh [FOLDER]     default: build/packages
# It prints the command that installs the package, which takes some seconds on any Debian 12.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../build/packages}")
cd "$(dirname "$0")/.."
source tests/support/packages.sh

ensure_packages "${build_packages[@]}" file dpkg-dev
cmake --preset release > /dev/null
cmake --build --preset release --target installed
mkdir -p "$folder"
log=$(cpack --config build/release/CPackConfig.cmake -G DEB -B "$folder" 2>&1) ||
  { echo "$log" >&2; exit 1; }
package=$(sed -n 's/.*package: \(.*\.deb\) generated\.$/\1/p' <<< "$log")
echo "to install it: apt install $package"

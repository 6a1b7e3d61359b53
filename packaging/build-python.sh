#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Python package: a wheel, and the Debian package python3-tutti. Needs no network.
#   packaging/build-python.sh [FOLDER]     default: build/packages
# It prints the commands that install them.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../build/packages}")
cd "$(dirname "$0")/.."
source tests/support/packages.sh
ensure_packages "${python_packages[@]}" dpkg-dev

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

# A copy, because setuptools writes next to the sources.
cp -r python "$work/source"
find "$work/source" -name __pycache__ -prune -exec rm -r {} +
cp LICENSE "$work/source/"
quietly /usr/bin/python3 -m pip --disable-pip-version-check wheel --no-index --no-deps \
  --no-build-isolation --wheel-dir "$work/wheel" "$work/source"
wheel=$(basename "$work"/wheel/tutti-*.whl)
cp "$work/wheel/$wheel" "$folder/"

version=$(cut -d- -f2 <<< "$wheel")
revision=$(sed -n '1s/.*(\(.*\)).*/\1/p' packaging/debian/changelog)
[ "${revision%-*}" = "$version" ] ||
  { echo "packaging/build-python.sh: version $version, debian/changelog $revision" >&2; exit 1; }
stage=$work/stage
modules=$stage/usr/lib/python3/dist-packages
docs=$stage/usr/share/doc/python3-tutti
mkdir -p "$modules" "$docs" "$stage/DEBIAN"
/usr/bin/python3 -m zipfile -e "$folder/$wheel" "$modules"
rm -f "$modules"/tutti-*.dist-info/RECORD
cp python/README.md "$docs/"
gzip -9n < packaging/debian/changelog > "$docs/changelog.Debian.gz"
{
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n'
  printf 'Upstream-Name: Tutti\n\nFiles: *\nCopyright: 2026, the Tutti authors\n'
  printf 'License: BSD-3-Clause\n'
  sed 's/^ *$/./; s/^/ /' LICENSE
} > "$docs/copyright"
cat > "$stage/DEBIAN/control" << CONTROL
Package: python3-tutti
Version: $revision
Architecture: all
Maintainer: The Tutti authors <tutti@example.org>
Section: python
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Depends: tutti (>= $version), python3 (>= 3.11), python3-pandas
Recommends: python3-matplotlib
Suggests: jupyter-notebook
Description: predicted run times of MPI collectives as pandas tables
 Runs the simulator of the package tutti from Python: results are pandas tables
 with units and provenance, figures need one call. Algorithms of collectives are
 written as Python generators, proven to deliver the right data, and timed on
 machines of the catalog.
CONTROL
cat > "$stage/DEBIAN/postinst" << 'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = configure ] && command -v py3compile > /dev/null; then
  py3compile -p python3-tutti
fi
SCRIPT
cat > "$stage/DEBIAN/prerm" << 'SCRIPT'
#!/bin/sh
set -e
if command -v py3clean > /dev/null; then
  py3clean -p python3-tutti
fi
SCRIPT
chmod -R u=rwX,go=rX "$stage"
chmod 755 "$stage"/DEBIAN/postinst "$stage"/DEBIAN/prerm
package=$folder/python3-tutti_${revision}_all.deb
quietly dpkg-deb --root-owner-group --build "$stage" "$package"
echo "to install it: apt install $package"
echo "or, in a virtual environment: pip install $folder/$wheel"

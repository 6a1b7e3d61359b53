#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian package on a clean Debian 12: apt installs it with its dependencies, it runs
# simulations on both engines, and apt removes it completely.
#   tests/conformance/debian_package.sh SIM
# Exit 77 (skipped) if a clean Debian cannot be created.
set -euo pipefail
sim=$1
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
source "$root_dir/tests/support/debian_chroot.sh"
need_debian_chroot
make_debian_chroot

cpack --config "$(dirname "$sim")/CPackConfig.cmake" -G DEB -B "$chroot_dir/cpack" > /dev/null 2>&1
package=$(basename "$chroot_dir"/cpack/*.deb)
mv "$chroot_dir/cpack/$package" "$chroot_dir/root/"
rm -rf "$chroot_dir/cpack"

outside=$(dpkg-deb --fsys-tarfile "$chroot_dir/root/$package" | tar t | grep -v '^\./usr/' || true)
[ -z "$outside" ] || { echo "outside /usr: $outside"; exit 1; }
if command -v lintian > /dev/null; then
  lintian --allow-root --fail-on error "$chroot_dir/root/$package"
fi

in_debian apt-get install -y -qq --no-install-recommends "/root/$package" \
  > "$chroot_dir/tmp/apt" 2>&1 || { cat "$chroot_dir/tmp/apt"; exit 1; }
in_debian dpkg --verify tutti
gunzip --stdout "$chroot_dir/usr/share/man/man1/sim.1.gz" | grep '^\.SH STUDIES' > /dev/null

in_debian sim run bcast --platform crill --procs 576 > "$chroot_dir/tmp/main"
grep -E '^1048576 ' "$chroot_dir/tmp/main"
for engine in simgrid flow; do
  in_debian sh -c "cd /tmp && sim run bcast --platform crill --procs 576 --message-size 1KiB:1MiB \
    --engine $engine --format csv --no-cost" > "$chroot_dir/tmp/$engine.csv"
  "$sim" run bcast --platform crill --procs 576 --message-size 1KiB:1MiB --engine "$engine" \
    --format csv --no-cost | diff - "$chroot_dir/tmp/$engine.csv"
done

# Folders of other packages stay.
in_debian dpkg --listfiles tutti | grep -E 'tutti|[^/]*\.[^/]*$|/bin/sim' > "$chroot_dir/tmp/packed"
in_debian apt-get purge -y -qq tutti > /dev/null 2>&1
left=$(while read -r file; do
  [ ! -e "$chroot_dir$file" ] || echo "$file"
done < "$chroot_dir/tmp/packed")
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "$package: $(wc -l < "$chroot_dir/tmp/packed") files were installed and removed"

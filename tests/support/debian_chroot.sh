# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests that need a clean Debian: creates one in a folder, from the package sources of
# this machine's apt. Sets `chroot_dir`, which is removed at the end.

# Ends the test as skipped (77) if a clean Debian cannot be created.
need_debian_chroot() {
  local tool
  for tool in debootstrap unshare chroot; do
    command -v "$tool" > /dev/null && continue
    echo "skipped: $tool is not installed (tests/run.sh --full installs it)"
    exit 77
  done
  if [ "$(id -u)" -ne 0 ] || ! unshare --mount --pid --fork true 2> /dev/null; then
    echo "skipped: only root can create a clean Debian in a folder"
    exit 77
  fi
  if [ -z "$(debian_sources | grep ' bookworm ')" ]; then
    echo "skipped: this machine's apt has no sources for Debian 12"
    exit 77
  fi
}

# Lines for apt's sources.list: this machine's own for Debian 12; for another release ($1), the same
# without updates.
debian_sources() {
  if [ "${1:-bookworm}" != bookworm ]; then
    debian_sources | awk -v suite="$1" '$3 == "bookworm" { $3 = suite; print }'
    return
  fi
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | grep -E ' bookworm(-updates|-security)? ' | sort -u
}

# Creates Debian 12, or the release $1.
make_debian_chroot() {
  local suite=${1:-bookworm}
  chroot_dir=$(mktemp -d)
  trap 'rm -rf --one-file-system "$chroot_dir"' EXIT
  chmod 755 "$chroot_dir"  # apt fetches as a different user
  debootstrap --variant=minbase "$suite" "$chroot_dir" \
    "$(debian_sources | awk '$3 == "bookworm" { print $2; exit }')" > "$chroot_dir.log" 2>&1 || {
    cat "$chroot_dir.log"
    exit 1
  }
  rm "$chroot_dir.log"
  debian_sources "$suite" > "$chroot_dir/etc/apt/sources.list"
  echo force-unsafe-io > "$chroot_dir/etc/dpkg/dpkg.cfg.d/no-waiting-for-disks"
  # Proxies and other access settings.
  apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-)' \
    > "$chroot_dir/etc/apt/apt.conf.d/90from-outside" || true
  cp /etc/resolv.conf "$chroot_dir/etc/resolv.conf"
  in_debian apt-get update -qq > /dev/null
}

# Runs a command in the clean Debian; its mounts and processes end with the command.
in_debian() {
  unshare --mount --pid --fork --mount-proc="$chroot_dir/proc" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    DEBIAN_FRONTEND=noninteractive chroot "$chroot_dir" "$@"
}

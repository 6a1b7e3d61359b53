#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Follows README.md as a new user on a clean Debian 12: install, simulate, create a machine from OSU
# files, a sweep with a report, a rules file for Open MPI, an added algorithm with its tests. All
# other software comes from apt. Takes half an hour on two cores: it builds without a compiler
# cache.
#   tests/slow/new_user_path.sh
# NEW_USER_CCACHE=FOLDER: compiles with a copy of this ccache cache, to save time.
# Exit 77 (skipped) if a clean Debian cannot be created.
set -euo pipefail
root_dir=$(cd "$(dirname "$0")/../.." && pwd)
source "$root_dir/tests/support/debian_chroot.sh"
need_debian_chroot
make_debian_chroot
here=$chroot_dir/tmp

mkdir "$chroot_dir/root/tutti"
git -C "$root_dir" archive HEAD | tar x -C "$chroot_dir/root/tutti"

compiler=
if [ -n "${NEW_USER_CCACHE:-}" ]; then
  in_debian apt-get install -y -qq --no-install-recommends ccache > /dev/null 2>&1
  cp -r "$NEW_USER_CCACHE" "$chroot_dir/root/ccache"
  compiler="CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_DIR=/root/ccache CCACHE_BASEDIR=/root
    CCACHE_NOHASHDIR=1"
fi

step() { echo "== $* ($(date +%T))"; }
# Commands of the user's shell, in the source folder; the first failure ends the test.
stranger() {
  in_debian env $compiler nice -n 10 bash -e -o pipefail -c \
    'cd ~/tutti && export PATH=~/.local/bin:$PATH && '"$1"
}

step "two commands do everything: the first"
# The output equals that of README.md, which omits some lines.
sed -n '/^\$ sim run bcast --platform crill.xml --procs 576$/,/^```$/p' "$root_dir/README.md" |
  grep -E '^[0-9]+ ' > "$here/expected"
[ "$(wc -l < "$here/expected")" -ge 5 ]
as_in_readme() {
  grep -vxFf "$1" "$here/expected" || return 0
  echo "these lines of README.md were not printed"
  return 1
}
stranger examples/quickstart.sh > "$here/main" || { tail -50 "$here/main"; exit 1; }
as_in_readme "$here/main"

step "cmake --install"
stranger 'cmake --install build/release --prefix ~/.local > /dev/null'
stranger 'cd / && sim run bcast --platform crill.xml --procs 576' > "$here/installed"
as_in_readme "$here/installed"

step "an own machine from OSU's files"
cat > "$chroot_dir/root/tutti/latency.txt" << 'OSU'
# OSU MPI Latency Test v5.9
# Size          Latency (us)
1                        15.81
2                        15.81
4                        15.82
8                        15.85
16                       15.89
32                       15.98
64                       16.16
128                      16.52
256                      17.25
512                      18.69
1024                     21.58
2048                     27.36
4096                     38.92
8192                     62.04
16384                    68.94
32768                    82.75
65536                   110.35
131072                  195.56
262144                  305.99
524288                  526.83
1048576                 968.52
2097152                1851.91
4194304                3618.67
OSU
cat > "$chroot_dir/root/tutti/bandwidth.txt" << 'OSU'
# OSU MPI Bandwidth Test v5.9
# Size      Bandwidth (MB/s)
1                         1.12
2                         2.23
4                         4.42
8                         8.69
16                       16.80
32                       31.47
64                       55.84
128                      91.15
256                     133.29
512                     173.36
1024                    204.02
2048                    223.82
4096                    235.23
8192                    241.39
16384                   481.24
32768                   956.43
65536                  1163.63
131072                  986.79
262144                 1077.68
524288                 1129.70
1048576                1157.64
2097152                1172.14
4194304                1179.52
OSU
stranger 'sim fit platform latency.txt bandwidth.txt -o mine.xml --nodes 64 --like crill'
stranger 'sim platform check mine.xml -q'
stranger 'sim fit platform --check latency.txt --platform mine.xml' | grep 'median error'
stranger 'sim run allreduce --platform mine.xml --procs 64 --ppn 1 --message-size 1KiB,1MiB'

step "a sweep with a report"
sed -n '/^```toml study.toml$/,/^```$/p' "$root_dir/README.md" | sed '/^```/d' \
  > "$chroot_dir/root/tutti/study.toml"
stranger 'sim sweep study.toml --dry-run
  sim sweep study.toml
  sim report study.db -o bcast.html
  test -s bcast.html
  sim plot study.db -o bcast.svg'

step "a rules file for Open MPI"
stranger 'sim select rules --platform mine.xml --procs 8,16,32 --ppn 1 \
    --collective bcast,allreduce --message-size 1KiB:1MiB:*8 -o mine.rules
  sim run bcast --platform mine.xml --procs 32 --ppn 1 --algorithm auto:rules=mine.rules,auto:best \
    --message-size 1KiB,64KiB,1MiB'

step "an algorithm of one's own, with its tests: algorithms/README.md"
sed -n '/^```sh walkthrough$/,/^```$/p' "$root_dir/algorithms/README.md" | sed '/^```/d' \
  > "$chroot_dir/root/tutti/walkthrough.sh"
stranger 'tests/support/extract_walkthrough.sh . . algorithms/README.md
  cmake --build --preset release --target sim model_tests > /dev/null
  export PATH=$PWD/build/release:$PATH
  bash -e walkthrough.sh | grep -w direct
  ctest --preset release -R "^model\.(moved_delivery|message_count)_test"'

step "done"

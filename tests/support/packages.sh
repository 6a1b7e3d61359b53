# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the scripts that build, test and package: the Debian packages that they need.

build_packages=(g++ cmake ninja-build libsimgrid-dev libboost-graph-dev libtomlplusplus-dev
  doctest-dev libcli11-dev libfmt-dev nlohmann-json3-dev libpugixml-dev libsqlite3-dev libxxhash-dev
  zlib1g-dev libjs-vega libeigen3-dev libopen-trace-format2-dev)
# Draw the pictures of `sim plot`.
picture_packages=(nodejs librsvg2-bin)
# Draws the figures of examples/collective-io/.
figure_packages=(gnuplot-nox)
# For tests only: GSL (under the GPL) to check fits, a shell with completion, a locale with a
# decimal comma.
test_packages=(libgsl-dev coinor-libclp-dev zsh locales)
# python/: the package `tutti` for Python, its tests and its notebook.
python_packages=(python3 python3-pandas python3-matplotlib python3-numpy python3-pytest
  python3-nbclient python3-nbconvert python3-ipykernel python3-setuptools python3-wheel python3-pip
  python3-venv)
# Other programs for conformance tests: tests/run.sh --full.
conformance_packages=(openmpi-bin libopenmpi-dev mpich libmpich-dev otf2-tools eztrace chromium
  python3 python3-jsonschema)
# docs/build: the documentation as HTML.
docs_packages=(python3 python3-markdown mandoc)
# A clean Debian, nodes in namespaces, and Slurm: tests/nightly.sh.
outside_packages=(slurm-wlm munge debootstrap iproute2 lintian file dpkg-dev time)
# Fuzz targets: clang 14 cannot build coroutines with GCC 12's library; llvm-16 has the symbolizer
# for reports. tests/nightly.sh.
fuzz_packages=(clang-16 libclang-rt-16-dev llvm-16)

# Prints the output of the command only if it fails.
quietly() {
  local log
  log=$(mktemp)
  "$@" > "$log" 2>&1 || { cat "$log" >&2; rm "$log"; return 1; }
  rm "$log"
}

# Installs the named packages that are missing; calls apt only if there are any.
ensure_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2> /dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "installing: ${missing[*]}" >&2
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  export DEBIAN_FRONTEND=noninteractive
  quietly "${as_root[@]}" apt-get update -qq &&
    quietly "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

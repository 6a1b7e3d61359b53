#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the fuzz targets and runs each for some time on a copy of its corpus.
#   tests/fuzz/run.sh [--seconds N] [--jobs N] [--grow FOLDER] [TARGET...]
# --seconds 0 runs only the inputs of the corpora.
# TARGET: units, platform, ... (default: all). --grow adds new inputs to FOLDER/TARGET; to
# merge them into the corpus:
#     mkdir all && tar -xzf tests/fuzz/corpus/TARGET.tar.gz -C all
#     build/fuzz/TARGET_fuzz -merge=1 -use_counters=0 all FOLDER/TARGET
#     tests/fuzz/pack.sh TARGET all
# Prints a line per target. Exit code 1 if one found a failure: the input is kept, and the command
# that reproduces it is printed.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=30
jobs=$(nproc)
grow=""
targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds | --jobs | --grow)
      [ $# -ge 2 ] || { echo "tests/fuzz/run.sh: $1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"
      shift
      ;;
    -*)
      echo "tests/fuzz/run.sh: unknown option '$1' (there are --seconds, --jobs, --grow)" >&2
      exit 2
      ;;
    *) targets+=("$1") ;;
  esac
  shift
done
command -v clang++-16 > /dev/null || { echo "clang++-16 is not installed" >&2; exit 77; }
if [ ${#targets[@]} -eq 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do
    name=$(basename "$source")
    targets+=("${name%_fuzz.cpp}")
  done
fi
for target in "${targets[@]}"; do
  [ -f "tests/fuzz/${target}_fuzz.cpp" ] && continue
  echo "tests/fuzz/run.sh: unknown target '$target'" >&2
  exit 2
done

# Prints output only on failure.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
  rm "$log"
}
quietly cmake --preset fuzz
quietly cmake --build --preset fuzz --target "${targets[@]/%/_fuzz}"

found=build/fuzz/found
mkdir -p "$found"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The text before the function's name in a report.
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-16 || command -v llvm-symbolizer || true)
export ASAN_SYMBOLIZER_PATH UBSAN_OPTIONS=print_stacktrace=1

# The number after the last occurrence of a word in the log, or the first (`head`).
number_in() { grep -oE "$2: +[0-9]+" "$1" | "${3:-tail}" -n 1 | grep -oE '[0-9]+$' || echo 0; }

fuzz() {
  local target=$1 corpus="${grow:-$work}/$1" log="$work/$1.log" options=() failed=0 first last
  local stored=$work/stored/$1
  mkdir -p "$corpus" "$stored"
  if [ -d "tests/fuzz/corpus/$target" ]; then
    cp "tests/fuzz/corpus/$target"/* "$stored"
  else
    tar -xzf "tests/fuzz/corpus/$target.tar.gz" -C "$stored"
  fi
  [ -f "tests/fuzz/$target.dict" ] && options+=("-dict=$PWD/tests/fuzz/$target.dict")
  # A fixed seed: a change must not fail because a random input finds a bug in old code.
  [ "$seconds" -eq 0 ] && options+=(-runs=0)
  # Its log contains the output of the program.
  [ "$target" = argv ] && options+=(-close_fd_mask=3)
  "build/fuzz/${target}_fuzz" "$corpus" "$stored" "${options[@]}" \
    -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$found/$target-" > "$log" 2>&1 || failed=$?
  first=$(number_in "$log" cov head)
  last=$(number_in "$log" cov)
  printf '%-9s %8s runs, %5s places in the code, %4s of them new, %4s MiB' "$target" \
    "$(number_in "$log" number_of_executed_units)" "$last" "$((last - first))" \
    "$(number_in "$log" peak_rss_mb)"
  [ "$failed" -eq 0 ] && { echo; return 0; }
  local input
  input=$(grep -oE "$found/$target-[a-z-]+-[0-9a-f]+" "$log" | tail -n 1 || true)
  printf '  FAILED\n  reproduce: build/fuzz/%s_fuzz %s\n' "$target" "${input:-(no input)}"
  grep -vE '^#[0-9]+\s+(NEW|REDUCE|pulse|INITED|READ)' "$log" | tail -n 60 | sed 's/^/  | /'
  return 1
}
export -f fuzz number_in
export seconds grow work found
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I '{}' bash -c 'fuzz {}' || exit 1

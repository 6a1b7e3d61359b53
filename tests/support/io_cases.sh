# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034
# The accesses of tests/conformance/io_traffic.sh; sourced.

io_counts=(2 3 4 5 6 8 12)

# Lists of pieces of five ranks in the current folder: with holes; far from the beginning of the
# file; the same but rank 3 idle; with pieces that several ranks have.
io_lists() {
  awk 'BEGIN { print "rank,offset,length"
    for (at = 37; at < 6000; at += length_of + i * 29 % 50) {
      length_of = 1 + i * 53 % 211
      print i * 7 % 5 "," at "," length_of
      ++i
    } }' > holes
  awk 'BEGIN { print "rank,offset,length"
    for (i = 0; i < 40; ++i) print i % 5 "," 100003 + 97 * i ",97" }' > far
  grep -v '^3,' far > idle
  awk 'BEGIN { print "rank,offset,length"
    for (rank = 0; rank < 5; ++rank)
      for (i = 0; i < 6; ++i) print rank "," 300 * rank + 400 * i "," 350 }' > overlap
}

# Lines "NAME write|read OPTIONS" for a number of processes.
io_cases() {
  local name operation aggregators buffer options
  io_table "$1" | while read -r name operation aggregators buffer options; do
    echo "$name $operation $options --aggregators $aggregators --buffer-size $buffer"
  done
}

# Lines "NAME write|read AGGREGATORS BUFFER OPTIONS".
io_table() {
  case $1 in
    2) cat << 'END' ;;
block-1d write 1 256 --array 1001 --grid 2
cyclic-1d write 2 128 --array 100 --element-size 8 --grid 2 --distribution cyclic
ior write 2 1024 -t 512 -b 1024 -s 2
ghost-1d read 2 512 --array 333 --element-size 4 --grid 2 --ghost 3
none-2d read 2 128 --array 7x20 --element-size 4 --grid 1x2 --distribution none,block
END
    3) cat << 'END' ;;
block-1d write 2 512 --array 1000 --element-size 2 --grid 3
uneven-1d write 3 256 --array 10 --element-size 100 --grid 3
empty-rank write 2 128 --array 4 --element-size 100 --grid 3
cyclic-2d write 2 200 --array 9x11 --element-size 8 --grid 3x1 --distribution cyclic:2,block
fortran-2d write 2 200 --array 9x11 --element-size 8 --grid 3x1 --order fortran
ior-view write 2 700 -V -t 300 -b 900 -s 2
ior-read read 2 700 -t 300 -b 600 -s 1
ghost-2d read 2 400 --array 9x11 --element-size 8 --grid 3x1 --ghost 1x0
END
    4) cat << 'END' ;;
block-2d write 2 300 --array 30x40 --grid 2x2
block-2d-whole write 3 65536 --array 30x40 --grid 2x2
fortran-2d write 3 256 --array 30x40 --grid 2x2 --order fortran
chunks-2d write 2 1024 --array 31x41 --element-size 4 --grid 2x2 --distribution cyclic:4,cyclic:3
block-3d write 2 2048 --array 12x10x8 --element-size 8 --grid 2x2x1
one-rank-2d write 2 64 --array 5x64 --grid 4x1 --distribution cyclic:5,block
ior write 2 2048 -t 1000 -b 2000 -s 2
ior-view write 4 1024 -V -t 1000 -b 2000 -s 2
ghost-3d read 2 2048 --array 12x10x8 --element-size 8 --grid 2x2x1 --ghost 1
cyclic-read read 2 256 --array 64 --element-size 16 --grid 4 --distribution cyclic
END
    5) cat << 'END' ;;
holes write 2 300 --list holes
holes-three write 3 100000 --list holes
far write 2 256 --list far
far-three write 3 700 --list far
idle write 2 256 --list idle
holes-read read 2 300 --list holes
overlap-read read 2 512 --list overlap
END
    6) cat << 'END' ;;
block-3d write 4 1000 --array 12x9x10 --element-size 8 --grid 1x3x2
fortran-3d write 4 1000 --array 12x9x10 --element-size 8 --grid 1x3x2 --order fortran
mixed-3d write 2 512 --array 7x12x5 --element-size 4 --grid 2x3x1 --distribution block,cyclic:2,none
uneven-2d write 5 100 --array 7x13 --element-size 8 --grid 2x3
block-4d write 3 1500 --array 4x6x5x7 --element-size 8 --grid 1x3x1x2
ior write 6 4096 -t 100 -b 300 -s 2
ghost-2d read 3 512 --array 24x18 --element-size 4 --grid 2x3 --ghost 2x1
fortran-read read 2 600 --array 7x12x5 --element-size 4 --grid 2x3x1 --order fortran
END
    8) cat << 'END' ;;
block-3d write 4 4096 --array 16x16x16 --element-size 4 --grid 2x2x2
block-5d write 3 2000 --array 4x4x4x4x6 --element-size 8 --grid 2x1x2x1x2
fortran-5d write 3 2000 --array 4x4x4x4x6 --element-size 8 --grid 2x1x2x1x2 --order fortran
mix-3d write 2 300 --array 9x7x11 --element-size 2 --grid 2x2x2 --distribution cyclic,cyclic:2,block
large-2d write 2 32768 --array 400x400 --element-size 2 --grid 4x2
ior-view write 4 8192 -V -t 2048 -b 4096 -s 2
ghost-3d read 3 4096 --array 16x16x16 --element-size 4 --grid 2x2x2 --ghost 1x2x1
END
    12) cat << 'END' ;;
block-3d write 5 1024 --array 12x10x8 --element-size 8 --grid 2x3x2
fortran-4d write 4 4096 --array 4x6x5x8 --element-size 8 --grid 2x3x1x2 --order fortran
cyclic-2d write 3 4096 --array 50x60 --element-size 4 --grid 3x4 --distribution cyclic:7,cyclic:9
empty-ranks write 3 128 --array 5x9 --element-size 16 --grid 3x4
ior-hard write 3 512 -t 47 -b 47 -s 8
ghost-4d read 4 4096 --array 4x6x5x8 --element-size 8 --grid 2x3x1x2 --ghost 1
END
  esac
}

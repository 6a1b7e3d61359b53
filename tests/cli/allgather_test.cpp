// SPDX-License-Identifier: BSD-3-Clause
// Output of a collective that exchanges blocks and has no root.
#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

Ended allgather(const Args& more) {
  Args args{"run", "allgather", "--platform", "crill", "--ppn", "4", "--no-cost"};
  args.insert(args.end(), more.begin(), more.end());
  return run_sim(args);
}

}  // namespace

TEST_CASE("the allgather table names the collective and has no root") {
  const Ended ended =
      allgather({"--procs", "16", "--algorithm", "all", "--message-size", "64", "-q"});
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  CHECK(ended.out.starts_with("# MPI_Allgather on crill: 16 processes on 4 nodes, 4 per node\n"));
  CHECK(mentions(ended.out, "bruck"));
  CHECK(mentions(ended.out, "recursive_doubling"));
  CHECK_FALSE(mentions(ended.out, "root"));
  CHECK_FALSE(mentions(
      allgather({"--procs", "4", "--algorithm", "bruck", "--message-size", "8", "--format", "osu"})
          .out,
      "root 0"));
}

TEST_CASE("--root has no effect on allgather, and sim run warns about it") {
  const Ended ended = allgather({"--procs", "4", "--algorithm", "bruck", "--message-size", "64",
                                 "--root", "3,77", "--format", "csv"});
  CHECK(ended.exit_code == 0);
  CHECK(mentions(ended.err, "--root has no effect on allgather, which has no root"));
  CHECK(data_lines(ended.out).size() == 2);  // both names and both roots give one point
}

TEST_CASE("blocks whose sum over all pairs of ranks overflows are rejected") {
  const Ended ended = allgather(
      {"--procs", "64", "--algorithm", "bruck", "--message-size", "562949953421313"});  // 2^49 + 1
  CHECK(ended.exit_code == 2);
  CHECK(mentions(
      ended.err,
      "sending 562949953421313 B from each to each of 64 processes exceeds 2^61 B in total"));
}

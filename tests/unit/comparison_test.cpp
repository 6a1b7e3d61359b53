// SPDX-License-Identifier: BSD-3-Clause
// Which points of two files match, and the sentences of the comparison.
#include "sim/reports/compare/comparison.hpp"

#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/result_tables.hpp"

using namespace tutti;
using namespace tutti::tests;
using reports::Comparison;

namespace {

Comparison compared(const std::string& a, const std::string& b,
                    const reports::CompareRequest& request = {}) {
  const auto made = reports::compare(results_of(a), results_of(b), request);
  if (!made) FAIL(made.error().message);
  return *made;
}

Error error_of(const std::string& a, const std::string& b,
               const reports::CompareRequest& request = {}) {
  const auto made = reports::compare(results_of(a), results_of(b), request);
  REQUIRE_FALSE(made);
  return made.error();
}

const std::string head = "requested_algorithm,algorithm,procs,message_bytes,segment_bytes,time_s\n";

}  // namespace

TEST_CASE("a single point of two algorithms is compared in a sentence") {
  const auto made = compared(head + "chain,chain,576,1048576,8192,1.83e-3\n",
                             head + "binomial,binomial,576,1048576,0,1e-3\n");
  REQUIRE(made.points.size() == 1);
  REQUIRE(made.differences.size() >= 1);
  CHECK(made.differences[0].column == "requested_algorithm");
  CHECK(reports::summary_lines(made)[0] ==
        "binomial is 1.83x faster than chain at 1 MiB, 576 processes");
}

TEST_CASE("several points have a mean, median, minimum and maximum ratio") {
  const auto made = compared(head + "a,a,4,1,0,1\na,a,4,2,0,1\na,a,4,4,0,1\n",
                             head + "b,b,4,1,0,0.5\nb,b,4,2,0,2\nb,b,4,4,0,8\n");
  const auto summary = reports::summary_of(made);
  CHECK(summary.geometric_mean == exactly(2));
  CHECK(summary.median == exactly(2));
  CHECK(summary.least->ratio == exactly(0.5));
  const auto lines = reports::summary_lines(made);
  CHECK(lines[0] == "a is 2.00x faster than b (geometric mean of 3 points)");
  CHECK(mentions(lines[1], "min 0.500 at 1 B, 4 processes, max 8.000 at 4 B, 4 processes"));
}

TEST_CASE("files that differ in several parameters are called A and B") {
  const auto made = compared("algorithm,map,procs,time_s\na,block,4,2\n",
                             "algorithm,map,procs,time_s\nb,cyclic,4,1\n");
  CHECK(made.differences.size() == 2);
  CHECK(reports::summary_lines(made)[0] == "B is 2.00x faster than A at 4 processes");
}

TEST_CASE("points match regardless of segment sizes chosen by rules") {
  const auto made = compared(head + "auto,knomial,4,1,0,1\nauto,chain,4,2,8192,1\n",
                             head + "auto,chain,4,1,4096,2\nauto,chain,4,2,8192,2\n");
  CHECK(made.points.size() == 2);
}

TEST_CASE("points with different requested segment sizes do not match") {
  const auto made = compared(head + "a,a,4,1,1024,1\na,a,4,1,2048,2\n",
                             head + "a,a,4,1,2048,4\na,a,4,1,1024,3\n");
  REQUIRE(made.points.size() == 2);
  CHECK(made.points[0].ratio == exactly(3));
  CHECK(made.points[1].ratio == exactly(2));
}

TEST_CASE("points without a match, without a value and without a ratio are reported") {
  const auto made =
      compared(head + "a,a,4,1,0,1\na,a,4,2,0,1\na,a,4,4,0,0\na,a,4,8,0,1\na,a,4,32,0,\n",
               head + "a,a,4,1,0,1\na,a,4,2,0,\na,a,4,4,0,1\na,a,4,16,0,1\na,a,4,32,0,1\n");
  CHECK(made.points.size() == 1);
  CHECK(made.only_a.size() == 1);
  CHECK(made.only_b.size() == 1);
  CHECK(made.lost.size() == 1);
  CHECK(made.gained == 1);
  CHECK(made.no_ratio.size() == 1);
  CHECK(reports::summary_lines(made).size() == 6);
}

TEST_CASE("measured output is compared by the columns that both files have") {
  const std::string osu =
      "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1  2.0\n2  4.0\n";
  const std::string ours =
      "collective,requested_algorithm,procs,message_bytes,time_s,time_mean_s\n"
      "bcast,auto,4,1,9,1e-6\nbcast,auto,4,2,9,2e-6\nbcast,auto,4,4,9,2e-6\n";
  const auto made = compared(osu, ours);
  CHECK(made.y == "time_mean_s");
  REQUIRE(made.points.size() == 2);
  CHECK(made.points[0].ratio == exactly(0.5));
  CHECK(made.only_b.size() == 1);
}

TEST_CASE("points that cannot be distinguished are an error that names the column") {
  const std::string osu =
      "# OSU MPI Broadcast Latency Test\n# Size       Avg Latency(us)\n1  2.0\n";
  const Error error = error_of(osu,
                               "collective,procs,message_bytes,time_mean_s\n"
                               "bcast,4,1,1\nbcast,8,1,2\n");
  CHECK(mentions(error.message, "cannot be distinguished without 'procs'"));
  CHECK(mentions(error.hint, "select points with a single procs (--where)"));
}

TEST_CASE("files without matching points are an error with the reason") {
  const Error error =
      error_of(head + "a,a,4,1,0,1\na,a,4,2,0,1\n", head + "a,a,4,3,0,1\na,a,4,5,0,1\n");
  CHECK(error.kind == ErrorKind::usage);
  CHECK(error.hint == "message_bytes is 1 B, 2 B in A, 3 B, 5 B in B");
  CHECK(mentions(error_of("procs,time_s\n1,1\n", "procs,x\n1,1\n").message,
                 "no result column in common"));
  CHECK(mentions(error_of("procs,time_s\n1,1\n", "procs,x\n1,a\n").hint,
                 "has no numeric result column"));
}

TEST_CASE("the key columns can be chosen") {
  const auto made = compared(head + "a,a,4,1,0,1\n", head + "b,b,8,1,0,2\n",
                             {.key = std::vector<std::string>{"message_bytes"}});
  CHECK(made.points.size() == 1);
  CHECK(made.differences.size() == 3);
  CHECK(
      error_of(head + "a,a,4,1,0,1\n", head + "b,b,8,1,0,2\n", {.key = {{"mesage_bytes"}}}).hint ==
      "did you mean 'message_bytes'?");
}

TEST_CASE("no line of a comparison is wider than 80 columns") {
  std::string a = head;
  std::string b = head;
  for (int size = 1; size <= 4; size *= 2) {
    const std::string name =
        "\"hierarchical:inter=rabenseifner,intra=binomial,group=node" + std::to_string(size) + "\"";
    a += name + "," + name + ",576," + std::to_string(size) + ",0,1e-6\n";
    b += name + "," + name + ",576," + std::to_string(size) + ",0,2e-6\n";
  }
  for (const auto& line : split(reports::comparison_text(compared(a, b)), '\n')) {
    CAPTURE(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("values of 0, of both signs and of all sizes leave the ratios finite") {
  const auto made =
      compared("procs,time_s\n1,0\n2,0\n3,-1\n4,1e-300\n5,2\n6,nan\n7,1e300\n",
               "procs,time_s\n1,0\n2,1\n3,1\n4,1e300\n5,0\n6,nan\n7,2e300\n", {.y = "time_s"});
  REQUIRE(made.points.size() == 2);
  CHECK(made.points[0].ratio == exactly(1));
  CHECK(made.points[1].ratio == exactly(2));
  CHECK(made.no_ratio.size() == 4);
  CHECK(made.no_value == 1);
  const auto lines = reports::omitted_lines(made);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "1 point without a value in A and in B");
  CHECK(lines[1] == "4 points without a ratio: A is 0 s, B is 1.00 s at 2 processes");
  const auto json = reports::comparison_json(made);
  CHECK(mentions(json, "\"no_value\": 1"));
  CHECK_FALSE(mentions(json, "\"ratio\": null"));
}

TEST_CASE("failed points without a row are reported") {
  const auto made =
      compared("# failed: chain at 4: no memory\nprocs,time_s\n2,1\n", "procs,time_s\n2,1\n");
  CHECK(reports::omitted_lines(made) ==
        std::vector<std::string>{"1 point of A failed: chain at 4: no memory"});
}

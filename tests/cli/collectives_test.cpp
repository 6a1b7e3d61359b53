// SPDX-License-Identifier: BSD-3-Clause
// sim run of any collective: what is chosen, what is measured, what is refused.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

Ended run(const std::string& collective, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", collective, "--platform", "crill"});
  return run_sim(options);
}

// Of the CSV's rows, the named column.
std::vector<std::string> column(const Ended& ended, const std::string& name) {
  REQUIRE(ended.exit_code == 0);
  const auto lines = data_lines(ended.out);
  REQUIRE(!lines.empty());
  const auto names = split(lines[0], ',');
  const auto at =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  REQUIRE(at < names.size());
  std::vector<std::string> cells;
  for (std::size_t i = 1; i < lines.size(); ++i) cells.push_back(split(lines[i], ',')[at]);
  return cells;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every collective runs with what Open MPI's rules choose") {
  for (const char* collective :
       {"bcast", "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier",
        "gather", "gatherv", "scatter", "scatterv", "reduce", "reduce_scatter",
        "reduce_scatter_block", "scan", "exscan"}) {
    CAPTURE(collective);
    std::vector<std::string> options{"--procs", "24", "--format", "csv", "-q"};
    if (collective != std::string("barrier"))
      options.insert(options.end(), {"--message-size", "1000"});
    CHECK(column(run(collective, options), "collective") == std::vector<std::string>{collective});
  }
}

TEST_CASE("auto:best is as fast as the fastest of all") {
  const Ended all = run("allreduce", {"--procs", "24", "--message-size", "8KiB", "--algorithm",
                                      "all", "--format", "csv", "-q"});
  double least_s = 1;
  for (const auto& cell : column(all, "time_s")) least_s = std::min(least_s, std::stod(cell));
  const Ended best = run("allreduce", {"--procs", "24", "--message-size", "8KiB", "--algorithm",
                                       "auto:best", "--format", "csv", "-q"});
  REQUIRE(column(best, "time_s").size() == 1);
  CHECK(std::stod(column(best, "time_s")[0]) == least_s);
  CHECK(column(best, "requested_algorithm")[0] == "auto:best");
}

TEST_CASE("a fallback is told") {
  const Ended ended = run("allgather", {"--procs", "24", "--message-size", "64", "--algorithm",
                                        "recursive_doubling", "--format", "csv", "-q"});
  CHECK(column(ended, "runs_as") == std::vector<std::string>{"bruck"});
  const Ended text = run(
      "allgather", {"--procs", "24", "--message-size", "64", "--algorithm", "recursive_doubling"});
  CHECK(says(text.out, "recursive_doubling (runs bruck)"));
}

TEST_CASE("rules of a file are obeyed, and one that Open MPI ignores is told") {
  const TemporaryFolder folder;
  const auto good = folder.write("good.txt", "1 7 1 1 1 0 3 0 512");
  const Ended obeyed = run("bcast", {"--procs", "24", "--message-size", "4KiB", "--algorithm",
                                     "auto:rules=" + good, "--format", "csv"});
  CHECK(column(obeyed, "algorithm") == std::vector<std::string>{"pipeline"});
  CHECK(column(obeyed, "segment_bytes") == std::vector<std::string>{"512"});
  const auto bad = folder.write("bad.txt", "1 7 1 1 1 8 3 0 512");
  const Ended ignored = run("bcast", {"--procs", "24", "--message-size", "4KiB", "--algorithm",
                                      "auto:rules=" + bad, "--format", "csv"});
  const Ended fixed = run("bcast", {"--procs", "24", "--message-size", "4KiB", "--format", "csv"});
  CHECK(column(ignored, "algorithm") == column(fixed, "algorithm"));
  CHECK(column(ignored, "algorithm") != column(obeyed, "algorithm"));
  CHECK(says(ignored.err, "bad.txt:1: the first message size is 8, not 0"));
}

TEST_CASE("skew and noise are measured over repetitions") {
  const std::vector<std::string> options{"--procs",
                                         "24",
                                         "--message-size",
                                         "4KiB",
                                         "--repetitions",
                                         "5",
                                         "--skew",
                                         "uniform:10us:1",
                                         "--noise",
                                         "additive:1us:2",
                                         "--format",
                                         "csv",
                                         "-q",
                                         "--no-cost"};
  const Ended ended = run("allreduce", options);
  CHECK(column(ended, "repetitions") == std::vector<std::string>{"5"});
  CHECK(column(ended, "skew") == std::vector<std::string>{"uniform:10us:1"});
  CHECK(column(ended, "noise") == std::vector<std::string>{"additive:1us:2"});
  CHECK(std::stod(column(ended, "repetition_min_s")[0]) <
        std::stod(column(ended, "repetition_max_s")[0]));
  CHECK(run("allreduce", options).out == ended.out);
}

TEST_CASE("calls that Open MPI refuses are refused with the reason") {
  const Ended two = run("alltoall", {"--procs", "3", "--algorithm", "two_proc"});
  CHECK(two.exit_code == 2);
  CHECK(says(two.err, "two_proc does not run alltoall among 3 processes: it needs"));
  const Ended order =
      run("reduce", {"--procs", "6", "--algorithm", "binomial", "--non-commutative"});
  CHECK(order.exit_code == 2);
  CHECK(says(order.err, "it needs commutative operation"));
  const Ended hardware = run("barrier", {"--procs", "6", "--algorithm", "hardware"});
  CHECK(hardware.exit_code == 2);
  CHECK(says(hardware.err, "the network of crill does no barrier by itself"));
  const Ended sized = run("barrier", {"--procs", "6", "--message-size", "8"});
  CHECK(sized.exit_code == 2);
  CHECK(says(sized.err, "barrier has no message"));
}

TEST_CASE("all leaves out what does not run") {
  const Ended ended = run("alltoall", {"--procs", "3", "--message-size", "8", "--algorithm", "all",
                                       "--format", "csv", "-q"});
  for (const auto& name : column(ended, "algorithm")) CHECK(name != "two_proc");
}

TEST_CASE("commas stand between algorithms and between the parameters of one") {
  const Ended ended =
      run("bcast",
          {"--procs", "96", "--message-size", "8", "--algorithm",
           "binomial,hierarchical:inter=chain,group=4,hierarchical:intra=binomial,knomial", "-q"});
  CHECK(ended.exit_code == 0);
  CHECK(says(ended.out, "hierarchical:inter=chain,group=4"));
  CHECK(says(ended.out, "hierarchical:intra=binomial"));
  CHECK(says(ended.out, "knomial"));
}

TEST_CASE("counts that differ move other bytes") {
  const Ended linear = run("gatherv", {"--procs", "5", "--message-size", "100", "--counts",
                                       "linear", "--format", "csv", "-q"});
  CHECK(column(linear, "wire_bytes") == std::vector<std::string>{"500"});  // rank 0 has none
  CHECK(column(linear, "counts") == std::vector<std::string>{"linear"});
  const Ended equal =
      run("gatherv", {"--procs", "5", "--message-size", "100", "--format", "csv", "-q"});
  CHECK(column(equal, "wire_bytes") == std::vector<std::string>{"400"});
}

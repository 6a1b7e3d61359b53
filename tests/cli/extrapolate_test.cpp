// SPDX-License-Identifier: BSD-3-Clause
// --extrapolate: output of calls of which only some steps are simulated, and rejected requests.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/csv_columns.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

const std::vector<std::string> ring{
    "run", "allgather",   "--platform", "fat-tree-262144", "--procs", "1024",     "--ppn",
    "1",   "--algorithm", "ring",       "--message-size",  "64KiB",   "--no-cost"};

std::vector<std::string> with(std::vector<std::string> words,
                              std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
  return words;
}

}  // namespace

TEST_CASE("a ring is extrapolated from its first steps to the time of all steps") {
  const auto some = run_sim(with(ring, {"--format", "csv"}));
  const auto all = run_sim(with(ring, {"--format", "csv", "--extrapolate", "off"}));
  const auto reported = column(some, "time_s");
  const auto simulated = column(all, "time_s");
  const double time_s = std::stod(reported.at(0));
  CHECK(std::abs(time_s - std::stod(simulated.at(0))) <= 1e-9 * time_s);
  CHECK(column(some, "extrapolation").at(0) == "recurrence");
  CHECK(column(some, "steps").at(0) == "1023");
  CHECK(std::stoi(column(some, "simulated_steps").at(0)) < 512);
  CHECK(column(all, "extrapolation").at(0).empty());
  CHECK(column(some, "messages") == column(all, "messages"));
}

TEST_CASE("sampled steps reduce at the rate of the whole vector, as in a full simulation") {
  const auto time_with = [](const char* extrapolate) {
    const auto run = run_sim({"run", "allreduce", "--platform", "leonardo", "--procs", "1024",
                              "--algorithm", "ring", "--message-size", "256MiB", "--format", "csv",
                              "--extrapolate", extrapolate});
    CHECK(column(run, "extrapolation").at(0).empty() == (std::string(extrapolate) == "off"));
    return std::stod(column(run, "time_s").at(0));
  };
  const double all_s = time_with("off");
  CHECK(std::abs(time_with("auto") - all_s) <= 1e-9 * all_s);
}

TEST_CASE("the table gives the number of simulated steps") {
  const auto result = run_sim(ring);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find(" of 1023") != std::string::npos);
  CHECK(result.out.find("--extrapolate off simulates all") != std::string::npos);
}

TEST_CASE("a long call that cannot be extrapolated is rejected with its estimated duration") {
  const auto noisy =
      run_sim({"run", "alltoall", "--platform", "fat-tree-262144", "--procs", "100000",
               "--algorithm", "pairwise", "--message-size", "64", "--noise", "multiplicative:5%"});
  CHECK(noisy.exit_code == 2);
  CHECK(noisy.err.find("--extrapolate") != std::string::npos);
  CHECK(noisy.err.find("hours") != std::string::npos);
  CHECK(noisy.err.find("noise") != std::string::npos);
  const auto window =
      run_sim({"run", "alltoall", "--platform", "fat-tree-262144", "--procs", "100000",
               "--algorithm", "linear_sync", "--max-requests", "4", "--message-size", "64"});
  CHECK(window.exit_code == 1);  // when the groups of ranks turn out not to represent the call
  CHECK(window.err.find("all must be simulated") != std::string::npos);
}

TEST_CASE("--extrapolate rejects words other than auto and off") {
  const auto result = run_sim(with(ring, {"--extrapolate", "maybe"}));
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("--extrapolate") != std::string::npos);
}

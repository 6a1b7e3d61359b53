// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines check: the meaning of a size, what counts as faster, comparison of repetition
// files.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/guideline_checks.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

TEST_CASE("--message-size of reduce_scatter_block is the block of one rank, as in sim run") {
  const Args check = small_check({"--collective", "reduce_scatter_block", "--format", "json"});
  const auto points = check_json(check)["points"];
  REQUIRE(!points.empty());
  const auto run = Json::parse(
      out_of({"run", "reduce_scatter_block", "--platform", "jupiter", "--procs", "32", "--ppn", "1",
              "--message-size", "64:1MiB:*32", "--engine", "flow", "--format", "json"}))["points"];
  for (const auto& point : points) {
    const auto same = std::ranges::find_if(
        run, [&](const Json& row) { return row["message_bytes"] == point["message_bytes"]; });
    REQUIRE(same != run.end());
    CHECK(point["default_time_s"] == (*same)["time_s"]);
  }
}

TEST_CASE("a mock-up that is marginally faster does not violate a guideline by default") {
  const Args scan = small_check({"--guideline", "GL20", "--format", "json"});
  Args any = scan;
  any.insert(any.end(), {"--violated-above", "0%"});
  const auto strict = check_json(any)["points"], usual = check_json(scan)["points"];
  REQUIRE(strict.size() == usual.size());
  int hardly = 0;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    const double relative = usual[i]["relative_latency"];
    hardly += strict[i]["violated"].get<bool>() && relative > 0.98;
    CHECK(usual[i]["violated"] == (relative < 0.98));
  }
  CHECK(hardly > 0);
}

TEST_CASE("files of repetitions are compared by the median over runs of each run's median") {
  TemporaryFolder folder;
  const auto measure = [&](const std::string& seed, const std::string& format) {
    const auto file = folder.file(seed + '.' + format);
    CHECK(run_sim(small_check({"--guideline", "GL11,GL12", "--noise", "multiplicative:60%:" + seed,
                               "--runs", "3", "--nrep-min", "4", "--format", format, "-o", file}))
              .exit_code < 2);
    return file;
  };
  const auto compared = Json::parse(out_of(
      {"compare", measure("1", "repro"), measure("2", "repro"), "--format", "json"}))["points"];
  CHECK(compared.size() == 12);  // four sizes of gather and of two mock-ups
  const auto report = Json::parse(read_file(measure("1", "json")))["points"];
  for (const auto& point : report) {
    const auto same = std::ranges::find_if(compared, [&](const Json& row) {
      return row["message_bytes"] == point["message_bytes"] && row["algorithm"] == point["mockup"];
    });
    REQUIRE(same != compared.end());
    CHECK((*same)["time_s_a"].get<double>() == close_to(point["time_s"].get<double>(), 2e-5));
  }
}

TEST_CASE("mock-ups that need TU Wien's libraries are compared on request only") {
  const auto compared = [](const Args& more) {
    Args args = small_check({"--collective", "bcast", "--format", "json"});
    args.insert(args.end(), more.begin(), more.end());
    std::set<std::string> names;
    const auto report = check_json(args);
    for (const auto& point : report["points"]) names.insert(point["mockup"]);
    return names;
  };
  const std::set<std::string> of_paper{"bcast_as_allgatherv", "bcast_as_scatter_allgather"};
  const std::set<std::string> of_lanes{"bcast_as_bcast_hier", "bcast_as_bcast_lane"};
  CHECK(compared({}) == of_paper);
  CHECK(compared({"--guideline", "lane"}) == of_lanes);
  CHECK(compared({"--guideline", "GL9,R11"}) ==
        std::set<std::string>{"bcast_as_allgatherv", "bcast_as_bcast_lane"});
  CHECK(compared({"--guideline", "all"}).size() == 5);
}

// Table 1: (floor(n / (C p)) + 1) C elements, here of 4 bytes, with n = 1024 and p = 8. A chunk of
// all elements, the largest possible, is on one rank: slower.
TEST_CASE("--chunk-size is C of the mock-ups that distribute chunks") {
  const auto with = [](const Args& chunk) {
    Args args{"guidelines",
              "check",
              "--platform",
              "crill",
              "--procs",
              "8",
              "--ppn",
              "1",
              "--collective",
              "reduce",
              "--guideline",
              "GL16",
              "--message-size",
              "4KiB",
              "--element-bytes",
              "4",
              "--format",
              "json",
              "-q"};
    args.insert(args.end(), chunk.begin(), chunk.end());
    return check_json(args)["points"][0];
  };
  CHECK(with({})["extra_message_bytes"] == 4 * (1024 / 32 + 1) * 4);
  CHECK(with({"--chunk-size", "1"})["extra_message_bytes"] == 4 * (1024 / 8 + 1));
  const auto whole = with({"--chunk-size", "1024"});
  CHECK(whole["extra_message_bytes"] == 4 * 1024);
  CHECK(whole["time_s"] > with({})["time_s"]);
  CHECK(with({"--chunk-size", "5000"})["time_s"] == whole["time_s"]);
  CHECK(run_sim({"guidelines", "check", "--chunk-size", "0"}).exit_code == 2);
}

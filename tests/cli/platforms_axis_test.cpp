// SPDX-License-Identifier: BSD-3-Clause
// sim run --platform A,B: the same points on several machines.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

Args run_on(const std::string& platforms, const std::string& workload, const Args& more) {
  Args args{"run", workload, "--platform", platforms, "--no-cost", "--quiet"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

Json points_on(const std::string& platforms, const std::string& workload, Args more) {
  more.insert(more.end(), {"--format", "json"});
  return Json::parse(out_of(run_on(platforms, workload, more)))["points"];
}

std::string rejected(const Args& args) {
  const Ended ended = run_sim(args);
  CHECK(ended.exit_code == 2);
  CHECK(ended.out.empty());
  return ended.err;
}

}  // namespace

TEST_CASE("points on two platforms equal those on each of them") {
  const std::pair<std::string, Args> workloads[] = {
      {"allreduce", {"--procs", "32,64", "--ppn", "2", "--message-size", "1KiB,64KiB"}},
      {"write", {"--procs", "16", "--bytes-per-proc", "1MiB", "--aggregators", "2,4"}},
      {"pingpong", {"--message-size", "1KiB,1MiB"}}};
  for (const auto& [workload, options] : workloads) {
    CAPTURE(workload);
    Json both = points_on("leonardo,vsc3", workload, options);
    Json expected = points_on("leonardo", workload, options);
    const std::size_t half = expected.size();
    for (const Json& point : points_on("vsc3", workload, options)) expected.push_back(point);
    REQUIRE(both.size() == expected.size());
    for (std::size_t i = 0; i < both.size(); ++i) {
      CHECK(both[i]["platform"] == (i < half ? "leonardo" : "vsc3"));
      CHECK(both[i]["platform_hash"].get<std::string>().size() == 16);
      both[i].erase("platform");
      both[i].erase("platform_hash");
      CHECK(both[i] == expected[i]);
    }
  }
}

TEST_CASE("a CSV of several platforms has columns for the platform and what was set") {
  const auto lines = split(out_of(run_on("leonardo,vsc3", "bcast",
                                         {"--procs", "16", "--message-size", "8", "--set",
                                          "mpi/eager_limit=1KiB", "--format", "csv"})),
                           '\n');
  CHECK(lines[0].starts_with("platform,platform_hash,mpi/eager_limit,collective,"));
  CHECK(lines[1].starts_with("leonardo,"));
  CHECK(lines[2].starts_with("vsc3,"));
  CHECK(lines[2].find(",1024,bcast,") != std::string::npos);
}

TEST_CASE("the table puts the platforms of a call next to each other") {
  const auto text = out_of(
      run_on("leonardo,vsc3", "bcast", {"--procs", "16", "--message-size", "8,64", "--ppn", "1"}));
  CHECK(text.starts_with("# MPI_Bcast on leonardo and vsc3: 16 processes"));
  const auto rows = data_lines(text);
  REQUIRE(rows.size() == 4);
  const char* starts[] = {"8           leonardo", "8           vsc3", "64          leonardo",
                          "64          vsc3"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(rows[i]);
    CHECK(rows[i].starts_with(starts[i]));
  }
}

TEST_CASE("auto:best finds the best algorithm of each platform") {
  const Args options{"--procs", "16", "--message-size", "64KiB", "--algorithm", "auto:best"};
  const Json both = points_on("leonardo,vsc3", "bcast", options);
  REQUIRE(both.size() == 2);
  CHECK(both[0]["time_s"] == points_on("leonardo", "bcast", options)[0]["time_s"]);
  CHECK(both[1]["time_s"] == points_on("vsc3", "bcast", options)[0]["time_s"]);
}

TEST_CASE("a platform that is too small is skipped with a warning") {
  Args args = run_on("crill,vsc3", "bcast", {"--procs", "1000", "--message-size", "8"});
  std::erase(args, "--quiet");
  const Ended ended = run_sim(args);
  CHECK(ended.exit_code == 0);
  CHECK(data_lines(ended.out).size() == 1);
  CHECK(ended.err.find("1 combination cannot run and is skipped: --procs: 1000 processes, but "
                       "crill has 768 cores") != std::string::npos);
}

TEST_CASE("what applies to one platform rejects several") {
  const auto says = [](const Args& args, const std::string& message) {
    const std::string errors = rejected(args);
    CAPTURE(errors);
    CHECK(errors.find(message) != std::string::npos);
  };
  const Args small{"--procs", "4", "--message-size", "8"};
  const auto with = [&](const Args& more) {
    Args all = small;
    all.insert(all.end(), more.begin(), more.end());
    return run_on("crill,vsc3", "bcast", all);
  };
  says(with({"--links", "x.csv"}), "--links: has no column for --platform");
  says(with({"--traffic", "x.csv"}), "--traffic: has no column for --platform");
  says(with({"--histogram", "x.csv"}), "--histogram: has no column for --platform");
  says(with({"--ranks", "x.csv"}), "--ranks: applies to a single point, but there are 2");
  says(with({"--format", "osu"}), "--format osu: has no column for --platform");
  says(run_on("crill,vsc3", "loggp", {}), "measures a single platform");
  says(run_on("crill,crill", "bcast", small), "'crill' is given twice");
  CHECK(run_sim(run_on("crill,cril", "bcast", small)).err.find("did you mean 'crill'?") !=
        std::string::npos);
}

// SPDX-License-Identifier: BSD-3-Clause
// sim explain: two libraries' choices for the same calls.
#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

Args explained(const Args& more) {
  Args args{"explain", "bcast", "--platform",     "crill", "--procs",
            "32",      "-q",    "--message-size", "64KiB"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

}  // namespace

TEST_CASE("on several nodes Open MPI 5.0 broadcasts by HAN, with one rank on each by tuned") {
  const auto on_nodes = run_sim(explained({"--ppn", "8", "--format", "csv"}));
  CHECK(column(on_nodes, "from_algorithm") == Args{"knomial"});
  CHECK(column(on_nodes, "from_component") == Args{"coll/tuned"});
  const double from_s = std::stod(column(on_nodes, "from_s")[0]);
  const double to_s = std::stod(column(on_nodes, "to_s")[0]);
  CHECK(std::stod(column(on_nodes, "ratio")[0]) == exactly(to_s / from_s));

  const auto json = run_sim(explained({"--ppn", "8", "--format", "json"})).out;
  CHECK(json.find("\"to_component\": \"coll/han\"") != std::string::npos);
  CHECK(json.find("\"to_why\": \"4 nodes with 8 ranks on each\"") != std::string::npos);

  const auto spread = run_sim({"explain", "bcast", "--platform", "crill", "--procs", "16", "--ppn",
                               "1", "--message-size", "64KiB", "--format", "json", "-q"});
  REQUIRE(spread.exit_code == 0);
  CHECK(spread.out.find("\"to_component\": \"coll/tuned\"") != std::string::npos);
  CHECK(spread.out.find("not HAN: one rank on each node") != std::string::npos);
}

TEST_CASE("the times of sim explain are those of sim run") {
  const auto run = run_sim({"run", "bcast", "--platform", "crill", "--procs", "32", "--ppn", "8",
                            "--message-size", "64KiB", "--algorithm", "auto:ompi-4.1,auto:ompi-5.0",
                            "--format", "csv", "-q"});
  const auto both = run_sim(explained({"--ppn", "8", "--format", "csv"}));
  CHECK(column(run, "time_s") == Args{column(both, "from_s")[0], column(both, "to_s")[0]});
}

TEST_CASE("the text of sim explain is 80 columns wide, and shows critical paths on request") {
  const auto plain = run_sim(explained({"--ppn", "8"}));
  CHECK(plain.out.find("Critical path") == std::string::npos);
  const auto with_path = run_sim(explained({"--ppn", "8", "--critical-path"}));
  REQUIRE(with_path.exit_code == 0);
  CHECK(with_path.out.find("Critical path") != std::string::npos);
  CHECK(with_path.out.find("Part of the path") != std::string::npos);
  for (const auto& line : split(with_path.out, '\n')) CHECK(line.size() <= 80);
}

TEST_CASE("sim explain rejects unknown rules and options that the rules decide") {
  const auto unknown = run_sim(explained({"--to", "ompi-5.1"}));
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("--to: unknown decision rules 'ompi-5.1'") != std::string::npos);
  CHECK(unknown.err.find("did you mean 'ompi-") != std::string::npos);
  CHECK(run_sim(explained({"--algorithm", "auto"})).exit_code == 2);
}

// SPDX-License-Identifier: BSD-3-Clause
// sim tune: searches on simulated workloads.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "sim/base/split.hpp"
#include "sim/reports/tables/result_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

constexpr const char* study = R"([study]
name = "small"
[[objective]]
workload = "bcast"
platform = "crill"
ppn = 4
procs = 32
message_size = ["8KiB", "256KiB"]
[[parameter]]
name = "mpi/eager_limit"
values = "3KiB:48KiB:*2"
default = "12KiB"
[[parameter]]
name = "algorithm"
values = ["binomial", "chain", "pipeline", "binary_tree"]
[[parameter]]
name = "segment_size"
values = [0, "4KiB", "16KiB", "64KiB"]
[[parameter]]
name = "fanout"
values = [2, 4, 8]
default = 4
when = "algorithm = chain"
[search]
method = "all"
levels = [8]
)";

Ended tune(const TemporaryFolder& folder, const std::string& text,
           std::vector<std::string> more = {}) {
  const auto file = folder.file("study.toml");
  std::ofstream(file) << text;
  std::vector<std::string> words{"tune", file, "-q"};
  words.insert(words.end(), more.begin(), more.end());
  return run_sim(words);
}

using Rows = std::vector<std::map<std::string, Cell>>;

Rows rows_of(const Ended& ended, const TemporaryFolder& folder) {
  const auto file = folder.file("out.csv");
  std::ofstream(file) << ended.out;
  const auto table = reports::read_result_file(file).value().table;
  Rows rows;
  for (const auto& row : table.rows) {
    rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) rows.back()[table.columns[i]] = row[i];
  }
  return rows;
}

}  // namespace

TEST_CASE("every search runs; brute force is the best of all, the others are beside it") {
  const TemporaryFolder folder;
  const auto ended = tune(folder, study, {"--part", "searches", "--format", "csv"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  const auto rows = rows_of(ended, folder);
  REQUIRE(rows.size() == 5);
  std::map<std::string, std::map<std::string, double>> by_search;
  for (const auto& row : rows)
    for (const char* column : {"evaluations", "cost", "best_s", "above_best", "gain"})
      by_search[to_text(row.at("search"))][column] = number_of(row.at(column)).value();
  // 5 x 4 x 4 with the default fan-out, and two more of chain.
  CHECK(by_search["brute-force"]["evaluations"] == 5 * 4 * (3 + 3));
  CHECK(by_search["brute-force"]["above_best"] == 0);
  for (const auto& [name, found] : by_search) {
    CAPTURE(name);
    CHECK(found.at("above_best") >= 0);
    CHECK(found.at("gain") > 0);
    CHECK(found.at("evaluations") <= by_search["brute-force"]["evaluations"]);
  }
  CHECK(by_search["model"]["above_best"] < 0.1);
}

TEST_CASE("the same seed gives the same search; the report has its parts") {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"--method", "model", "--seed",   "3",
                                       "--budget", "12",    "--format", "csv"};
  const auto first = tune(folder, study, words), second = tune(folder, study, words);
  REQUIRE(first.exit_code == 0);
  CHECK(first.out == second.out);
  const auto text = tune(folder, study, {"--method", "factorial,model", "--budget", "10"});
  REQUIRE(text.exit_code == 0);
  for (const char* part : {"The best values", "What the searches cost", "Each time",
                           "Main effects of the 2^k factorial"})
    CHECK(text.out.find(part) != std::string::npos);
}

TEST_CASE("wrong studies are told what is wrong") {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& from, const std::string& to,
                         const std::string& message) {
    std::string text = study;
    text.replace(text.find(from), from.size(), to);
    const auto ended = tune(folder, text);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(ended.err.find(message) != std::string::npos);
  };
  fails("procs = 32", "procs = 99999", "study.toml:");
  fails("\"crill\"", "\"crll\"", "crll");
  fails("name = \"fanout\"", "name = \"aggregators\"", "aggregators");
  fails("\"pipeline\"", "\"pipelin\"", "pipelin");
  CHECK(run_sim({"tune"}).exit_code == 2);
  CHECK(run_sim({"tune", "missing.toml"}).exit_code == 2);
  CHECK(tune(folder, study, {"--method", "guess"}).exit_code == 2);
}

// SPDX-License-Identifier: BSD-3-Clause
// The loss of the choice by fitted models against the best simulated broadcast, for processes and
// sizes between the fitted ones. The bounds are requirements of the models, and must not be
// loosened.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/cell.hpp"
#include "sim/reports/tables/result_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

std::vector<double> losses_in(const std::string& file, const std::string& chooser) {
  const auto table = reports::read_result_file(file).value().table;
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
  };
  std::vector<double> losses;
  for (const auto& row : table.rows)
    if (row[column("chooser")] == Cell{chooser})
      losses.push_back(number_of(row[column("loss")]).value());
  return losses;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("between the fitted processes and sizes the models' choice is near the best") {
  const TemporaryFolder folder;
  const auto models = folder.file("m.toml"), table = folder.file("losses.csv");
  const std::vector<std::string> job{"--platform", "grisou", "-q"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), job.begin(), job.end());
    const auto ended = run_sim(words);
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  };
  with({"fit", "models", "--collective", "bcast", "-o", models});
  with({"select", "models", "--models", models, "--procs", "6,12,24,60,80", "--message-size",
        "12KiB:3MiB", "--segment-size", "0,1KiB,4KiB,16KiB,64KiB", "-o", table});
  const auto losses = losses_in(table, "models");
  CHECK(losses.size() == 5 * 9);
  CHECK(mean_of(losses) < 0.03);
  CHECK(*std::ranges::max_element(losses) < 0.5);
  CHECK(mean_of(losses) < mean_of(losses_in(table, "formulas")) / 10);
}

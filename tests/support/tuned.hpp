// SPDX-License-Identifier: BSD-3-Clause
// Runs of `sim tune` and the rows of its tables.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sim/reports/tables/result_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

namespace tutti::tests {

inline constexpr const char* small_study = R"([study]
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

inline Ended tune(const TemporaryFolder& folder, const std::string& text,
                  std::vector<std::string> more = {}) {
  const auto file = folder.file("study.toml");
  std::ofstream(file) << text;
  std::vector<std::string> words{"tune", file, "-q"};
  words.insert(words.end(), more.begin(), more.end());
  return run_sim(words);
}

using Rows = std::vector<std::map<std::string, Cell>>;

inline Rows rows_of(const Ended& ended, const TemporaryFolder& folder) {
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

}  // namespace tutti::tests

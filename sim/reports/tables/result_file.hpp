// SPDX-License-Identifier: BSD-3-Clause
// Results from a file, whatever program wrote them: a store of `sim sweep`, a CSV, JSON or JSONL
// report of `sim run` or `sim export`, output of the OSU or the Intel MPI Benchmarks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/cell.hpp"
#include "sim/base/result.hpp"
#include "sim/store/store.hpp"

namespace tutti::reports {

struct ResultFile {
  std::string path;
  std::string study;  // the name, of a store
  // Columns are named as in the CSV of `sim run`, values in SI units.
  Table table;
  std::vector<std::string> provenance;  // a sentence each
  std::vector<std::string> failed;      // points that have no row
  std::vector<store::StoredStudy> studies;
};

// Told by its content, not by its name.
Result<ResultFile> read_result_file(const std::string& path);
// What is no store; `path` is for messages.
Result<ResultFile> read_result_text(std::string_view text, const std::string& path);

// Larger ones are refused.
inline constexpr std::size_t longest_result_file = std::size_t{1} << 30;

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
// Access to the columns of a CSV output of sim.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

namespace tutti::tests {

// The cells of a CSV line; quotes are removed.
inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line)
    if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

// The named column of the CSV rows.
inline std::vector<std::string> column(const Ended& ended, const std::string& name) {
  REQUIRE(ended.exit_code == 0);
  const auto lines = data_lines(ended.out);
  REQUIRE(!lines.empty());
  const auto names = split(lines[0], ',');
  const auto at =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  REQUIRE(at < names.size());
  std::vector<std::string> cells;
  for (std::size_t i = 1; i < lines.size(); ++i) cells.push_back(cells_of(lines[i]).at(at));
  return cells;
}

}  // namespace tutti::tests

// SPDX-License-Identifier: BSD-3-Clause
// CSV about the ranks of a job: a header that begins with "rank", then rows in any order.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/line_reader.hpp"

namespace tutti {

struct RankRow {
  std::size_t rank = 0;
  std::vector<std::string_view> values;  // trimmed, one for each name of the header behind "rank"
};

class RankRows {
 public:
  // Keeps views: all outlive it. `header`: "rank,node", of two or three names.
  RankRows(std::string_view text, std::string_view file, std::string_view header,
           std::size_t procs);

  // The next row of a rank of the job that has all values; others are refused. At the end a file
  // without a header is refused.
  std::optional<RankRow> next();
  // Tells places, takes refusals.
  LineReader& lines() { return lines_; }

 private:
  void check_header(std::string_view line);
  std::optional<RankRow> row_of(std::string_view line);

  LineReader lines_;
  std::string_view header_;
  std::size_t fields_;
  std::size_t procs_;
  bool seen_header_ = false;
};

}  // namespace tutti

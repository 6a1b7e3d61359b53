// SPDX-License-Identifier: BSD-3-Clause
// CSV files about the ranks of a job: a header that begins with "rank", then rows in any order. A
// rank table has exactly one row with one value (node, bytes, delay) for each rank.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/base/text_file.hpp"

namespace tutti {

struct RankRow {
  std::size_t rank = 0;
  std::vector<std::string_view> values;  // trimmed, one for each name in the header after "rank"
};

class RankRows {
 public:
  // The texts must outlive this object. `header` has two or three names: "rank,node".
  RankRows(std::string_view text, std::string_view file, std::string_view header,
           std::size_t procs);

  // The next valid row: a rank of the job and all values. Adds errors for invalid rows, and at the
  // end for a missing header.
  std::optional<RankRow> next();
  // The reader of the lines. It has the current position and collects errors.
  LineReader& lines() { return lines_; }

 private:
  void check_header(std::string_view line);
  std::optional<RankRow> parse_row(std::string_view line);

  LineReader lines_;
  std::string_view header_;
  std::size_t fields_;
  std::size_t procs_;
  bool seen_header_ = false;
};

struct RankTableFormat {
  std::string_view header;   // "rank,node"
  std::string_view missing;  // message for a rank without a row: "is not placed"
  std::string_view twice;    // message for a rank with two rows: "is placed twice"
};

// Receives the second field of a rank's row. Message and hint of a returned error are reported with
// the place of the row.
using TakeField = std::function<std::optional<Error>(std::size_t rank, std::string_view field)>;

// Reads a table in which each rank below `procs` must occur exactly once. `file` is used only in
// messages. Returns no errors if `take` has accepted every rank.
std::vector<Error> read_rank_table(std::string_view text, const std::string& file,
                                   const RankTableFormat& format, std::size_t procs,
                                   const TakeField& take);

}  // namespace tutti

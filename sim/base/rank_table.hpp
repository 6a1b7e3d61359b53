// SPDX-License-Identifier: BSD-3-Clause
// CSV about the ranks of a job: a header that begins with "rank", then rows in any order; and what
// is written down for every rank (its node, its bytes, its delay): one value, one row for each.
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

struct RankTableFormat {
  std::string_view header;   // "rank,node"
  std::string_view missing;  // of a rank that has no row: "is not placed"
  std::string_view twice;    // of one that has two: "is placed twice"
};

// Takes the second field of a rank's row; the message and the hint of an error that it returns are
// told with the row's place.
using TakeField = std::function<std::optional<Error>(std::size_t rank, std::string_view field)>;

// Each rank below `procs` must stand there exactly once. `file` is used in messages only. Empty:
// all is right, and every rank was taken.
std::vector<Error> read_rank_table(std::string_view text, const std::string& file,
                                   const RankTableFormat& format, std::size_t procs,
                                   const TakeField& take);

}  // namespace tutti

// SPDX-License-Identifier: BSD-3-Clause
// What is written down for every rank of a job (its node, its bytes, its delay): the rows of
// sim/base/rank_rows.hpp with one value, one for each rank.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"

namespace tutti {

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

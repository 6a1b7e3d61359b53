// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/rank_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/rank_rows.hpp"

namespace tutti {
namespace {

void check_complete(const std::vector<bool>& seen, const RankTableFormat& format,
                    LineReader& lines) {
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing == seen.end()) return;
  const auto count = std::count(seen.begin(), seen.end(), false);
  lines.refuse(fmt::format("rank {} {}{}", missing - seen.begin(), format.missing,
                           count > 1 ? fmt::format(" (and {} more)", count - 1) : ""),
               fmt::format("the job has ranks 0 to {}", seen.size() - 1));
}

}  // namespace

std::vector<Error> read_rank_table(std::string_view text, const std::string& file,
                                   const RankTableFormat& format, std::size_t procs,
                                   const TakeField& take) {
  RankRows rows(text, file, format.header, procs);
  std::vector<bool> seen(procs, false);
  while (const auto row = rows.next()) {
    if (seen[row->rank])
      rows.lines().refuse(fmt::format("rank {} {}", row->rank, format.twice));
    else if (const auto error = take(row->rank, row->values.front()))
      rows.lines().refuse(error->message, error->hint);
    else
      seen[row->rank] = true;
  }
  if (rows.lines().errors().empty()) check_complete(seen, format, rows.lines());
  return rows.lines().errors().errors();
}

}  // namespace tutti

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/salvage.hpp"

#include <set>

#include "sim/store/failure.hpp"
#include "sim/store/opening.hpp"
#include "sim/store/points.hpp"

namespace tutti::store {
namespace {

// True if the end was reached. Pages that lead in a circle give rows without end: more than the
// file has room for are not read.
bool read_whole_points(const Database& database, const char* order, const Store::Visit& visit,
                       std::set<std::string>& seen) {
  PointReader reader(database, order);
  try {
    std::int64_t left = database.most_rows();
    while (reader.next() && left-- > 0)
      if (reader.whole() && seen.insert(reader.point().key).second) visit(reader.point());
    return left >= 0;
  } catch (const Failure&) {
    return false;
  }
}

std::size_t count_lost(const Database& database, std::size_t whole) {
  try {
    const auto rows = static_cast<std::size_t>(load_digest(database, "points").rows);
    return rows > whole ? rows - whole : 0;
  } catch (const Failure&) {
    return 0;
  }
}

}  // namespace

Result<std::size_t> salvage(const std::string& path, const Store::Visit& visit) {
  return caught<Result<std::size_t>>([&]() -> Result<std::size_t> {
    const auto database = open_unchecked(result_store, path);
    std::set<std::string> seen;
    if (!read_whole_points(*database, "ORDER BY key", visit, seen))
      read_whole_points(*database, "ORDER BY key DESC", visit, seen);
    return count_lost(*database, seen.size());
  });
}

}  // namespace tutti::store

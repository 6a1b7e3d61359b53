// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/salvage.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/store/failure.hpp"
#include "sim/store/opening.hpp"
#include "sim/store/points.hpp"
#include "sim/store/schema.hpp"

namespace tutti::store {
namespace {

using Keys = std::set<std::string>;

// True if the end was reached. Pages that lead in a circle give rows without end: more than the
// file has room for are not read.
bool read_whole_points(const Database& database, const char* order, const Store::Visit& visit,
                       Keys& seen) {
  try {
    PointReader reader(database, order);
    std::int64_t left = database.most_rows();
    while (reader.next() && left-- > 0)
      if (reader.whole() && seen.insert(reader.point().key).second) visit(reader.point());
    return left >= 0;
  } catch (const Failure&) {
    return false;
  }
}

// Each page that may hold points, as if the table began there: what a damaged page above them leads
// to is found. Pages of other kinds are errors or rows without a checksum.
void read_loose_pages(const Database& database, const Store::Visit& visit, Keys& seen) {
  const auto copy = database.copy_in_memory();
  const auto pages = copy->integer("PRAGMA page_count");
  std::map<std::string, StoredPoint> found;  // free pages may have older states of points
  const auto keep = [&](const StoredPoint& point) {
    auto& kept = found.try_emplace(point.key, point).first->second;
    if (point.status == Status::done) kept = point;
  };
  for (std::int64_t page = 2; page <= pages; ++page) {
    copy->run("UPDATE sqlite_schema SET rootpage = ? WHERE name = 'points'", page);
    copy->execute("PRAGMA writable_schema = RESET");
    copy->execute("PRAGMA writable_schema = ON");
    for (const char* order : {"ORDER BY key", "ORDER BY key DESC"}) {
      Keys of_page;
      if (read_whole_points(*copy, order, keep, of_page)) break;
    }
  }
  for (const auto& [key, point] : found)
    if (seen.insert(key).second) visit(point);
}

// Nothing where the store no longer tells how many there were.
std::optional<std::size_t> count_of_points(const Database& database) {
  try {
    return static_cast<std::size_t>(load_digest(database, "points").rows);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

}  // namespace

Result<Salvaged> salvage(const std::string& path, const Store::Visit& visit) {
  return caught<Result<Salvaged>>([&]() -> Result<Salvaged> {
    const auto database = open_unchecked(result_store, path);
    check_not_newer(*database);
    const auto count = count_of_points(*database);
    Keys seen;
    const bool reached_end = read_whole_points(*database, "ORDER BY key", visit, seen);
    if (!reached_end) read_whole_points(*database, "ORDER BY key DESC", visit, seen);
    if (!reached_end && (!count || seen.size() < *count)) read_loose_pages(*database, visit, seen);
    if (!count) return Salvaged{std::nullopt};
    return Salvaged{*count - std::min(*count, seen.size())};
  });
}

}  // namespace tutti::store

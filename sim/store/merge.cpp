// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/merge.hpp"

#include "sim/store/database.hpp"
#include "sim/store/opening.hpp"
#include "sim/store/points.hpp"
#include "sim/store/schema.hpp"

namespace tutti::store {
namespace {

using Keys = std::set<std::string>;

// True if the end was reached. Damaged pages that form a cycle would yield rows without end, so at
// most as many rows are read as fit into the file.
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

// Reads every page as if the table began there, to find points below a damaged page. Pages of other
// kinds yield errors, or rows without a valid checksum.
void read_loose_pages(const Database& database, const Store::Visit& visit, Keys& seen) {
  const auto copy = database.copy_in_memory();
  const auto pages = copy->integer("PRAGMA page_count");
  std::map<std::string, StoredPoint> points;  // free pages may contain older states of points
  const auto keep = [&](const StoredPoint& point) {
    auto& kept = points.try_emplace(point.key, point).first->second;
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
  for (const auto& [key, point] : points)
    if (seen.insert(key).second) visit(point);
}

// Nothing if the count of points is unreadable.
std::optional<std::size_t> count_points(const Database& database) {
  try {
    return static_cast<std::size_t>(load_digest(database, "points").rows);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

using MaybeError = std::optional<Error>;

// The values that must be equal in every run of a point.
Row comparable_values(const StoredPoint& point) {
  Row results;
  for (const auto& cell : point.values)
    if (!is_cost(cell.name) && !is_output(cell.name)) results.push_back(cell);
  return results;
}

bool same_results(const StoredPoint& a, const StoredPoint& b) {
  const Row left = comparable_values(a);
  const Row right = comparable_values(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const NamedCell& left_cell, const NamedCell& right_cell) {
                      return left_cell.name == right_cell.name &&
                             left_cell.value == right_cell.value;
                    });
}

Error contradiction_error(const std::string& from, const std::string& key) {
  return make_error(ErrorKind::store, from,
                    "contradicts the previous stores in the results of point " + key,
                    "nothing was merged; compare both results with `sim export`");
}

MaybeError merge_known(Store& into, const std::string& from, const StoredPoint& point,
                       Merged& merged) {
  const auto stored = TUTTI_TRY(into.find(point.key));
  const StoredPoint& known = *stored;
  if (known.status == Status::failed && point.status == Status::done) {
    ++merged.replaced;
    return into.put(point);
  }
  const bool both_done = known.status == Status::done && point.status == Status::done;
  if (both_done && !same_results(known, point)) return contradiction_error(from, point.key);
  ++merged.known;
  return std::nullopt;
}

MaybeError merge_point(Store& into, const std::string& from, const StoredPoint& point,
                       Merged& merged) {
  const auto known = TUTTI_TRY(into.has(point.key));
  if (known) return merge_known(into, from, point, merged);
  ++merged.added;
  return into.put(point);
}

MaybeError merge_studies(Store& into, const Store& from) {
  const auto studies = TUTTI_TRY(from.studies());
  const auto known = TUTTI_TRY(into.studies());
  std::map<std::string, std::vector<std::string>> members;
  const auto error = from.visit_members(
      [&](const auto& study, const auto& key) { members[study].push_back(key); });
  if (error) return error;
  for (const auto& study : studies) {
    const auto same = std::find_if(known.begin(), known.end(),
                                   [&](const auto& other) { return other.name == study.name; });
    // The first store that has a study determines its description.
    const auto& reported = same == known.end() ? study : *same;
    if (auto failed = into.set_members(reported, members[study.name], false)) return failed;
  }
  return std::nullopt;
}

MaybeError merge_whole(Store& into, const std::string& path, Merged& merged) {
  const auto from = TUTTI_TRY(Store::open(path, Store::Access::read));
  MaybeError failed;
  const auto damaged = from.visit(
      [&](const StoredPoint& point) {
        if (!failed) failed = merge_point(into, path, point, merged);
      },
      false);
  if (failed) return failed;
  if (damaged) return damaged;
  return merge_studies(into, from);
}

StoredStudy salvaged_study(const std::string& path) {
  return {.name = "salvaged",
          .description = "points of a damaged store",
          .toml = {},
          .command = "sim store merge --salvage " + path,
          .version = {},
          .simgrid_version = {},
          .started = {}};
}

MaybeError merge_salvaged(Store& into, const std::string& path, Merged& merged) {
  MaybeError failed;
  std::vector<std::string> keys;
  const auto lost = salvage(path, [&](const StoredPoint& point) {
    if (!failed) failed = merge_point(into, path, point, merged);
    keys.push_back(point.key);
  });
  if (!lost) return lost.error();
  if (failed) return failed;
  merged.lost += lost->lost.value_or(0);
  merged.may_lose_more |= !lost->lost;
  const auto from = Store::open(path, Store::Access::read);
  if (from && !merge_studies(into, *from)) return std::nullopt;
  return into.set_members(salvaged_study(path), keys, false);
}

}  // namespace

Result<Salvaged> salvage(const std::string& path, const Store::Visit& visit) {
  return caught<Result<Salvaged>>([&]() -> Result<Salvaged> {
    const auto database = open_unchecked(result_store, path);
    check_not_newer(*database);
    const auto count = count_points(*database);
    Keys seen;
    const bool reached_end = read_whole_points(*database, "ORDER BY key", visit, seen);
    if (!reached_end) read_whole_points(*database, "ORDER BY key DESC", visit, seen);
    if (!reached_end && (!count || seen.size() < *count)) read_loose_pages(*database, visit, seen);
    if (!count) return Salvaged{std::nullopt};
    return Salvaged{*count - std::min(*count, seen.size())};
  });
}

bool is_cost(std::string_view column) {
  return column == "wall_s" || column == "peak_rss_bytes" || column == "finished";
}

Result<Merged> merge(Store& into, const std::vector<std::string>& from, bool salvages) {
  Merged merged;
  const auto error = into.atomically([&]() -> MaybeError {
    for (const auto& path : from) {
      const auto failed =
          salvages ? merge_salvaged(into, path, merged) : merge_whole(into, path, merged);
      if (failed) return failed;
    }
    return std::nullopt;
  });
  if (error) return *error;
  return merged;
}

}  // namespace tutti::store

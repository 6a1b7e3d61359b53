// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/merge.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/error_list.hpp"
#include "sim/store/salvage.hpp"

namespace tutti::store {
namespace {

using MaybeError = std::optional<Error>;

// What must be equal wherever a point was run.
Row results_of(const StoredPoint& point) {
  Row results;
  for (const auto& cell : point.values)
    if (!is_cost(cell.name) && cell.name != "said") results.push_back(cell);
  return results;
}

bool same_results(const StoredPoint& a, const StoredPoint& b) {
  const Row left = results_of(a);
  const Row right = results_of(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const NamedCell& one, const NamedCell& other) {
                      return one.name == other.name && one.value == other.value;
                    });
}

Error contradiction(const std::string& from, const std::string& key) {
  return make_error(ErrorKind::store, from,
                    "has other results for point " + key + " than the stores before it",
                    "nothing was merged; `sim export` shows both");
}

MaybeError merge_known(Store& into, const std::string& from, const StoredPoint& point,
                       Merged& merged) {
  const auto found = TUTTI_TRY(into.find(point.key));
  const StoredPoint& known = *found;
  if (known.status == Status::failed && point.status == Status::done) {
    ++merged.replaced;
    return into.put(point);
  }
  const bool both_done = known.status == Status::done && point.status == Status::done;
  if (both_done && !same_results(known, point)) return contradiction(from, point.key);
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
    // The first that told of a study is believed.
    const auto& told = same == known.end() ? study : *same;
    if (auto failed = into.set_members(told, members[study.name], false)) return failed;
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

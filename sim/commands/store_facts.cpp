// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/store_facts.hpp"

#include <algorithm>
#include <unordered_map>

#include "sim/reports/formats.hpp"

namespace tutti::commands {
namespace {

using store::Status;
using store::Store;

struct Seen {
  Status status;
  bool belongs = false;
};
using SeenByKey = std::unordered_map<std::string, Seen>;

void add_value(StoreFacts& facts, const NamedCell& cell) {
  if (cell.name == "platform") ++facts.platforms[to_text(cell.value)];
  if (cell.name == "model_version") ++facts.model_versions[to_text(cell.value)];
  const auto* real = std::get_if<double>(&cell.value);
  if (cell.name == "wall_s" && real != nullptr) facts.wall_s += *real;
  const auto* number = std::get_if<std::int64_t>(&cell.value);
  if (cell.name == "peak_rss_bytes" && number != nullptr)
    facts.peak_rss_bytes = std::max(facts.peak_rss_bytes, *number);
}

std::optional<Error> add_points(const Store& store, StoreFacts& facts, SeenByKey& seen) {
  return store.visit(
      [&](const auto& point) {
        ++facts.points;
        seen.emplace(point.key, Seen{point.status});
        for (const auto& cell : point.values) add_value(facts, cell);
      },
      false);
}

void add_member(StudyFacts& facts, SeenByKey& seen, const std::string& key) {
  ++facts.points;
  const auto found = seen.find(key);
  if (found == seen.end()) return;
  found->second.belongs = true;
  ++(found->second.status == Status::done ? facts.done : facts.failed);
}

std::optional<Error> add_members(const Store& store, StoreFacts& facts, SeenByKey& seen) {
  std::unordered_map<std::string, StudyFacts*> by_name;
  for (auto& each : facts.studies) by_name[each.study.name] = &each;
  return store.visit_members([&](const auto& study, const auto& key) {
    const auto found = by_name.find(study);
    if (found != by_name.end()) add_member(*found->second, seen, key);
  });
}

}  // namespace

Result<StoreFacts> facts_of_store(const std::string& path) {
  const auto store = TUTTI_TRY(Store::open(path, Store::Access::read));
  StoreFacts facts{.path = path};
  SeenByKey seen;
  if (const auto error = add_points(store, facts, seen)) return *error;
  const auto studies = TUTTI_TRY(store.studies());
  for (const auto& study : studies) facts.studies.push_back({study});
  if (const auto error = add_members(store, facts, seen)) return *error;
  facts.without_study = static_cast<std::size_t>(std::count_if(
      seen.begin(), seen.end(), [](const auto& each) { return !each.second.belongs; }));
  return facts;
}

}  // namespace tutti::commands

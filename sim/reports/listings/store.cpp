// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/store.hpp"

#include "sim/reports/listings/listings.hpp"

namespace tutti::reports {
namespace {

struct StudyFacts {
  store::StoredStudy study;
  std::size_t points = 0;  // points of the study, stored or not
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t missing() const { return points - done - failed; }
};

using Counts = std::map<std::string, std::size_t>;

struct StoreFacts {
  std::string path;
  std::size_t points = 0;
  std::size_t without_study = 0;
  std::vector<StudyFacts> studies{};
  Counts platforms{};        // number of points by platform
  Counts model_versions{};   // number of points by model version
  Seconds wall_s = 0;        // sum over all points
  Bytes peak_rss_bytes = 0;  // maximum over all points
};

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
  const auto entry = seen.find(key);
  if (entry == seen.end()) return;
  entry->second.belongs = true;
  ++(entry->second.status == Status::done ? facts.done : facts.failed);
}

std::optional<Error> add_members(const Store& store, StoreFacts& facts, SeenByKey& seen) {
  std::unordered_map<std::string, StudyFacts*> by_name;
  for (auto& study_facts : facts.studies) by_name[study_facts.study.name] = &study_facts;
  return store.visit_members([&](const auto& study, const auto& key) {
    const auto named = by_name.find(study);
    if (named != by_name.end()) add_member(*named->second, seen, key);
  });
}

Result<StoreFacts> facts_of_store(const std::string& path) {
  const auto store = TUTTI_TRY(Store::open(path, Store::Access::read));
  StoreFacts facts{.path = path};
  SeenByKey seen;
  if (const auto error = add_points(store, facts, seen)) return *error;
  const auto studies = TUTTI_TRY(store.studies());
  for (const auto& study : studies) facts.studies.push_back({study});
  if (const auto error = add_members(store, facts, seen)) return *error;
  facts.without_study = static_cast<std::size_t>(std::count_if(
      seen.begin(), seen.end(), [](const auto& entry) { return !entry.second.belongs; }));
  return facts;
}

template <class Member>
auto of_study(Member store::StoredStudy::*member) {
  return [member](const StudyFacts& facts) { return facts.study.*member; };
}

DocumentTable studies_table(const std::vector<StudyFacts>& studies) {
  using store::StoredStudy;
  TableOf table(studies, {.name = "studies"});
  table.add("name", {"study", Shown::name}, of_study(&StoredStudy::name));
  table.add("description", {.how = Shown::below}, of_study(&StoredStudy::description));
  table.add("points", {"points"}, &StudyFacts::points);
  table.add("done", {"done"}, &StudyFacts::done);
  table.add("failed", {"failed"}, &StudyFacts::failed);
  table.add("command", {.how = Shown::below}, of_study(&StoredStudy::command));
  table.add("version", {"Tutti", Shown::below}, of_study(&StoredStudy::version));
  table.add("simgrid_version", {"SimGrid", Shown::below}, of_study(&StoredStudy::simgrid_version));
  table.add("started", {"last run"}, of_study(&StoredStudy::started));
  table.add("toml", of_study(&StoredStudy::toml));
  return table.take();
}

DocumentTable counts_table(const Counts& counts, const char* name, const char* head) {
  TableOf table(counts, {.name = name, .is_keyed = true});
  table.add("name", {head}, [](auto& entry) { return entry.first; });
  table.add("points", {"points"}, [](auto& entry) { return entry.second; });
  return table.take();
}

}  // namespace

std::string file_size_of(const std::string& path) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  return failed ? "unknown size" : rounded_bytes(static_cast<double>(bytes));
}

Result<Document> store_listing(const std::string& path) {
  const auto facts = TUTTI_TRY(facts_of_store(path));
  auto listing =
      listing_of("sim.store/1", {studies_table(facts.studies),
                                 counts_table(facts.platforms, "platforms", "platform"),
                                 counts_table(facts.model_versions, "model_versions", "models")});
  listing.know("file", path);
  listing.know("points", facts.points);
  listing.know("points_without_study", facts.without_study);
  for (const char* table : {"studies", "platforms", "model_versions"}) listing.place_table(table);
  listing.know("wall_s", facts.wall_s);
  listing.know("peak_rss_bytes", facts.peak_rss_bytes);
  listing.add_fact(
      "store", fmt::format("{}: {}, {}", path, counted(facts.points, "point"), file_size_of(path)));
  if (facts.without_study > 0)
    listing.add_fact("no study", fmt::format("{}; `sim store gc` removes them",
                                             counted(facts.without_study, "point")));
  if (facts.wall_s > 0)
    listing.add_fact("cost", fmt::format("{} of compute time, at most {} per point",
                                         format_seconds(facts.wall_s),
                                         rounded_bytes(static_cast<double>(facts.peak_rss_bytes))));
  return listing;
}

}  // namespace tutti::reports

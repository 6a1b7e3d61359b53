// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/store.hpp"

#include "sim/commands/command.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/store/merge.hpp"
#include "sim/store/store.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const store_subcommands[] = {
    &store_check,
    &store_info,
    &store_merge,
    &store_gc,
};

}  // namespace

Result<std::string> store_argument(const OptionValues& parsed) {
  if (parsed.arguments.size() == 1 && !parsed.arguments.front().empty())
    return parsed.arguments.front();
  return usage_error("", "one store is needed, the file of a `sim sweep`");
}

std::string file_size_of(const std::string& path) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  return failed ? "unknown size" : rounded_bytes(static_cast<double>(bytes));
}

extern const Command store_command{
    .name = "store",
    .summary = "look after stores of results",
    .help = "Looks after stores: the files that `sim sweep` keeps its results in.",
    .subcommands = store_subcommands};

// sim store info: what a store holds, and what it took to compute.

namespace {

// What `sim store info` tells of a store.

struct StudyFacts {
  store::StoredStudy study;
  std::size_t points = 0;  // asked for; not all need be there
  std::size_t done = 0;
  std::size_t failed = 0;
};

struct StoreFacts {
  std::string path;
  std::size_t points = 0;
  std::size_t without_study = 0;
  std::vector<StudyFacts> studies{};
  std::map<std::string, std::size_t> platforms{};       // how many points, by name
  std::map<std::string, std::size_t> model_versions{};  // the same
  Seconds wall_s = 0;                                   // of all points together
  Bytes peak_rss_bytes = 0;                             // of the largest
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

using Json = nlohmann::ordered_json;

constexpr OptionSpec store_info_specs[] = {text_json_option, color_option, quiet_option,
                                           help_option};
constexpr std::size_t info_indent = 10;

// "study     halo: 400 of 412 points", wrapped behind its label.
std::string entry(std::string_view label, const std::string& text) {
  return reports::paragraph(printable(text), info_indent, label);
}

std::string text_of(const StudyFacts& facts) {
  const auto& study = facts.study;
  const std::size_t missing = facts.points - facts.done - facts.failed;
  std::string text = entry("study", study.description.empty()
                                        ? study.name
                                        : fmt::format("{}: {}", study.name, study.description));
  text += entry("", fmt::format("{}: {} done, {} failed, {} to come",
                                counted(facts.points, "point"), facts.done, facts.failed, missing));
  if (!study.started.empty())
    text += entry("", fmt::format("last run {}, Tutti {}, SimGrid {}", study.started, study.version,
                                  study.simgrid_version));
  return text + entry("", study.command);
}

std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::string list;
  for (const auto& [name, count] : counts)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", name, counted(count, "point"));
  return list;
}

std::string text_of(const StoreFacts& facts) {
  std::string text =
      entry("store", fmt::format("{}: {}, {}", facts.path, counted(facts.points, "point"),
                                 file_size_of(facts.path)));
  for (const auto& study : facts.studies) text += text_of(study);
  if (facts.without_study > 0)
    text += entry("no study", fmt::format("{}; `sim store gc` removes them",
                                          counted(facts.without_study, "point")));
  if (!facts.platforms.empty()) text += entry("platforms", counts_text(facts.platforms));
  if (!facts.model_versions.empty()) text += entry("models", counts_text(facts.model_versions));
  if (facts.wall_s > 0)
    text += entry("cost",
                  fmt::format("{} of computing, at most {} a point", format_seconds(facts.wall_s),
                              rounded_bytes(static_cast<double>(facts.peak_rss_bytes))));
  return text;
}

Json json_of(const StudyFacts& facts) {
  const auto& study = facts.study;
  return {{"name", study.name},       {"description", study.description},
          {"points", facts.points},   {"done", facts.done},
          {"failed", facts.failed},   {"command", study.command},
          {"version", study.version}, {"simgrid_version", study.simgrid_version},
          {"started", study.started}, {"toml", study.toml}};
}

std::string json_of(const StoreFacts& facts) {
  Json studies = Json::array();
  for (const auto& study : facts.studies) studies.push_back(json_of(study));
  const Json all{{"schema", "sim.store/1"},
                 {"file", facts.path},
                 {"points", facts.points},
                 {"points_without_study", facts.without_study},
                 {"studies", studies},
                 {"platforms", Json(facts.platforms)},
                 {"model_versions", Json(facts.model_versions)},
                 {"wall_s", facts.wall_s},
                 {"peak_rss_bytes", facts.peak_rss_bytes}};
  return reports::dumped(all, 2);
}

Result<int> run_store_info(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"text", "json"}));
  const auto facts = TUTTI_TRY(facts_of_store(path));
  return print(format == "json" ? json_of(facts) : text_of(facts));
}

}  // namespace

const Subcommand store_info{
    .usage = "info FILE",
    .summary = "studies, points, platforms, cost",
    .help =
        "Prints what a store holds: its studies, how many of their points are done, failed or "
        "still to come, the platforms and versions that they were simulated with, and what that "
        "cost.",
    .specs = store_info_specs,
    .run = run_store_info};

// sim store check: whether stores are whole.

namespace {

constexpr OptionSpec store_check_specs[] = {color_option, quiet_option, help_option};

Result<store::StoreSize> size_of(const std::string& path) {
  const auto opened = store::Store::open(path, store::Store::Access::read);
  return opened ? opened->verify() : Result<store::StoreSize>(opened.errors());
}

Result<int> check_store(const std::string& path) {
  const auto size = TUTTI_TRY(size_of(path));
  return print(
      fmt::format("{}: whole, {} of {}\n", printable(path), counted(size.points, "point"),
                  size.studies == 1 ? "1 study" : fmt::format("{} studies", size.studies)));
}

Result<int> run_store_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (parsed.arguments.empty()) return usage_error("", "which stores?");
  int worst = exit_done;
  for (const auto& path : parsed.arguments) {
    const auto checked = check_store(path);
    const int code = checked ? *checked : diagnostics.fail(checked.errors());
    if (worst == exit_done) worst = code;
  }
  return worst;
}

}  // namespace

const Subcommand store_check{
    .usage = "check FILE...",
    .summary = "whether stores are whole",
    .help =
        "Reads everything: the file's pages, every point and its checksum, the number of points, "
        "the studies. Says how many there are; the exit code is 3 if a store is damaged. A store "
        "that is being written may be checked.",
    .specs = store_check_specs,
    .run = run_store_check};

// sim store gc: drops the points that no study asks for any more.

namespace {

constexpr OptionSpec store_gc_specs[] = {
    {option_group, "--dry-run", "", "say what would be removed, change nothing"},
    color_option,
    quiet_option,
    help_option};

Result<std::size_t> count_points(const Store& store, bool members_only) {
  std::size_t count = 0;
  if (auto error = store.visit([&](const auto&) { ++count; }, members_only)) return *error;
  return count;
}

Result<std::string> tell_removable(const std::string& path) {
  const auto store = TUTTI_TRY(Store::open(path, Store::Access::read));
  const auto all = TUTTI_TRY(count_points(store, false));
  const auto wanted = TUTTI_TRY(count_points(store, true));
  return fmt::format("{}: {} of {} to remove\n", printable(path), all - wanted,
                     counted(all, "point"));
}

// Closing the store shortens the file.
Result<std::size_t> remove_orphans(const std::string& path) {
  auto store = Store::open(path, Store::Access::write);
  return store ? store->remove_orphans() : Result<std::size_t>(store.errors());
}

Result<std::string> tell_removed(const std::string& path) {
  // A missing store is an error, not a new one.
  if (const auto store = Store::open(path, Store::Access::read); !store) return store.errors();
  const std::string before = file_size_of(path);
  const auto removed = TUTTI_TRY(remove_orphans(path));
  return fmt::format("{}: {} removed; {}, was {}\n", printable(path), counted(removed, "point"),
                     file_size_of(path), before);
}

Result<int> run_store_gc(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  const auto text = TUTTI_TRY(parsed.has("--dry-run") ? tell_removable(path) : tell_removed(path));
  return print(text);
}

}  // namespace

const Subcommand store_gc{
    .usage = "gc FILE",
    .summary = "removes points that belong to no study",
    .help =
        "Removes the points that no study of the store asks for any more (its file has changed, "
        "or a parameter, or Tutti) and gives their room back. `sim export` and pictures leave them "
        "out anyway; a sweep that asks for them again need not simulate them again.",
    .specs = store_gc_specs,
    .run = run_store_gc};

// sim store merge: several stores become one.

namespace {

constexpr OptionSpec store_merge_specs[] = {
    written({option_group, "-o,--output", "FILE",
             "the store to merge into (required); made if missing"}),
    {option_group, "--salvage", "", "of damaged stores, take the points that are whole"},
    color_option,
    quiet_option,
    help_option};

std::optional<Error> wrong_arguments(const OptionValues& parsed) {
  if (!parsed.has("--output"))
    return usage_error("--output", "is required", "the store to merge into: -o all.db");
  if (parsed.arguments.empty()) return usage_error("", "which stores are to be merged?");
  return std::nullopt;
}

// Before the output is made.
std::optional<Error> unreadable(const std::vector<std::string>& paths) {
  for (const auto& path : paths)
    if (const auto store = Store::open(path, Store::Access::read); !store) return store.error();
  return std::nullopt;
}

std::string told(const std::string& out, const store::Merged& merged) {
  std::string text = fmt::format("{}: {} added, {} known", printable(out),
                                 counted(merged.added, "point"), merged.known);
  if (merged.replaced > 0) text += fmt::format(", {} done that had failed", merged.replaced);
  return text + '\n';
}

Result<store::Merged> merge(const std::string& out, const OptionValues& parsed) {
  auto store = Store::open(out, Store::Access::write);
  if (!store) return store.errors();
  return store::merge(*store, parsed.arguments, parsed.has("--salvage"));
}

Result<int> run_store_merge(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (const auto error = wrong_arguments(parsed)) return *error;
  if (!parsed.has("--salvage"))
    if (const auto error = unreadable(parsed.arguments)) return *error;
  const std::string& out = parsed.value("--output");
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(out, ignored);
  const auto merged = merge(out, parsed);
  if (!merged) {
    if (is_new) std::filesystem::remove(out, ignored);
    return merged.errors();
  }
  const bool is_whole = merged->lost == 0 && !merged->may_lose_more;
  if (!is_whole)
    diagnostics.warning(fmt::format(
        "{} could not be saved: `sim sweep` runs what is missing",
        merged->may_lose_more ? "an unknown number of points" : counted(merged->lost, "point")));
  TUTTI_TRY(print(told(out, *merged)));
  return is_whole ? exit_done : exit_points_failed;
}

}  // namespace

const Subcommand store_merge{
    .usage = "merge -o OUT FILE...",
    .summary = "several stores become one",
    .help =
        "Adds the points and studies of the FILEs to OUT, all or nothing. Where two know the same "
        "point they must agree in all but what the simulation cost; a point that is done wins over "
        "a failed one. --salvage takes what is whole of damaged stores; exit code 1 if something "
        "is lost.",
    .specs = store_merge_specs,
    .run = run_store_merge};

}  // namespace tutti::commands

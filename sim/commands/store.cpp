// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/store.hpp"

#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/store.help.hpp"
#include "sim/reports/listings/listings.hpp"
#include "sim/store/merge.hpp"
#include "sim/store/store.hpp"

namespace tutti::commands {

Result<std::string> store_argument(const OptionValues& parsed) {
  if (parsed.arguments.size() == 1 && !parsed.arguments.front().empty())
    return parsed.arguments.front();
  return usage_error("", "expected one store, the result file of `sim sweep`",
                     "a study.toml has the store study.db, unless --store names another");
}

namespace {

using store::Store;

// sim store info: contents and cost of a store.

constexpr auto store_info_specs = listing_specs();

Result<int> run_store_info(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  return write_document(TUTTI_TRY(reports::store_listing(path)), parsed);
}

const Subcommand store_info{.usage = "info FILE",
                            .summary = "print studies, points, platforms, cost",
                            .help = texts::store["info"],
                            .specs = store_info_specs,
                            .run = run_store_info};

// sim store check: verifies that stores are intact.

constexpr OptionSpec store_check_specs[] = {color_option, quiet_option, help_option};

Result<int> check_store(const std::string& path) {
  const auto store = TUTTI_TRY(Store::open(path, Store::Access::read));
  const auto size = TUTTI_TRY(store.verify());
  return print(
      fmt::format("{}: intact, {} of {}\n", printable(path), counted(size.points, "point"),
                  size.studies == 1 ? "1 study" : fmt::format("{} studies", size.studies)));
}

Result<int> run_store_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (parsed.arguments.empty())
    return usage_error("", "expected one or more stores", "for example sim store check study.db");
  int worst = exit_done;
  for (const auto& path : parsed.arguments) {
    const auto checked = check_store(path);
    const int code = checked ? *checked : diagnostics.fail(checked.errors());
    if (worst == exit_done) worst = code;
  }
  return worst;
}

const Subcommand store_check{.usage = "check FILE...",
                             .summary = "verify that stores are intact",
                             .help = texts::store["check"],
                             .specs = store_check_specs,
                             .run = run_store_check};

// sim store gc: removes the points that no longer belong to a study.

constexpr OptionSpec store_gc_specs[] = {
    {option_group, "--dry-run", "", "Print what would be removed, change nothing"},
    color_option,
    quiet_option,
    help_option};

Result<std::size_t> count_points(const Store& store, bool members_only) {
  std::size_t count = 0;
  if (auto error = store.visit([&](const auto&) { ++count; }, members_only)) return *error;
  return count;
}

Result<std::string> report_removable(const std::string& path) {
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

Result<std::string> report_removed(const std::string& path) {
  // Opened for reading first, so that a missing store is an error instead of created.
  if (const auto store = Store::open(path, Store::Access::read); !store) return store.errors();
  const std::string before = reports::file_size_of(path);
  const auto removed = TUTTI_TRY(remove_orphans(path));
  return fmt::format("{}: {} removed; {}, was {}\n", printable(path), counted(removed, "point"),
                     reports::file_size_of(path), before);
}

Result<int> run_store_gc(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  const auto text =
      TUTTI_TRY(parsed.has("--dry-run") ? report_removable(path) : report_removed(path));
  return print(text);
}

const Subcommand store_gc{.usage = "gc FILE",
                          .summary = "remove points that belong to no study",
                          .help = texts::store["gc"],
                          .specs = store_gc_specs,
                          .run = run_store_gc};

// sim store merge: merges several stores into one.

constexpr OptionSpec store_merge_specs[] = {
    written({option_group, "-o,--output", "FILE",
             "Store to merge into (required); created if missing"}),
    {option_group, "--salvage", "", "Recover the intact points of damaged stores"},
    color_option,
    quiet_option,
    help_option};

std::optional<Error> wrong_arguments(const OptionValues& parsed) {
  if (!parsed.has("--output"))
    return usage_error("--output", "is required", "the store to merge into: -o all.db");
  if (parsed.arguments.empty())
    return usage_error("", "expected one or more stores to merge",
                       "sim store merge A.db B.db -o ALL.db");
  return std::nullopt;
}

// The error of the first store that cannot be opened; checked before the output is created.
std::optional<Error> unreadable(const std::vector<std::string>& paths) {
  for (const auto& path : paths)
    if (const auto store = Store::open(path, Store::Access::read); !store) return store.error();
  return std::nullopt;
}

std::string merge_summary(const std::string& out, const store::Merged& merged) {
  std::string text = fmt::format("{}: {} added, {} already stored", printable(out),
                                 counted(merged.added, "point"), merged.known);
  if (merged.replaced > 0) text += fmt::format(", {} failed points replaced", merged.replaced);
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
        "{} could not be recovered: `sim sweep` runs the missing points again",
        merged->may_lose_more ? "an unknown number of points" : counted(merged->lost, "point")));
  TUTTI_TRY(print(merge_summary(out, *merged)));
  return is_whole ? exit_done : exit_points_failed;
}

const Subcommand store_merge{.usage = "merge -o OUT FILE...",
                             .summary = "merge several stores into one",
                             .help = texts::store["merge"],
                             .specs = store_merge_specs,
                             .run = run_store_merge};

const Subcommand* const store_subcommands[] = {
    &store_export, &store_check, &store_info, &store_merge, &store_gc,
};

}  // namespace

extern const Command store_command{
    .name = "store",
    .summary = "inspect and maintain stores of results",
    .help = "Inspects and maintains stores: the files in which `sim sweep` stores its results.",
    .subcommands = store_subcommands};

}  // namespace tutti::commands

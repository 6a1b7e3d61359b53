// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/store.hpp"

#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/reports/listings/listings.hpp"
#include "sim/store/merge.hpp"
#include "sim/store/store.hpp"

namespace tutti::commands {

Result<std::string> store_argument(const OptionValues& parsed) {
  if (parsed.arguments.size() == 1 && !parsed.arguments.front().empty())
    return parsed.arguments.front();
  return usage_error("", "one store is needed, the file of a `sim sweep`");
}

namespace {

using store::Store;

// sim store info: what a store holds, and what it took to compute.

constexpr auto store_info_specs = listing_specs();

Result<int> run_store_info(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  return write_document(TUTTI_TRY(reports::store_listing(path)), parsed);
}

const Subcommand store_info{
    .usage = "info FILE",
    .summary = "studies, points, platforms, cost",
    .help =
        "Prints what a store holds: its studies, how many points they have and how many of them "
        "are done or failed, the platforms and versions that they were simulated with, and what "
        "that cost.",
    .specs = store_info_specs,
    .run = run_store_info};

// sim store check: whether stores are whole.

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
  // A missing store is an error, not a new one.
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

std::string reported(const std::string& out, const store::Merged& merged) {
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
  TUTTI_TRY(print(reported(out, *merged)));
  return is_whole ? exit_done : exit_points_failed;
}

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

const Subcommand* const store_subcommands[] = {
    &store_export, &store_check, &store_info, &store_merge, &store_gc,
};

}  // namespace

extern const Command store_command{
    .name = "store",
    .summary = "look after stores of results",
    .help = "Looks after stores: the files that `sim sweep` keeps its results in.",
    .subcommands = store_subcommands};

}  // namespace tutti::commands

// SPDX-License-Identifier: BSD-3-Clause
// sim store gc: drops the points that no study asks for any more.
#include <fmt/format.h>

#include "sim/base/counted.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/store.hpp"
#include "sim/store/store.hpp"

namespace tutti::commands {
namespace {

using store::Store;

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

}  // namespace tutti::commands

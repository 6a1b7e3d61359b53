// SPDX-License-Identifier: BSD-3-Clause
// sim store merge: several stores become one.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/store.hpp"
#include "sim/store/merge.hpp"
#include "sim/store/store.hpp"

namespace tutti::commands {
namespace {

using store::Store;

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
        "is "
        "lost.",
    .specs = store_merge_specs,
    .run = run_store_merge};

}  // namespace tutti::commands

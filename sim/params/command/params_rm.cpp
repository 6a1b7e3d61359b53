// SPDX-License-Identifier: BSD-3-Clause
// sim params rm: sets of parameters go.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/keeping.hpp"

namespace tutti::commands {
namespace {

constexpr OptionSpec params_rm_specs[] = {
    {option_group, "--history", "", "all that is history, in place of NUMBERs"},
    params_option::database,
    color_option,
    quiet_option,
    help_option};

// The numbers that are asked for; all must be there, so that a slip removes nothing.
Result<std::vector<std::int64_t>> numbers_of(const OptionValues& parsed,
                                             const std::vector<store::ParameterSet>& sets) {
  std::vector<std::int64_t> numbers;
  if (parsed.has("--history")) {
    if (!parsed.arguments.empty()) return usage_error("--history", "takes no numbers beside it");
    for (const auto& set : sets)
      if (!set.is_current) numbers.push_back(set.number);
    return numbers;
  }
  if (parsed.arguments.empty())
    return usage_error("", "which sets?", "their numbers: `sim params list` has them");
  std::vector<Error> errors;
  for (const auto& word : parsed.arguments) {
    const auto number = parse_integer(word);
    const bool is_there =
        number && std::ranges::find(sets, *number, &store::ParameterSet::number) != sets.end();
    if (is_there)
      numbers.push_back(*number);
    else
      errors.push_back(usage_error("", fmt::format("there is no set {}", in_quotes(word)),
                                   "`sim params list --history` has the numbers"));
  }
  if (!errors.empty()) return errors;
  return numbers;
}

Result<int> run_params_rm(const OptionValues& parsed, const Diagnostics&) {
  // Not made for that.
  const auto before = TUTTI_TRY(sets_of(parsed));
  const auto numbers = TUTTI_TRY(numbers_of(parsed, before));
  auto database = TUTTI_TRY(open_database(parsed));
  if (const auto error = studies::params::discard(database, numbers)) return *error;
  const auto after = TUTTI_TRY(database.sets());
  std::string text = counted(before.size() - after.size(), "set") + " removed\n";
  for (const auto& set : after) {
    const auto was = std::ranges::find(before, set.number, &store::ParameterSet::number);
    if (set.is_current && was != before.end() && !was->is_current)
      text += fmt::format("set {} is current again\n", set.number);
  }
  return print(text);
}

}  // namespace

const Subcommand params_rm{
    .usage = "rm NUMBER...",
    .summary = "sets go; what they had replaced is current again",
    .help =
        "Removes sets of parameters. Where the current one of a key goes, the best of its "
        "history takes its place.",
    .specs = params_rm_specs,
    .run = run_params_rm};

}  // namespace tutti::commands

// SPDX-License-Identifier: BSD-3-Clause
// sim params merge and import: add the sets of another database or file.

#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/keeping.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/report/reports.hpp"

namespace tutti::commands {
namespace {

using store::ParameterSet;

constexpr auto merge_specs = joined(
    std::to_array<OptionSpec>(
        {taking("union intersection", {option_group, "--how", "HOW", texts::params["--how"]}),
         {option_group, "--salvage", "", "Merge the intact sets of a damaged database"}}),
    params_option::of_all);

std::string merge_text(const studies::params::MergedSets& merged) {
  std::string text =
      fmt::format("{} added, {} already stored", counted(merged.added, "set"), merged.known);
  const auto add = [&](std::size_t count, const char* noun) {
    if (count > 0) text += fmt::format(", {} {}", count, noun);
  };
  add(merged.replaced, "replaced others");
  add(merged.worse, "added to the history");
  add(merged.retired, "moved to the history: only in one database, or without equal parameters");
  return text + '\n';
}

Result<std::string> only_file(const OptionValues& parsed, const char* noun) {
  if (parsed.arguments.size() == 1 && !parsed.arguments.front().empty())
    return parsed.arguments.front();
  return usage_error("", fmt::format("exactly one {} is required", noun),
                     "`sim params --help` shows the arguments");
}

Result<store::SalvagedSets> read_database(const std::string& path, bool salvages,
                                          const Diagnostics& diagnostics) {
  if (salvages) {
    auto salvaged = TUTTI_TRY(store::salvage_sets(path));
    if (salvaged.lost > 0)
      diagnostics.warning(counted(salvaged.lost, "damaged set") + " could not be recovered");
    return salvaged;
  }
  const auto other =
      TUTTI_TRY(store::ParameterDatabase::open(path, store::ParameterDatabase::Access::read));
  auto sets = TUTTI_TRY(other.sets());
  return store::SalvagedSets{std::move(sets), 0};
}

Result<int> merge(const OptionValues& parsed, const std::vector<ParameterSet>& sets,
                  bool intersects) {
  auto database = TUTTI_TRY(open_database(parsed));
  const auto merged = TUTTI_TRY(intersects ? studies::params::intersect(database, sets)
                                           : studies::params::unite(database, sets));
  return print(merge_text(merged));
}

Result<int> run_merge(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto path = TUTTI_TRY(only_file(parsed, "database"));
  const auto how = TUTTI_TRY(read_choice(parsed, "--how", {"union", "intersection"}));
  const auto own = TUTTI_TRY(database_path(parsed));
  if (same_file(path, own))
    return usage_error("", fmt::format("{} cannot be merged into itself", in_quotes(path)));
  const auto sets = TUTTI_TRY(read_database(path, parsed.has("--salvage"), diagnostics));
  TUTTI_TRY(merge(parsed, sets.sets, how == "intersection"));
  return sets.lost > 0 ? exit_points_failed : exit_done;
}

std::vector<Error> wrong_parameters(const std::vector<ParameterSet>& sets,
                                    const std::string& path) {
  ErrorList errors;
  for (const auto& set : sets)
    for (const auto& parameter : set.parameters)
      if (auto error = studies::tuning::check_kept_parameter(parameter))
        errors.add(make_error(ErrorKind::input, path,
                              fmt::format("{}: {}", error->place, error->message), error->hint));
  return errors.errors();
}

Result<int> run_import(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(only_file(parsed, "file"));
  const auto text = TUTTI_TRY(read_text_file(path));
  const auto sets = TUTTI_TRY(reports::read_sets_json(text, path));
  if (const auto errors = wrong_parameters(sets, path); !errors.empty()) return errors;
  return merge(parsed, sets, false);
}

}  // namespace

const Subcommand params_merge{.usage = "merge OTHER",
                              .summary = "merge with another database",
                              .help = texts::params["merge"],
                              .specs = merge_specs,
                              .run = run_merge};

const Subcommand params_import{
    .usage = "import FILE",
    .summary = "read sets that `sim params export` wrote",
    .help = "Merges parameter sets from lines of JSON as a union, all or nothing.",
    .specs = params_option::of_all,
    .run = run_import};

}  // namespace tutti::commands

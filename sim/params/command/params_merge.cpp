// SPDX-License-Identifier: BSD-3-Clause
// sim params merge and import: sets of others come into the database.

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

constexpr OptionSpec merge_specs[] = {
    taking("union intersection",
           {option_group, "--how", "HOW",
            "union (default): all sets; intersection: what both agree on, as OTPO's"}),
    {option_group, "--salvage", "", "of a damaged database, take the sets that are whole"},
    params_option::database,
    color_option,
    quiet_option,
    help_option};

constexpr OptionSpec import_specs[] = {params_option::database, color_option, quiet_option,
                                       help_option};

std::string reported(const studies::params::MergedSets& merged) {
  std::string text = fmt::format("{} added, {} known", counted(merged.added, "set"), merged.known);
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(merged.replaced, "took the place of others");
  add(merged.worse, "came as history");
  add(merged.retired, "became history: not in both, or nothing in common");
  return text + '\n';
}

Result<std::string> one_file(const OptionValues& parsed, const char* what) {
  if (parsed.arguments.size() == 1 && !parsed.arguments.front().empty())
    return parsed.arguments.front();
  return usage_error("", fmt::format("one {} is needed", what));
}

Result<store::SalvagedSets> sets_in(const std::string& path, bool salvages,
                                    const Diagnostics& diagnostics) {
  if (salvages) {
    auto found = store::salvage_sets(path);
    if (!found) return found.errors();
    if (found->lost > 0) diagnostics.warning(counted(found->lost, "set") + " could not be saved");
    return found;
  }
  const auto other =
      TUTTI_TRY(store::ParameterDatabase::open(path, store::ParameterDatabase::Access::read));
  auto sets = TUTTI_TRY(other.sets());
  return store::SalvagedSets{std::move(sets), 0};
}

Result<int> take(const OptionValues& parsed, const std::vector<ParameterSet>& sets,
                 bool intersects) {
  auto database = TUTTI_TRY(open_database(parsed));
  const auto merged = TUTTI_TRY(intersects ? studies::params::intersect(database, sets)
                                           : studies::params::unite(database, sets));
  return print(reported(merged));
}

Result<int> run_merge(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto path = TUTTI_TRY(one_file(parsed, "database"));
  const auto how = TUTTI_TRY(choice_of(parsed, "--how", {"union", "intersection"}));
  const auto own = TUTTI_TRY(database_path(parsed));
  if (same_file(path, own))
    return usage_error("", fmt::format("{} cannot be merged into itself", in_quotes(path)));
  const auto sets = TUTTI_TRY(sets_in(path, parsed.has("--salvage"), diagnostics));
  TUTTI_TRY(take(parsed, sets.sets, how == "intersection"));
  return sets.lost > 0 ? exit_points_failed : exit_done;
}

std::vector<Error> wrong_parameters(const std::vector<ParameterSet>& sets,
                                    const std::string& path) {
  ErrorList errors;
  for (const auto& set : sets)
    for (const auto& each : set.parameters)
      if (auto error = studies::tuning::check_kept_parameter(each))
        errors.add(make_error(ErrorKind::input, path,
                              fmt::format("{}: {}", error->place, error->message), error->hint));
  return errors.errors();
}

Result<int> run_import(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(one_file(parsed, "file"));
  const auto text = TUTTI_TRY(read_text_file(path));
  const auto sets = TUTTI_TRY(reports::read_sets_json(text, path));
  if (const auto errors = wrong_parameters(sets, path); !errors.empty()) return errors;
  return take(parsed, sets, false);
}

}  // namespace

const Subcommand params_merge{
    .usage = "merge OTHER",
    .summary = "another database's sets: union or intersection",
    .help =
        "Takes the sets of another database into this one, all or nothing. union: of two of a key "
        "the better one is current. intersection: of each key that both have, the parameters with "
        "equal values stay; what is not in both becomes history. --salvage takes what is whole of "
        "a damaged database; exit code 1 if something is lost.",
    .specs = merge_specs,
    .run = run_merge};

const Subcommand params_import{
    .usage = "import FILE",
    .summary = "sets as `sim params export` writes them come in",
    .help = "Takes sets of parameters from lines of JSON, all or nothing, as a union.",
    .specs = import_specs,
    .run = run_import};

}  // namespace tutti::commands

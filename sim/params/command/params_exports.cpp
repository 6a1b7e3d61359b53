// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/command/params_exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/base/cell.hpp"
#include "sim/base/error_list.hpp"
#include "sim/commands/options.hpp"
#include "sim/params/mca_file.hpp"
#include "sim/params/otpo_result.hpp"
#include "sim/params/report/params_table.hpp"
#include "sim/params/sets_rules.hpp"
#include "sim/params/settings_file.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

using studies::params::Match;
using studies::tuning::McaExport;

// Who it is, what for, how it was found; for a person.
std::vector<std::string> head_of(const Match& match) {
  const auto& set = match.set;
  std::vector<std::string> lines = reports::wrap(words_of(match), reports::page_width - 2);
  const auto add = [&](const std::string& text) {
    for (auto& line : reports::wrap(text, reports::page_width - 2))
      lines.push_back(std::move(line));
  };
  if (const auto use = use_of(set.key.use); !use.empty()) add("for: " + use);
  std::string found = fmt::format("stored {}", set.stored);
  if (set.metric_value) found += fmt::format(", {} {}", set.metric, *set.metric_value);
  add(found);
  for (const auto& each : set.about) add(fmt::format("{}: {}", each.name, each.value));
  return lines;
}

Error nothing_left(const Match& match, const ExportTarget& target) {
  return make_error(ErrorKind::run, place_of(match.set.key),
                    fmt::format("Open MPI {} can be told nothing of set {}",
                                studies::tuning::version_name(target.version), match.set.number));
}

std::string as_text(const Match& match) {
  return studies::params::mca_file_text(match.set.parameters, head_of(match));
}

std::string as_shell_lines(const McaExport& mca, const Match& match) {
  std::string text;
  for (const auto& line : head_of(match)) text += fmt::format("# {}\n", line);
  for (const auto& each : mca.settings)
    text += fmt::format("export {}={}\n", studies::params::mca_variable(each.name),
                        shell_quoted(each.value));
  return text;
}

// OTPO's own files have one value, less is better; a set without a metric has 0.
std::string as_otpo(const McaExport& mca, const Match& match) {
  return studies::params::otpo_result_text({{match.set.metric_value.value_or(0), mca.settings}});
}

Result<std::string> as_rules(const Matched& found, const ExportTarget& target,
                             const Diagnostics& diagnostics) {
  const Match& match = found.match;
  std::vector<store::ParameterSet> sets{match.set};
  for (const auto& set : found.sets)
    if (set.is_current && set.number != match.set.number && set.key.host == match.set.key.host &&
        set.key.application == match.set.key.application && set.key.build == match.set.key.build)
      sets.push_back(set);
  const auto rules = studies::params::rules_of(sets);
  for (const auto& each : rules.left_out)
    diagnostics.warning(fmt::format("{} is left out: {}", each.name, each.value));
  if (rules.collectives.empty())
    return make_error(ErrorKind::run, place_of(match.set.key), "no set of it chooses an algorithm",
                      "as --set bcast/algorithm=binomial does");
  using algorithms::selection::RulesFormat;
  const bool is_new = target.version == studies::tuning::OpenMpi::v5_0;
  if (is_new) diagnostics.note(std::string(algorithms::selection::han_goes_first));
  auto head = head_of(match);
  head.push_back(fmt::format("and all other sets of {}", place_of(match.set.key)));
  return algorithms::selection::rules_file_text(
      rules.collectives, is_new ? RulesFormat::open_mpi_5_0 : RulesFormat::open_mpi_4_1, head);
}

}  // namespace

std::vector<std::string> export_names() {
  return {"text", "mca", "rules", "env", "otpo", "toml", "json"};
}

bool tells_its_match(const std::string& what) { return what != "otpo" && what != "json"; }

Result<std::string> exported(const Matched& found, const std::string& what,
                             const ExportTarget& target, const Diagnostics& diagnostics) {
  const Match& match = found.match;
  if (what == "text") return as_text(match);
  if (what == "toml") return studies::params::settings_file_text(match.set, head_of(match));
  if (what == "json") return reports::set_json(match.set) + '\n';
  if (what == "rules") return as_rules(found, target, diagnostics);
  const auto mca = mca_of(match.set, target, diagnostics);
  if (mca.settings.empty()) return nothing_left(match, target);
  if (what == "env") return as_shell_lines(mca, match);
  if (what == "otpo") return as_otpo(mca, match);
  auto head = head_of(match);
  head.push_back(
      fmt::format("names of Open MPI {}", studies::tuning::version_name(target.version)));
  return studies::params::mca_file_text(mca.settings, head);
}

}  // namespace tutti::commands

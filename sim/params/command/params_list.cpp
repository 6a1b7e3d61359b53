// SPDX-License-Identifier: BSD-3-Clause
// sim params list: which sets of parameters there are.

#include <unistd.h>

#include <iterator>

#include "sim/base/common.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/report/params_table.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/record_table.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

using store::ParameterSet;

constexpr auto params_list_specs = joined(
    params_option::of_use,
    std::to_array<OptionSpec>({params_option::history, params_option::parameters,
                               taking("text csv json jsonl", {option_group, "--format", "FORMAT",
                                                              "text (default), csv, json, jsonl"}),
                               params_option::output}),
    params_option::of_all);

template <class T>
bool agrees(const std::optional<T>& asked, const std::optional<T>& has) {
  return !asked || asked == has;
}
bool agrees(const std::string& asked, const std::string& has) {
  return asked.empty() || asked == has;
}

bool is_wanted(const ParameterSet& set, const studies::params::Wish& wish) {
  const auto& [host, application, build, use] = wish.key;
  const auto& has = set.key.use;
  return agrees(host, set.key.host) && agrees(application, set.key.application) &&
         agrees(build, set.key.build) && agrees(wish.category, set.category) &&
         agrees(use.collective, has.collective) && agrees(use.procs, has.procs) &&
         agrees(use.nodes, has.nodes) && agrees(use.message_bytes, has.message_bytes) &&
         agrees(use.problem_size, has.problem_size);
}

std::string text_or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string message_text(const ParameterSet& set) {
  const auto& bytes = set.key.use.message_bytes;
  return bytes ? format_bytes(*bytes) : "-";
}

std::string achieved_text(const ParameterSet& set) {
  return set.metric_value ? fmt::format("{} {}", set.metric, *set.metric_value) : "-";
}

std::string state_text(const ParameterSet& set) { return set.is_current ? "-" : "history"; }

// Columns in which no set has a value are left out.
std::string listing_text(const std::vector<ParameterSet>& sets) {
  using Set = ParameterSet;
  reports::PeopleTable table;
  table.starts_group.assign(sets.size(), false);
  reports::RecordColumns columns(sets, table);
  columns.add("Set", &Set::number);
  columns.add("Host", [](const Set& s) { return s.key.host; }, {.left = true});
  columns.add("Application", [](const Set& s) { return s.key.application; }, {.left = true});
  columns.add("Category", [](const Set& s) { return text_or_dash(s.category); },
              {.left = true, .spare = 5});
  columns.add("Build", [](const Set& s) { return text_or_dash(s.key.build.substr(0, 8)); },
              {.left = true, .spare = 7});
  columns.add("Collective", [](const Set& s) { return text_or_dash(s.key.use.collective); },
              {.left = true});
  columns.add("Procs", [](const Set& s) { return s.key.use.procs; });
  columns.add("Nodes", [](const Set& s) { return s.key.use.nodes; }, {.spare = 4});
  columns.add("Message", message_text);
  columns.add("Problem", [](const Set& s) { return s.key.use.problem_size; }, {.spare = 3});
  columns.add("Parameters", [](const Set& s) { return std::ssize(s.parameters); }, {.spare = 2});
  columns.add("Achieved", achieved_text, {.left = true, .spare = 1});
  columns.add("Stored", [](const Set& s) { return s.stored.substr(0, 10); },
              {.left = true, .spare = 6});
  columns.add("State", state_text, {.left = true});
  std::erase_if(table.columns, [](const auto& column) {
    return std::ranges::all_of(column.cells, [](const auto& cell) { return cell == "-"; });
  });
  return reports::table_text(std::move(table), reports::page_width);
}

std::string json_lines(const std::vector<ParameterSet>& sets) {
  std::string text;
  for (const auto& set : sets) text += reports::set_json(set) + '\n';
  return text;
}

std::string json_text(const std::vector<ParameterSet>& sets) {
  std::string text = "{\"schema\": \"sim.params/1\", \"sets\": [";
  for (const auto& set : sets)
    text += fmt::format("{}\n{}", &set == &sets.front() ? "" : ",", reports::set_json(set));
  return text + "\n]}\n";
}

std::string rendered(const std::vector<ParameterSet>& sets, const std::string& format) {
  if (format == "csv") return reports::csv_table(reports::sets_table(sets));
  if (format == "json") return json_text(sets);
  if (format == "jsonl") return json_lines(sets);
  return sets.empty() ? "no sets of parameters\n" : listing_text(sets);
}

Result<int> run_params_list(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"text", "csv", "json", "jsonl"}));
  const auto wish = TUTTI_TRY(read_wish(parsed, diagnostics));
  auto all = TUTTI_TRY(sets_of(parsed));
  auto sets = TUTTI_TRY(of_wanted_categories(std::move(all), parsed));
  std::erase_if(sets, [&](const auto& set) {
    return !is_wanted(set, wish) || (!set.is_current && !parsed.has("--history"));
  });
  return write_result(parsed, rendered(sets, format));
}

constexpr OptionSpec params_export_specs[] = {
    params_option::history,
    taking("jsonl json csv", {option_group, "--format", "FORMAT",
                              "jsonl (default; what `sim params import` reads), json, csv"}),
    params_option::output,
    params_option::database,
    color_option,
    quiet_option,
    help_option};

Result<int> run_params_export(const OptionValues& parsed, const Diagnostics&) {
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"jsonl", "json", "csv"}));
  auto sets = TUTTI_TRY(sets_of(parsed));
  if (!parsed.has("--history"))
    std::erase_if(sets, [](const auto& set) { return !set.is_current; });
  return write_result(parsed, rendered(sets, format));
}

}  // namespace

const Subcommand params_list{
    .usage = "list",
    .summary = "which sets there are",
    .help =
        "Lists the sets of parameters, or those for the host, application and characteristics "
        "that are given.",
    .specs = params_list_specs,
    .run = run_params_list};

const Subcommand params_export{
    .usage = "export",
    .summary = "the whole database, as lines of JSON",
    .help =
        "Writes all sets of parameters, one a line, for other programs and `sim params import`.",
    .specs = params_export_specs,
    .run = run_params_export};

// sim params names: our parameters beside Open MPI's.

namespace {

namespace tuning = studies::tuning;

constexpr OptionSpec params_names_specs[] = {
    taking("1.8 4.1 5.0", {option_group, "--open-mpi", "VERSION",
                           "all names of 1.8, 4.1 or 5.0 that are known here"}),
    color_option, quiet_option, help_option};

// "COLLECTIVE/algorithm" stands for those of all collectives.
std::string_view category_of_mapped(const tuning::MappedName& name) {
  const auto slash = name.ours.find('/');
  const bool is_of_all = name.ours.starts_with("COLLECTIVE/");
  return tuning::category_name(
      *tuning::category_of(is_of_all ? name.ours.substr(slash + 1) : name.ours));
}

std::string mapped_text() {
  std::string text;
  for (const auto& name : tuning::mapped_names()) {
    text += fmt::format("{}  ({})\n", name.ours, category_of_mapped(name));
    for (std::size_t i = 0; i < name.theirs.size(); ++i)
      text += fmt::format("    {}  {}\n", tuning::version_name(tuning::open_mpi_versions[i]),
                          name.theirs[i].empty() ? "-" : name.theirs[i]);
  }
  return text;
}

Result<int> run_params_names(const OptionValues& parsed, const Diagnostics&) {
  if (!parsed.has("--open-mpi")) return print(mapped_text());
  const auto version = TUTTI_TRY(choice_of(parsed, "--open-mpi", {"1.8", "4.1", "5.0"}));
  return print(
      fmt::format("{}\n", fmt::join(tuning::mca_names(*tuning::version_of(version)), "\n")));
}

}  // namespace

const Subcommand params_names{
    .usage = "names",
    .summary = "our parameters, and what Open MPI calls them",
    .help =
        "Prints our parameters that Open MPI has too, with its names in each version; with "
        "--open-mpi the names of that version that an export may have.",
    .specs = params_names_specs,
    .run = run_params_names};

}  // namespace tutti::commands

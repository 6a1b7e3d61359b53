// SPDX-License-Identifier: BSD-3-Clause
// sim params list: which sets of parameters there are.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/report/params_table.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/people_table.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

using store::ParameterSet;

constexpr auto params_list_specs =
    joined(params_option::of_use,
           std::to_array<OptionSpec>(
               {params_option::history,
                params_option::parameters,
                {option_group, "--format", "FORMAT", "text (default), csv, json, jsonl"},
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

template <class T>
std::string number_or_dash(const std::optional<T>& number) {
  return number ? fmt::format("{}", *number) : "-";
}
std::string text_or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// Columns in which no set has a value are left out.
class Listing {
 public:
  explicit Listing(const std::vector<ParameterSet>& sets) : sets_(sets) {
    table_.starts_group.assign(sets.size(), false);
    table_.all_columns = "--format csv";
  }

  std::string text() {
    add("Set", 0, false, [](const auto& set) { return fmt::format("{}", set.number); });
    add("Host", 0, true, [](const auto& set) { return set.key.host; });
    add("Application", 0, true, [](const auto& set) { return set.key.application; });
    add("Category", 5, true, [](const auto& set) { return text_or_dash(set.category); });
    add("Build", 7, true, [](const auto& set) { return text_or_dash(set.key.build.substr(0, 8)); });
    add("Collective", 0, true,
        [](const auto& set) { return text_or_dash(set.key.use.collective); });
    add("Procs", 0, false, [](const auto& set) { return number_or_dash(set.key.use.procs); });
    add("Nodes", 4, false, [](const auto& set) { return number_or_dash(set.key.use.nodes); });
    add("Message", 0, false, [](const auto& set) {
      const auto& bytes = set.key.use.message_bytes;
      return bytes ? format_bytes(*bytes) : "-";
    });
    add("Problem", 3, false,
        [](const auto& set) { return number_or_dash(set.key.use.problem_size); });
    add("Parameters", 2, false,
        [](const auto& set) { return fmt::format("{}", set.parameters.size()); });
    add("Achieved", 1, true, [](const auto& set) {
      return set.metric_value ? fmt::format("{} {}", set.metric, *set.metric_value) : "-";
    });
    add("Stored", 6, true, [](const auto& set) { return set.stored.substr(0, 10); });
    add("State", 0, true,
        [](const auto& set) { return std::string(set.is_current ? "-" : "history"); });
    return reports::table_text(std::move(table_), reports::page_width);
  }

 private:
  template <class TextOf>
  void add(const char* head, int spare, bool left, const TextOf& text_of) {
    reports::PeopleColumn column{head, {}, left, spare};
    for (const auto& set : sets_) column.cells.push_back(text_of(set));
    if (std::ranges::any_of(column.cells, [](const auto& cell) { return cell != "-"; }))
      table_.columns.push_back(std::move(column));
  }

  const std::vector<ParameterSet>& sets_;
  reports::PeopleTable table_{};
};

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
  return sets.empty() ? "no sets of parameters\n" : Listing(sets).text();
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
    {option_group, "--format", "FORMAT",
     "jsonl (default; what `sim params import` reads), json, csv"},
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
        "Writes all sets of parameters, one a line, for other programs and `sim params "
        "import`.",
    .specs = params_export_specs,
    .run = run_params_export};

}  // namespace tutti::commands

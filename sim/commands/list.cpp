// SPDX-License-Identifier: BSD-3-Clause
// sim list algorithms|mockups|platforms|tunables: what there is.

#include "algorithms/guidelines/mockup.hpp"
#include "platforms/tunables.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/study_schema.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/study_points.hpp"

namespace tutti::commands {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec list_specs[] = {text_json_option, color_option, help_option};

std::string parameters_of(const algorithms::Algorithm& algorithm) {
  std::vector<std::string> names;
  if (algorithm.segmented) names.emplace_back("segments");
  if (algorithm.default_fanout > 0)
    names.push_back(fmt::format("fan-out {}", algorithm.default_fanout));
  if (algorithm.limits_requests) names.emplace_back("max-requests");
  return fmt::format("{}", fmt::join(names, ", "));
}

// Below what it describes.
std::string description(std::string_view words) { return reports::paragraph(words, 6); }

// Above the first entry of a collective.
std::string heading(std::string_view collective, std::string_view before) {
  if (collective == before) return {};
  return fmt::format("{}{}\n", before.empty() ? "" : "\n", collective);
}

// Missing values are null.
Json text_or_null(std::string_view value) { return value.empty() ? Json() : Json(value); }

std::string algorithms_text() {
  std::string text;
  std::string_view collective;
  for (const auto& algorithm : algorithms::all_algorithms()) {
    text += heading(algorithm.collective, collective);
    collective = algorithm.collective;
    const std::string id = algorithm.id > 0 ? fmt::format("{}", algorithm.id) : "-";
    text += fmt::format("{:>4}  {:<26}{}", id, algorithm.name, parameters_of(algorithm));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
    std::string about(algorithm.summary);
    if (!algorithm.restriction.empty()) about += fmt::format("; needs: {}", algorithm.restriction);
    text += description(about);
  }
  return text;
}

// Whether so many ranks run the algorithm itself, with large blocks of many segments.
bool runs_itself(const algorithms::Algorithm& algorithm, int procs, bool commutative = true) {
  const algorithms::ModelArgs args{
      .procs = procs,
      .call = {.message_bytes = 1 << 20, .segment_bytes = 1 << 10, .commutative = commutative}};
  return (algorithm.runs == nullptr || algorithm.runs(args)) &&
         (algorithm.falls_back_to == nullptr || algorithm.falls_back_to(args).empty());
}

// An algorithm that is not Open MPI's has no id.
Json algorithm_json(const algorithms::Algorithm& algorithm) {
  const auto& collective = *algorithms::find_collective(algorithm.collective);
  const auto& [up, inter, down] = algorithm.levels;
  Json levels;
  if (!inter.empty())
    levels = {
        {"up", text_or_null(up)}, {"inter", text_or_null(inter)}, {"down", text_or_null(down)}};
  return {{"collective", algorithm.collective},
          {"id", algorithm.id > 0 ? Json(algorithm.id) : Json()},
          {"name", algorithm.name},
          {"summary", algorithm.summary},
          {"parameters",
           {{"root", collective.rooted},
            {"counts", collective.has_counts},
            {"segment_size", algorithm.segmented},
            {"fanout", algorithm.default_fanout > 0 ? Json(algorithm.default_fanout) : Json()},
            {"max_requests", algorithm.limits_requests},
            {"levels", levels}}},
          {"restriction", text_or_null(algorithm.restriction)},
          {"needs_power_of_two", runs_itself(algorithm, 8) && !runs_itself(algorithm, 6)},
          {"needs_even", runs_itself(algorithm, 6) && !runs_itself(algorithm, 7)},
          {"needs_commutative", runs_itself(algorithm, 8) && !runs_itself(algorithm, 8, false)},
          {"refuses", algorithm.runs != nullptr},
          {"falls_back", algorithm.falls_back_to != nullptr},
          {"formulas", algorithm.cost != nullptr ? Json{"hockney", "loggp"} : Json(Json::array())},
          {"reference", text_or_null(algorithm.reference)}};
}

std::string algorithms_json() {
  Json all = Json::array();
  for (const auto& algorithm : algorithms::all_algorithms())
    all.push_back(algorithm_json(algorithm));
  return reports::dumped({{"schema", "sim.algorithms/2"}, {"algorithms", all}}, 2);
}

std::string calls_of(const algorithms::guidelines::Mockup& mockup) {
  std::vector<std::string_view> names;
  for (const auto& call : mockup.calls({.message_bytes = 1}, 1)) names.push_back(call.collective);
  return fmt::format("{}", fmt::join(names, " + "));
}

std::string mockups_text() {
  std::string text;
  std::string_view collective;
  for (const auto* mockup : algorithms::guidelines::all_mockups()) {
    const auto& algorithm = mockup->algorithm;
    text += heading(algorithm.collective, collective);
    collective = algorithm.collective;
    text += fmt::format("{:>4}  {:<42}{}\n", mockup->guideline, algorithm.name, calls_of(*mockup));
    text += description(algorithm.summary);
  }
  return text;
}

std::string mockups_json() {
  Json all = Json::array();
  for (const auto* mockup : algorithms::guidelines::all_mockups())
    all.push_back({{"guideline", mockup->guideline},
                   {"collective", mockup->algorithm.collective},
                   {"name", mockup->algorithm.name},
                   {"calls", calls_of(*mockup)},
                   {"summary", mockup->algorithm.summary}});
  return reports::dumped({{"schema", "sim.mockups/1"}, {"mockups", all}}, 2);
}

std::string releases(const platforms::OpenMpiParameter& parameter) {
  if (parameter.first == parameter.last) return std::string(parameter.first);
  return fmt::format("{}-{}", parameter.first, parameter.last);
}

std::string tunables_text() {
  std::string text;
  for (const auto& tunable : platforms::tunables) {
    text += fmt::format("{:<26}{}, default {}\n", tunable.key, tunable.unit, tunable.otherwise);
    text += description(tunable.effect);
    std::vector<std::string> names;
    for (const auto& each : platforms::open_mpi_parameters)
      if (each.key == tunable.key)
        names.push_back(fmt::format("{} ({})", each.name, releases(each)));
    if (!names.empty()) text += description(fmt::format("Open MPI: {}", fmt::join(names, ", ")));
  }
  text += "\nOpen MPI's parameters without effect here\n";
  for (const auto& each : platforms::open_mpi_parameters) {
    if (!each.key.empty()) continue;
    text += fmt::format("{} ({})\n", each.name, releases(each));
    text += description(each.reason);
  }
  return text;
}

std::string tunables_json() {
  Json tunables = Json::array();
  for (const auto& each : platforms::tunables)
    tunables.push_back({{"key", each.key},
                        {"unit", each.unit},
                        {"default", each.otherwise},
                        {"effect", each.effect}});
  Json names = Json::array();
  for (const auto& each : platforms::open_mpi_parameters)
    names.push_back({{"name", each.name},
                     {"first_release", each.first},
                     {"last_release", each.last},
                     {"key", text_or_null(each.key)},
                     {"without_effect", text_or_null(each.reason)}});
  return reports::dumped(
      {{"schema", "sim.tunables/1"}, {"tunables", tunables}, {"open_mpi", names}}, 2);
}

std::string schema() { return reports::study_schema(studies::study_options()); }

struct List {
  std::string_view name;
  Result<std::string> (*text)();
  Result<std::string> (*json)();
};
template <std::string (*render)()>
Result<std::string> always() {
  return render();
}
constexpr List lists[] = {
    {"algorithms", always<algorithms_text>, always<algorithms_json>},
    {"mockups", always<mockups_text>, always<mockups_json>},
    {"platforms", [] { return platforms_listing(false); }, [] { return platforms_listing(true); }},
    {"tunables", always<tunables_text>, always<tunables_json>},
    {"study-schema", always<schema>, always<schema>}};

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  for (const List& each : lists) names.emplace_back(each.name);
  return names;
}

Result<int> run_list(const OptionValues& parsed, const Diagnostics&) {
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"text", "json"}));
  const std::string there = fmt::format("there are: {}", fmt::join(list_names(), ", "));
  if (parsed.arguments.size() != 1) return usage_error("", "list what?", there);
  const std::string& what = parsed.arguments.front();
  for (const List& each : lists)
    if (each.name == what) return print(TUTTI_TRY(format == "json" ? each.json() : each.text()));
  return usage_error("", fmt::format("there is no list of {}", in_quotes(what)),
                     did_you_mean(what, list_names(), algorithm_hint(what, there)));
}

const Subcommand list_alone{
    .usage = "list WHAT",
    .help =
        "Lists the collectives' algorithms, the mock-ups of performance guidelines, the platforms "
        "of the catalog, what of the message protocol one tunes, with Open MPI's names, or the "
        "JSON Schema of study files, for editors.",
    .specs = list_specs,
    .run = run_list,
    .operands = Operands::names,
    .words = list_names};

}  // namespace

extern const Command list_command{
    .name = "list", .summary = "algorithms, mock-ups, platforms, tunables", .alone = &list_alone};

}  // namespace tutti::commands

// SPDX-License-Identifier: BSD-3-Clause
// sim list algorithms|mockups|platforms|tunables: what there is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "algorithms/guidelines/mockup.hpp"
#include "platforms/tunables.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/shapes.hpp"
#include "sim/reports/wrap.hpp"

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

std::string algorithms_text() {
  std::string text;
  std::string_view collective;
  for (const auto& algorithm : algorithms::all_algorithms()) {
    if (algorithm.collective != collective)
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", algorithm.collective);
    collective = algorithm.collective;
    const std::string id = algorithm.id > 0 ? fmt::format("{}", algorithm.id) : "-";
    text += fmt::format("{:>4}  {:<26}{}", id, algorithm.name, parameters_of(algorithm));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
    std::string about(algorithm.summary);
    if (!algorithm.restriction.empty()) about += fmt::format("; needs: {}", algorithm.restriction);
    for (const auto& line : reports::wrap(about, reports::page_width - 6))
      text += fmt::format("      {}\n", line);
  }
  return text;
}

// "commutative operation" and the like are the registry's words.
bool needs(const algorithms::Algorithm& algorithm, std::string_view what) {
  return algorithm.restriction.find(what) != std::string_view::npos;
}

// Missing values are null: an algorithm that is not Open MPI's has no id.
Json algorithm_json(const algorithms::Algorithm& algorithm) {
  const auto text = [](std::string_view value) { return value.empty() ? Json() : Json(value); };
  const auto& collective = *algorithms::find_collective(algorithm.collective);
  const auto& [up, inter, down] = algorithm.levels;
  Json levels;
  if (!inter.empty()) levels = {{"up", text(up)}, {"inter", text(inter)}, {"down", text(down)}};
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
          {"restriction", text(algorithm.restriction)},
          {"needs_power_of_two", needs(algorithm, "P a power of two")},
          {"needs_even", needs(algorithm, "even P")},
          {"needs_commutative", needs(algorithm, "commutative operation")},
          {"refuses", algorithm.runs != nullptr},
          {"falls_back", algorithm.falls_back_to != nullptr},
          {"formulas", algorithm.cost != nullptr ? Json{"hockney", "loggp"} : Json(Json::array())},
          {"reference", text(algorithm.reference)}};
}

std::string algorithms_json() {
  Json all = Json::array();
  for (const auto& algorithm : algorithms::all_algorithms())
    all.push_back(algorithm_json(algorithm));
  return Json{{"schema", "sim.algorithms/2"}, {"algorithms", all}}.dump(2) + '\n';
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
    if (algorithm.collective != collective)
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", algorithm.collective);
    collective = algorithm.collective;
    text += fmt::format("{:>4}  {:<42}{}\n", mockup->guideline, algorithm.name, calls_of(*mockup));
    for (const auto& line : reports::wrap(algorithm.summary, reports::page_width - 6))
      text += fmt::format("      {}\n", line);
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
  return Json{{"schema", "sim.mockups/1"}, {"mockups", all}}.dump(2) + '\n';
}

std::string releases(const platforms::OpenMpiParameter& parameter) {
  if (parameter.first == parameter.last) return std::string(parameter.first);
  return fmt::format("{}-{}", parameter.first, parameter.last);
}

std::string tunables_text() {
  std::string text;
  const auto paragraph = [&](std::string_view words) {
    for (const auto& line : reports::wrap(words, reports::page_width - 6))
      text += fmt::format("      {}\n", line);
  };
  for (const auto& tunable : platforms::tunables) {
    text += fmt::format("{:<26}{}, default {}\n", tunable.key, tunable.unit, tunable.otherwise);
    paragraph(tunable.effect);
    std::vector<std::string> names;
    for (const auto& each : platforms::open_mpi_parameters)
      if (each.key == tunable.key)
        names.push_back(fmt::format("{} ({})", each.name, releases(each)));
    if (!names.empty()) paragraph(fmt::format("Open MPI: {}", fmt::join(names, ", ")));
  }
  text += "\nOpen MPI's parameters without effect here\n";
  for (const auto& each : platforms::open_mpi_parameters) {
    if (!each.key.empty()) continue;
    text += fmt::format("{} ({})\n", each.name, releases(each));
    paragraph(each.reason);
  }
  return text;
}

std::string tunables_json() {
  const auto text = [](std::string_view value) { return value.empty() ? Json() : Json(value); };
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
                     {"key", text(each.key)},
                     {"without_effect", text(each.reason)}});
  return Json{{"schema", "sim.tunables/1"}, {"tunables", tunables}, {"open_mpi", names}}.dump(2) +
         '\n';
}

Result<std::string> listing(const OptionValues& parsed) {
  const auto format = choice_of(parsed, "--format", {"text", "json"});
  if (!format) return format.errors();
  const bool json = *format == "json";
  const std::vector<std::string> lists{"algorithms", "mockups", "platforms", "tunables"};
  if (parsed.arguments.size() != 1)
    return usage_error("", "list what?", "there are: algorithms, mockups, platforms, tunables");
  const std::string& what = parsed.arguments.front();
  if (what == "algorithms") return json ? algorithms_json() : algorithms_text();
  if (what == "mockups") return json ? mockups_json() : mockups_text();
  if (what == "platforms") return platforms_listing(json);
  if (what == "tunables") return json ? tunables_json() : tunables_text();
  return usage_error(
      "", fmt::format("there is no list of {}", in_quotes(what)),
      did_you_mean(what, lists,
                   algorithm_hint(what, "there are: algorithms, mockups, platforms, tunables")));
}

}  // namespace

std::string list_help() {
  return "Usage: sim list algorithms|mockups|platforms|tunables [OPTION]...\n\n"
         "Lists the collectives' algorithms, the mock-ups of performance guidelines, the\n"
         "platforms of the catalog, or what of the message protocol one tunes, with Open\n"
         "MPI's names.\n" +
         options_help(list_specs);
}

Result<int> list_command(const Arguments& arguments, Diagnostics&) {
  const auto parsed = TUTTI_TRY(parse_options(list_specs, arguments));
  const auto text =
      TUTTI_TRY(parsed.has("--help") ? Result<std::string>(list_help()) : listing(parsed));
  return print(text);
}

CommandShape list_shape() { return {.specs = list_specs}; }

}  // namespace tutti::commands

// SPDX-License-Identifier: BSD-3-Clause
// sim store info: what a store holds, and what it took to compute.
#include <fmt/format.h>

#include "sim/base/counted.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/rounded_bytes.hpp"
#include "sim/commands/store.hpp"
#include "sim/commands/store_facts.hpp"
#include "sim/reports/head_json.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec store_info_specs[] = {text_json_option, color_option, quiet_option,
                                           help_option};
constexpr std::size_t info_indent = 10;

// "study     halo: 400 of 412 points", wrapped behind its label.
std::string entry(std::string_view label, const std::string& text) {
  return reports::paragraph(printable(text), info_indent, label);
}

std::string text_of(const StudyFacts& facts) {
  const auto& study = facts.study;
  const std::size_t missing = facts.points - facts.done - facts.failed;
  std::string text = entry("study", study.description.empty()
                                        ? study.name
                                        : fmt::format("{}: {}", study.name, study.description));
  text += entry("", fmt::format("{}: {} done, {} failed, {} to come",
                                counted(facts.points, "point"), facts.done, facts.failed, missing));
  if (!study.started.empty())
    text += entry("", fmt::format("last run {}, Tutti {}, SimGrid {}", study.started, study.version,
                                  study.simgrid_version));
  return text + entry("", study.command);
}

std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::string list;
  for (const auto& [name, count] : counts)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", name, counted(count, "point"));
  return list;
}

std::string text_of(const StoreFacts& facts) {
  std::string text =
      entry("store", fmt::format("{}: {}, {}", facts.path, counted(facts.points, "point"),
                                 file_size_of(facts.path)));
  for (const auto& study : facts.studies) text += text_of(study);
  if (facts.without_study > 0)
    text += entry("no study", fmt::format("{}; `sim store gc` removes them",
                                          counted(facts.without_study, "point")));
  if (!facts.platforms.empty()) text += entry("platforms", counts_text(facts.platforms));
  if (!facts.model_versions.empty()) text += entry("models", counts_text(facts.model_versions));
  if (facts.wall_s > 0)
    text += entry("cost",
                  fmt::format("{} of computing, at most {} a point", format_seconds(facts.wall_s),
                              rounded_bytes(static_cast<double>(facts.peak_rss_bytes))));
  return text;
}

Json json_of(const StudyFacts& facts) {
  const auto& study = facts.study;
  return {{"name", study.name},       {"description", study.description},
          {"points", facts.points},   {"done", facts.done},
          {"failed", facts.failed},   {"command", study.command},
          {"version", study.version}, {"simgrid_version", study.simgrid_version},
          {"started", study.started}, {"toml", study.toml}};
}

std::string json_of(const StoreFacts& facts) {
  Json studies = Json::array();
  for (const auto& study : facts.studies) studies.push_back(json_of(study));
  const Json all{{"schema", "sim.store/1"},
                 {"file", facts.path},
                 {"points", facts.points},
                 {"points_without_study", facts.without_study},
                 {"studies", studies},
                 {"platforms", Json(facts.platforms)},
                 {"model_versions", Json(facts.model_versions)},
                 {"wall_s", facts.wall_s},
                 {"peak_rss_bytes", facts.peak_rss_bytes}};
  return reports::dumped(all, 2);
}

Result<int> run_store_info(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"text", "json"}));
  const auto facts = TUTTI_TRY(facts_of_store(path));
  return print(format == "json" ? json_of(facts) : text_of(facts));
}

}  // namespace

const Subcommand store_info{
    .usage = "info FILE",
    .summary = "studies, points, platforms, cost",
    .help =
        "Prints what a store holds: its studies, how many of their points are done, failed or "
        "still to come, the platforms and versions that they were simulated with, and what that "
        "cost.",
    .specs = store_info_specs,
    .run = run_store_info};

}  // namespace tutti::commands

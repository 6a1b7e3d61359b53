// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/replay_suggest_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/counted.hpp"
#include "sim/replay/report/replay_report.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Outcome;
using studies::replay::Suggestion;
using studies::replay::Suggestions;
using studies::replay::Ticks;
using workloads::traces::TraceDefinitions;

class Tables {
 public:
  Tables(const TraceDefinitions& definitions, const Suggestions& suggestions)
      : definitions_(definitions), all_(suggestions) {}

  double seconds(Ticks ticks) const {
    return static_cast<double>(ticks) / definitions_.ticks_per_s;
  }

  DocumentTable suggestions() const {
    DocumentTable table{.name = "suggestions",
                        .title = "Each change alone",
                        .table = {{"change", "mode", "region_time_s", "imbalance", "excess_s",
                                   "end_s", "gain_s", "gain", "blocked_s", "blocked_gain_s"},
                                  {}},
                        .shown = {{"change", "Change", Shown::name},
                                  {"imbalance", "Imbalance", Shown::decimals},
                                  {"excess_s", "Excess", Shown::milliseconds, 1},
                                  {"end_s", "End", Shown::milliseconds},
                                  {"gain_s", "Gain", Shown::milliseconds},
                                  {"gain", "%", Shown::percent},
                                  {"blocked_gain_s", "Waits gone", Shown::milliseconds}},
                        .group_by = {},
                        .notes = {},
                        .shown_unit = "in ms"};
    for (const auto& each : all_.suggestions) add_suggestion(each, table.table);
    add_notes(table.notes);
    return table;
  }

  DocumentTable steps() const {
    DocumentTable table{
        .name = "steps",
        .title = "One after the other, as long as they bring something",
        .table = {{"step", "change", "end_s", "gain_s", "total_gain", "blocked_s"}, {}},
        .shown = {{"step", "Step"},
                  {"change", "With all before, too", Shown::name},
                  {"end_s", "End", Shown::milliseconds},
                  {"gain_s", "Gain", Shown::milliseconds},
                  {"total_gain", "All %", Shown::percent},
                  {"blocked_s", "Waits left", Shown::milliseconds}},
        .group_by = {},
        .notes = {},
        .shown_unit = "in ms"};
    Outcome last = all_.now;
    std::int64_t number = 0;
    for (const auto& step : all_.steps) {
      std::vector<std::string> names;
      for (const auto i : step.suggestions) names.push_back(all_.suggestions[i].name);
      table.table.rows.push_back({++number, fmt::format("{}", fmt::join(names, " and ")),
                                  seconds(step.outcome.end), seconds(last.end - step.outcome.end),
                                  part(all_.now.end - step.outcome.end),
                                  seconds(step.outcome.blocked)});
      last = step.outcome;
    }
    return table;
  }

  DocumentTable regions() const {
    DocumentTable table{.name = "regions",
                        .title = "All regions of computation",
                        .table = {{"region", "ranks", "instances", "time_s", "slowest_rank_s",
                                   "imbalance", "excess_s"},
                                  {}},
                        .shown = {{"region", "Region", Shown::name},
                                  {"ranks", "Ranks", Shown::plain, 2},
                                  {"instances", "Instances", Shown::plain, 3},
                                  {"time_s", "Time", Shown::milliseconds},
                                  {"slowest_rank_s", "Slowest rank", Shown::milliseconds, 1},
                                  {"imbalance", "Imbalance", Shown::decimals},
                                  {"excess_s", "Excess", Shown::milliseconds}},
                        .group_by = {},
                        .notes = {"Excess: what balancing can bring at most"},
                        .only_on_request = true,
                        .shown_unit = "in ms"};
    for (const auto& each : all_.found.regions)
      table.table.rows.push_back({definitions_.regions[each.region].name,
                                  static_cast<std::int64_t>(each.ranks),
                                  static_cast<std::int64_t>(each.instances), seconds(each.time),
                                  seconds(each.most), each.ratio(), seconds(each.excess)});
    return table;
  }

 private:
  Cell part(Ticks gain) const {
    if (all_.now.end == 0) return {};
    return static_cast<double>(gain) / static_cast<double>(all_.now.end);
  }

  void add_suggestion(const Suggestion& each, Table& table) const {
    const Ticks gain = all_.now.end - each.outcome.end;
    const Ticks blocked_gain = all_.now.blocked - each.outcome.blocked;
    table.rows.push_back({each.name, mode_of(each)});
    auto& cells = table.rows.back();
    const bool balances = !each.change.balances.empty();
    const auto of_balance = [&](double value) { return balances ? Cell{value} : Cell{}; };
    cells.push_back(of_balance(seconds(each.of.time)));
    cells.push_back(of_balance(each.of.ratio()));
    cells.push_back(of_balance(seconds(each.of.excess)));
    cells.push_back(seconds(each.outcome.end));
    cells.push_back(seconds(gain));
    cells.push_back(part(gain));
    cells.push_back(seconds(each.outcome.blocked));
    cells.push_back(seconds(blocked_gain));
  }

  static Cell mode_of(const Suggestion& each) {
    if (each.change.balances.empty()) return {};
    return std::string(each.of.is_regular ? "global-instance" : "scaled");
  }

  void add_notes(std::vector<std::string>& notes) const {
    if (!all_.suggestions.empty())
      notes.emplace_back("Imbalance: the slowest rank against the mean");
    for (const auto& each : all_.suggestions)
      if (each.cuts > 0)
        notes.push_back(fmt::format("{} of {} messages are empty", each.cuts, all_.found.messages));
    if (all_.too_small > 0)
      notes.push_back(fmt::format(
          "Left out, since balancing them can bring at most 0.1% of the end: {} (--part regions)",
          all_.too_small));
    if (all_.not_simulated > 0)
      notes.push_back(
          fmt::format("May bring something, and not simulated: {} (--most)", all_.not_simulated));
  }

  const TraceDefinitions& definitions_;
  const Suggestions& all_;
};

std::string outcome_words(const Suggestions& all, const Tables& tables) {
  const std::string now = format_seconds(tables.seconds(all.now.end));
  if (all.steps.empty())
    return fmt::format("The program takes {}; no change of these makes it faster", now);
  const Ticks end = all.steps.back().outcome.end;
  return fmt::format(
      "The program takes {}; with {} it would take {}: {:.1f}% less", now,
      all.steps.size() + all.steps.back().suggestions.size() > 2 ? "all steps below"
                                                                 : "the step below",
      format_seconds(tables.seconds(end)),
      100 * static_cast<double>(all.now.end - end) / static_cast<double>(all.now.end));
}

// What a trace does not tell.
std::optional<std::string> outside_words(const Suggestions& all, const Tables& tables) {
  constexpr double much = 0.02;
  Ticks computation = all.found.outside;
  for (const auto& each : all.found.regions) computation += each.time;
  if (static_cast<double>(all.found.outside) <= much * static_cast<double>(computation))
    return std::nullopt;
  return fmt::format(
      "Note: {:.0f}% of all computation ({} over the ranks) lies outside all regions, where no "
      "change can name them: record the program's own functions",
      100 * static_cast<double>(all.found.outside) / static_cast<double>(computation),
      format_seconds(tables.seconds(all.found.outside)));
}

}  // namespace

Document replay_suggest_document(const ReplaySuggestReport& report,
                                 const TraceDefinitions& definitions,
                                 const Suggestions& suggestions) {
  const Tables tables(definitions, suggestions);
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.replay.suggest/1";
  document.about = {fmt::format("What to change in {}: {}", report.trace,
                                counted(definitions.ranks.size(), "rank")),
                    outcome_words(suggestions, tables), replay_model_words(report.model)};
  if (const auto words = outside_words(suggestions, tables)) document.about.push_back(*words);
  if (!report.has_times)
    document.about.push_back(no_times_words);
  else if (const auto words = violation_words(suggestions.violations, definitions))
    document.about.push_back(*words);
  if (!report.written.empty())
    document.about.push_back(
        fmt::format("All steps are in {}: `sim replay --hypothesis`", report.written));
  for (const auto& note : report.notes) document.about.push_back("Note: " + note);
  document.tables = {tables.suggestions(), tables.steps(), tables.regions()};
  return document;
}

std::vector<std::string> replay_suggest_document_parts() {
  return {"suggestions", "steps", "regions"};
}

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/reports.hpp"
#include "sim/reports/trace_json.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Outcome;
using studies::replay::Suggestion;
using studies::replay::Suggestions;
using studies::replay::Ticks;
using workloads::traces::TraceDefinitions;

// Data of the tables.
struct Suggested {
  const TraceDefinitions& definitions;
  const Suggestions& all;

  double seconds(Ticks ticks) const { return definitions.seconds(ticks); }
  Ticks gain(const Outcome& outcome) const { return all.now.end - outcome.end; }
  Cell gained_fraction(const Outcome& outcome) const {
    return ratio_cell(gain(outcome), all.now.end);
  }
};

std::vector<std::string> suggestion_notes(const Suggestions& all) {
  std::vector<std::string> notes;
  if (!all.suggestions.empty())
    notes.emplace_back(
        "Imbalance: time of the slowest rank relative to the mean. Caused by: the ranks above "
        "(slow) or below (fast) the mean, of which there are fewer");
  for (const auto& suggestion : all.suggestions)
    if (suggestion.cuts > 0)
      notes.push_back(
          fmt::format("{} of {} messages are empty", suggestion.cuts, all.found.messages));
  if (all.too_small > 0)
    notes.push_back(fmt::format(
        "Omitted, since balancing them can gain at most 0.1 % of the run time: {} (see --part "
        "regions)",
        all.too_small));
  if (all.not_simulated > 0)
    notes.push_back(fmt::format("Not simulated, although they may gain time: {} (raise --most)",
                                all.not_simulated));
  return notes;
}

// "0-3,7"; the first ranges if there are many.
Cell causing_ranks(const studies::replay::Imbalance& of) {
  constexpr std::size_t most_ranges = 3;
  std::vector<engines::RankRange> ranges;
  for (const auto rank : of.causing_ranks) {
    const auto next = static_cast<runtime::RankId>(rank);
    if (!ranges.empty() && ranges.back().last + 1 == next)
      ranges.back().last = next;
    else
      ranges.push_back({next, next});
  }
  if (ranges.empty()) return {};
  const bool is_cut = ranges.size() > most_ranges;
  if (is_cut) ranges.resize(most_ranges);
  return cell_of(ranges_text(ranges) + (is_cut ? ",..." : ""));
}

// Empty if the change is not a balance.
Cell of_balance(const Suggestion& suggestion, Cell value) {
  return suggestion.change.balances.empty() ? Cell{} : value;
}

DocumentTable suggestions_table(const Suggested& of) {
  TableOf table(
      of.all.suggestions,
      {.title = "Each change alone", .notes = suggestion_notes(of.all), .shown_unit = "in ms"});
  table.add("change", {"Change", Shown::name}, &Suggestion::name);
  table.add("mode", [](auto& row) {
    return of_balance(row, cell_of(row.of.is_regular ? "global-instance" : "scaled"));
  });
  table.add("region_time_s", [&](auto& row) { return of_balance(row, of.seconds(row.of.time)); });
  table.add("imbalance", {"Imbalance", Shown::decimals},
            [](auto& row) { return of_balance(row, row.of.ratio()); });
  table.add("causing_ranks", {"Caused by", Shown::plain, 1},
            [](auto& row) { return of_balance(row, causing_ranks(row.of)); });
  table.add("causing_side", {"", Shown::plain, 1}, [](auto& row) {
    const bool has_cause = !row.of.causing_ranks.empty();
    return has_cause ? cell_of(row.of.are_above ? "slow" : "fast") : Cell{};
  });
  table.add("excess_s", {"Excess", Shown::ms, 2},
            [&](auto& row) { return of_balance(row, of.seconds(row.of.excess)); });
  table.add("end_s", {"End", Shown::ms}, [&](auto& row) { return of.seconds(row.outcome.end); });
  table.add("gain_s", {"Gain", Shown::ms},
            [&](auto& row) { return of.seconds(of.gain(row.outcome)); });
  table.add("gain", {"%", Shown::percent},
            [&](auto& row) { return of.gained_fraction(row.outcome); });
  table.add("blocked_s", [&](auto& row) { return of.seconds(row.outcome.blocked); });
  table.add("blocked_gain_s", {"Wait gain", Shown::ms},
            [&](auto& row) { return of.seconds(of.all.now.blocked - row.outcome.blocked); });
  return table.take();
}

struct NumberedStep {
  std::int64_t number;
  std::string names;
  Outcome before, after;
};

std::vector<NumberedStep> numbered_steps(const Suggestions& all) {
  std::vector<NumberedStep> steps;
  Outcome last = all.now;
  for (const auto& step : all.steps) {
    std::vector<std::string> names;
    for (const auto i : step.suggestions) names.push_back(all.suggestions[i].name);
    steps.push_back(
        {std::ssize(steps) + 1, fmt::format("{}", fmt::join(names, " and ")), last, step.outcome});
    last = step.outcome;
  }
  return steps;
}

DocumentTable steps_table(const Suggested& of) {
  TableOf table(
      numbered_steps(of.all),
      {.title = "Steps, applied one after the other while they gain time", .shown_unit = "in ms"});
  table.add("step", {"Step"}, &NumberedStep::number);
  table.add("change", {"Change (cumulative)", Shown::name}, &NumberedStep::names);
  table.add("end_s", {"End", Shown::ms}, [&](auto& step) { return of.seconds(step.after.end); });
  table.add("gain_s", {"Gain", Shown::ms},
            [&](auto& step) { return of.seconds(step.before.end - step.after.end); });
  table.add("total_gain", {"Total (%)", Shown::percent},
            [&](auto& step) { return of.gained_fraction(step.after); });
  table.add("blocked_s", {"Waits left", Shown::ms},
            [&](auto& step) { return of.seconds(step.after.blocked); });
  return table.take();
}

DocumentTable regions_table(const Suggested& of) {
  using studies::replay::Imbalance;
  TableOf table(of.all.found.regions, {.title = "All regions of computation",
                                       .notes = {"Excess: upper bound of the gain by balancing"},
                                       .only_on_request = true,
                                       .shown_unit = "in ms"});
  table.add("region", {"Region", Shown::name}, [&](auto& row) { return row.region; });
  table.add("ranks", {"Ranks", Shown::plain, 2}, &Imbalance::ranks);
  table.add("instances", {"Instances", Shown::plain, 3}, &Imbalance::instances);
  table.add("time_s", {"Time", Shown::ms}, [&](auto& row) { return of.seconds(row.time); });
  table.add("slowest_rank_s", {"Slowest rank", Shown::ms, 1},
            [&](auto& row) { return of.seconds(row.most); });
  table.add("imbalance", {"Imbalance", Shown::decimals}, &Imbalance::ratio);
  table.add("excess_s", {"Excess", Shown::ms}, [&](auto& row) { return of.seconds(row.excess); });
  return table.take();
}

constexpr Part<Suggested> replay_suggest_parts[] = {
    {"suggestions", suggestions_table}, {"steps", steps_table}, {"regions", regions_table}};

std::string outcome_words(const Suggested& of) {
  const auto& all = of.all;
  const std::string now = format_seconds(of.seconds(all.now.end));
  if (all.steps.empty())
    return fmt::format("The program takes {}; none of these changes makes it faster", now);
  const Ticks end = all.steps.back().outcome.end;
  return fmt::format(
      "The program takes {}; with {} it would take {}: {:.1f} % less", now,
      all.steps.size() + all.steps.back().suggestions.size() > 2 ? "all steps below"
                                                                 : "the step below",
      format_seconds(of.seconds(end)),
      100 * static_cast<double>(all.now.end - end) / static_cast<double>(all.now.end));
}

// The limits of what the trace contains.
std::optional<std::string> outside_words(const Suggested& of) {
  const auto& all = of.all;
  constexpr double much = 0.02;
  Ticks computation = all.found.outside;
  for (const auto& region : all.found.regions) computation += region.time;
  if (static_cast<double>(all.found.outside) <= much * static_cast<double>(computation))
    return std::nullopt;
  return fmt::format(
      "Note: {:.0f} % of all computation ({}, sum over the ranks) is outside all regions: "
      "instrument the program's own functions to see which of them to change",
      100 * static_cast<double>(all.found.outside) / static_cast<double>(computation),
      format_seconds(of.seconds(all.found.outside)));
}

}  // namespace

Document replay_suggest_document(const TraceReport& report, const TraceDefinitions& definitions,
                                 const Suggestions& suggestions) {
  const Suggested of{definitions, suggestions};
  Document document{report, "sim.replay.suggest/1"};
  document.about = {fmt::format("Suggested changes for {}: {}", report.trace,
                                counted(definitions.ranks.size(), "rank")),
                    outcome_words(of), replay_model_words(report.model)};
  if (const auto words = outside_words(of)) document.about.push_back(*words);
  if (!report.has_times) document.about.push_back(no_times_words);
  for (auto& words : trust_words(report, suggestions.violations, suggestions.verdict, definitions))
    document.about.push_back(std::move(words));
  if (!report.written.empty())
    document.about.push_back(fmt::format(
        "All steps are in {}; apply them with `sim replay --hypothesis`", report.written));
  for (const auto& note : report.notes) document.about.push_back("Note: " + note);
  document.tables = tables_of(replay_suggest_parts, of);
  return document;
}

std::vector<std::string> replay_suggest_document_parts() { return names_of(replay_suggest_parts); }

}  // namespace tutti::reports

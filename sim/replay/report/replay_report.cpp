// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/replayed.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Cause;
using studies::replay::Metric;
using studies::replay::metric_count;
using studies::replay::metric_names;
using studies::replay::PathId;
using studies::replay::ReplayResult;
using workloads::traces::TraceDefinitions;

// A metric of a call path, in the trace and replayed.
struct BeforeAfter {
  std::size_t metric;
  PathId path;
  std::uint32_t rank;
  std::int64_t before, after;

  std::string_view metric_name() const { return metric_names[metric]; }
  bool is_zero() const { return before == 0 && after == 0; }
  std::int64_t larger() const { return std::max(before, after); }
};

// Each call path and rank at which a metric is not 0, before or after.
std::vector<BeforeAfter> metrics_by_rank(const ReplayResult& result) {
  std::vector<BeforeAfter> rows;
  for (PathId path = 1; path < result.paths.size(); ++path)
    for (std::uint32_t rank = 0; rank < result.before.ranks(); ++rank) {
      const auto before = result.before.of(rank, path), after = result.after.of(rank, path);
      for (std::size_t i = 0; i < metric_count; ++i)
        if (const BeforeAfter row{i, path, rank, before[i], after[i]}; !row.is_zero())
          rows.push_back(row);
    }
  return rows;
}

constexpr auto visits = static_cast<std::size_t>(Metric::visits);

// Whether the metric exists in a trace.
bool is_recorded(std::size_t metric) {
  return metric != static_cast<std::size_t>(Metric::wait_and_transfer);
}

DocumentTable points_table(const Replayed& replayed) {
  const auto seconds = [&](const BeforeAfter& of, std::int64_t ticks) {
    return of.metric == visits ? Cell{} : Cell{replayed.seconds(ticks)};
  };
  const auto recorded = [&](const BeforeAfter& of) {
    return is_recorded(of.metric) ? seconds(of, of.before) : Cell{};
  };
  const auto count = [](const BeforeAfter& of, std::int64_t ticks) {
    return of.metric == visits ? Cell{ticks} : Cell{};
  };
  TableOf table(metrics_by_rank(replayed.result),
                {.title = "Metrics by call path and rank", .only_on_request = true});
  table.add("metric", {"Metric"}, &BeforeAfter::metric_name);
  table.add("call_path", {"Call path", Shown::name},
            [&](auto& row) { return replayed.name(row.path); });
  table.add("rank", {"Rank"}, &BeforeAfter::rank);
  table.add("before_s", {"Original", Shown::time}, recorded);
  table.add("after_s", {"Replayed", Shown::time},
            [&](auto& row) { return seconds(row, row.after); });
  table.add("before_count", {"Original count"}, [&](auto& row) { return count(row, row.before); });
  table.add("after_count", {"Replayed count"}, [&](auto& row) { return count(row, row.after); });
  return table.take();
}

struct SummaryLine {
  std::string what;
  std::optional<double> before_s;  // unset: the trace does not show it
  double after_s;
};

std::vector<SummaryLine> summary_lines(const Replayed& replayed) {
  const auto& result = replayed.result;
  std::vector<SummaryLine> lines{
      {"end", replayed.seconds(result.end_before), replayed.seconds(result.end_after)}};
  const auto before = result.before.total(), after = result.after.total();
  for (std::size_t i = 0; i < metric_count; ++i) {
    if (i == visits || (before[i] == 0 && after[i] == 0)) continue;
    lines.push_back({std::string(metric_names[i]),
                     is_recorded(i) ? std::optional(replayed.seconds(before[i])) : std::nullopt,
                     replayed.seconds(after[i])});
  }
  return lines;
}

DocumentTable summary_table(const Replayed& replayed) {
  const auto lines = summary_lines(replayed);
  std::vector<std::string> notes{sums_note};
  if (!std::ranges::all_of(lines, [](auto& line) { return line.before_s.has_value(); }))
    notes.emplace_back(
        "wait_and_transfer: blocked plus the transfers that calls wait for, which a trace does not "
        "show");
  TableOf table(lines, {.title = "Summary", .notes = notes, .shown_unit = "in ms"});
  table.add("what", {""}, &SummaryLine::what);
  table.add("before_s", {"Original", Shown::ms}, &SummaryLine::before_s);
  table.add("after_s", {"Replayed", Shown::ms}, &SummaryLine::after_s);
  table.add("change", {"Change (%)", Shown::signed_percent}, [&](auto& line) {
    return line.before_s && replayed.report.has_times ? change_of(*line.before_s, line.after_s)
                                                      : Cell{};
  });
  return table.take();
}

// Wait states by call path, largest first.
std::vector<BeforeAfter> waits_in(const ReplayResult& result) {
  std::vector<BeforeAfter> waits;
  for (auto i = static_cast<std::size_t>(Metric::late_sender);
       i <= static_cast<std::size_t>(Metric::wait_and_transfer); ++i) {
    std::vector<BeforeAfter> rows;
    for (PathId path = 1; path < result.paths.size(); ++path)
      rows.push_back({i, path, 0, result.before.of_path(path)[i], result.after.of_path(path)[i]});
    std::erase_if(rows, [](auto& row) { return row.is_zero(); });
    std::ranges::stable_sort(rows, std::ranges::greater(), &BeforeAfter::larger);
    waits.insert(waits.end(), rows.begin(), rows.end());
  }
  return waits;
}

DocumentTable waits_table(const Replayed& replayed) {
  TableOf table(waits_in(replayed.result),
                {.title = "Wait states by call path, sum over all ranks", .shown_unit = "in ms"});
  table.group("metric", &BeforeAfter::metric_name);
  table.add("call_path", {"Call path", Shown::name},
            [&](auto& row) { return replayed.name(row.path); });
  table.add("before_s", {"Original", Shown::ms}, [&](auto& row) {
    return is_recorded(row.metric) ? Cell{replayed.seconds(row.before)} : Cell{};
  });
  table.add("after_s", {"Replayed", Shown::ms},
            [&](auto& row) { return replayed.seconds(row.after); });
  return table.take();
}

// In ticks.
struct PathCause {
  double critical = 0, imbalance = 0, impact = 0, delay = 0;

  double largest() const { return std::max({critical, imbalance, impact, delay}); }
};

PathCause cause_of(const studies::replay::MetricTable& table, PathId path) {
  const auto metrics = table.of_path(path);
  const auto ranks = static_cast<double>(table.ranks());
  const auto of = [&](Metric metric) { return static_cast<double>(metrics[metric]); };
  double impact = 0;
  for (std::uint32_t rank = 0; rank < table.ranks(); ++rank)
    for (const auto& time : table.causes(rank, path))
      if (time.cause >= Cause::imbalance_within) impact += static_cast<double>(time.ticks);
  const double critical = of(Metric::critical_path);
  return {critical, std::max(0.0, critical - of(Metric::time) / ranks), impact,
          of(Metric::delay_direct) + of(Metric::delay_indirect)};
}

struct PathCauses {
  PathId path;
  PathCause before, after;

  double largest() const { return std::max(before.largest(), after.largest()); }
};

// Per call path: its time on the critical path, the excess of that time over the mean of all ranks,
// the waits that this causes, and those that its delays cause. Largest first.
std::vector<PathCauses> causes_in(const ReplayResult& result) {
  std::vector<PathCauses> rows;
  for (PathId path = 0; path < result.paths.size(); ++path) {
    const PathCauses row{path, cause_of(result.before, path), cause_of(result.after, path)};
    if (row.largest() > 0) rows.push_back(row);
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), &PathCauses::largest);
  return rows;
}

DocumentTable causes_table(const Replayed& replayed) {
  TableOf table(causes_in(replayed.result),
                {.title = "Critical path and cost of delays",
                 .notes = {"Imbalance: critical minus the mean over all ranks. Delays: waits of "
                           "other ranks that the call path causes. Impact: waits of all ranks that "
                           "imbalance of the critical path causes"},
                 .shown_unit = "in ms"});
  table.add("call_path", {"Call path", Shown::name},
            [&](auto& row) { return replayed.name_with_outside(row.path); });
  const auto add = [&](const std::string& name, const char* head, double PathCause::*part,
                       int spare = 0) {
    table.add(name + "_before_s", {head, Shown::ms, spare},
              [&](auto& row) { return replayed.seconds(row.before.*part); });
    table.add(name + "_after_s", {"Replayed", Shown::ms, spare},
              [&](auto& row) { return replayed.seconds(row.after.*part); });
  };
  add("critical", "Critical", &PathCause::critical);
  add("imbalance", "Imbalance", &PathCause::imbalance);
  add("delay", "Delays", &PathCause::delay);
  add("impact", "Impact", &PathCause::impact, 1);
  return table.take();
}

// The sums over all ranks and call paths, by cause, in ticks.
struct KindCauses {
  using Sums = std::array<std::int64_t, studies::replay::cause_count>;

  std::string_view kind;
  Sums before{}, after{};
};

std::vector<KindCauses> causes_by_kind(const ReplayResult& result) {
  std::vector<KindCauses> rows;
  for (const auto kind : studies::replay::wait_kind_names) rows.push_back({.kind = kind});
  const auto add = [&](const studies::replay::MetricTable& table,
                       KindCauses::Sums KindCauses::*to) {
    for (std::uint32_t rank = 0; rank < table.ranks(); ++rank)
      for (const auto& time : table.causes(rank))
        if (time.cause <= Cause::delay_longterm)
          (rows[static_cast<std::size_t>(time.kind)].*to)[static_cast<std::size_t>(time.cause)] +=
              time.ticks;
  };
  add(result.before, &KindCauses::before);
  add(result.after, &KindCauses::after);
  std::erase_if(rows, [](auto& row) {
    return row.before == KindCauses::Sums{} && row.after == KindCauses::Sums{};
  });
  return rows;
}

DocumentTable delays_table(const Replayed& replayed) {
  TableOf table(
      causes_by_kind(replayed.result),
      {.title = "Causes of waits by kind, sum over all ranks",
       .notes = {"Direct: due to what the awaited rank did; indirect: to its own waits. Passed on: "
                 "the part that delays others (propagating); the rest is terminal"},
       .shown_unit = "in ms"});
  table.add("kind", {"Kind of wait", Shown::name}, &KindCauses::kind);
  const auto add = [&](const std::string& name, std::optional<ShownAs> shown, Cause cause) {
    const auto at = static_cast<std::size_t>(cause);
    std::optional<ShownAs> after = shown;
    if (after) after->head = "Replayed";
    table.add(name + "_before_s", std::move(shown),
              [&, at](auto& row) { return replayed.seconds(row.before[at]); });
    table.add(name + "_after_s", std::move(after),
              [&, at](auto& row) { return replayed.seconds(row.after[at]); });
  };
  add("direct", ShownAs{"Direct", Shown::ms}, Cause::wait_direct);
  add("indirect", ShownAs{"Indirect", Shown::ms}, Cause::wait_indirect);
  add("propagating", ShownAs{"Passed on", Shown::ms}, Cause::wait_propagating);
  add("terminal", std::nullopt, Cause::wait_terminal);
  add("short_term", std::nullopt, Cause::delay);
  add("long_term", std::nullopt, Cause::delay_longterm);
  return table.take();
}

DocumentTable verdict_table(const Replayed& replayed) {
  TableOf table(replayed.result.verdict.regions,
                {.title = "Calls without a modeled dependency",
                 .notes = {"They keep their recorded times; of calls that only send, what exceeds "
                           "the shortest one of the same size"},
                 .only_on_request = true});
  table.add("call", {"Call", Shown::name},
            [&](auto& row) { return replayed.definitions.regions[row.region].name; });
  table.add("calls", {"Calls"}, [](auto& row) { return static_cast<std::int64_t>(row.calls); });
  table.add("time_s", {"Time", Shown::ms}, [&](auto& row) { return replayed.seconds(row.ticks); });
  table.add("fraction", {"Of all time (%)", Shown::percent},
            &studies::replay::Verdict::OfRegion::fraction);
  return table.take();
}

constexpr Part<Replayed> replay_parts[] = {
    {"points", points_table},
    {"summary", summary_table},
    {"paths", replayed_paths_table},
    {"waits", waits_table},
    {"instances", wait_instances_table},
    {"causes", causes_table, [](auto& replayed) { return replayed.report.causes; }},
    {"delays", delays_table, [](auto& replayed) { return replayed.report.causes; }},
    {"verdict", verdict_table, [](auto& replayed) { return replayed.report.has_times; }}};

// What the trace shows that calls wait for, beyond what MPI guarantees. One sentence each.
std::vector<std::string> rule_words(const studies::replay::WaitRules& rules) {
  std::vector<std::string> words;
  if (rules.synchronous_bytes != UINT64_MAX)
    words.push_back(
        fmt::format("the trace shows that standard sends of {} and more wait for their receives",
                    format_bytes(static_cast<Bytes>(rules.synchronous_bytes))));
  std::set<std::string> all, root;
  for (const auto& [kind, waits] : rules.collectives)
    (waits == studies::replay::WaitsFor::all ? all : root)
        .insert(studies::replay::collective_name(kind));
  if (!all.empty())
    words.push_back(
        fmt::format("the trace shows that ranks wait for all others in {}", fmt::join(all, ", ")));
  if (!root.empty())
    words.push_back(
        fmt::format("the trace shows that ranks wait for the root in {}", fmt::join(root, ", ")));
  if (rules.start_waits)
    words.emplace_back("the trace shows that MPI_Win_start waits for MPI_Win_post");
  if (rules.lock_waits) words.emplace_back("the trace shows that MPI_Win_lock waits for the lock");
  return words;
}

}  // namespace

std::string replay_model_words(const std::string& model) {
  if (model == "recorded")
    return "Model recorded: calls end as long after their latest cause as in the trace; no "
           "contention";
  if (model == "loggp") return "Model loggp: calls take times from L, o and G; no contention";
  return fmt::format("Model {}: messages and collectives are simulated", model);
}

std::string location_words(const TraceDefinitions& definitions) {
  const auto streams = static_cast<std::size_t>(
      std::ranges::count(definitions.others, workloads::traces::TraceLocation::Kind::stream,
                         &workloads::traces::TraceLocation::kind));
  const std::size_t threads = definitions.others.size() - streams;
  std::string locations = counted(definitions.ranks.size(), "rank");
  if (threads > 0) locations += " and " + counted(threads, "more thread");
  if (streams > 0) locations += " and " + counted(streams, "stream");
  return locations;
}

std::string size_words(const TraceDefinitions& definitions, const ReplayResult& result) {
  return fmt::format("{}, {}, {}, {}", location_words(definitions), counted(result.events, "event"),
                     counted(result.messages, "message"),
                     counted(result.collectives, "collective call"));
}

bool needs_warning(const studies::replay::Verdict& verdict) {
  return verdict.fraction > studies::replay::Verdict::warning_fraction;
}

namespace {

// "MPI_File_write 12.3 %, MPI_File_read 4.5 %"
std::string unmodeled_words(const studies::replay::Verdict& verdict,
                            const TraceDefinitions& definitions) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> calls;
  for (const auto& region : verdict.regions) {
    if (calls.size() == most_named) {
      calls.emplace_back("...");
      break;
    }
    calls.push_back(fmt::format("{} {}", definitions.regions[region.region].name,
                                studies::replay::percent_text(region.fraction)));
  }
  return fmt::format("{}", fmt::join(calls, ", "));
}

}  // namespace

namespace {

std::string device_words(const studies::replay::Verdict& verdict) {
  return verdict.of_devices == 1
             ? "1 dependency of accelerators is not certain"
             : fmt::format("{} dependencies of accelerators are not certain", verdict.of_devices);
}

}  // namespace

std::string verdict_words(const studies::replay::Verdict& verdict,
                          const TraceDefinitions& definitions) {
  const auto percent = studies::replay::percent_text(verdict.fraction);
  const auto& reordered = verdict.reordered;
  if (verdict.regions.empty() && !reordered.any() && verdict.fraction == 0 &&
      (verdict.is_bound || verdict.of_devices == 0))
    return "Verdict: everything that calls wait for is modeled";
  if (!verdict.is_bound && verdict.regions.empty() && verdict.of_devices > 0)
    return "Verdict: " + device_words(verdict);
  if (!verdict.is_bound && !verdict.regions.empty())
    return fmt::format(
        "Verdict: {} of the time is in calls without a modeled dependency, which keep their "
        "recorded times: {}",
        percent, unmodeled_words(verdict, definitions));
  std::vector<std::string> reasons;
  if (!verdict.regions.empty())
    reasons.push_back("the time in calls without a modeled dependency: " +
                      unmodeled_words(verdict, definitions));
  if (reordered.overtaken > 0)
    reasons.push_back(
        fmt::format("another request completed first, {}", counted(reordered.overtaken, "time")));
  if (reordered.counted > 0)
    reasons.push_back(fmt::format("another rank would have taken work from a counter first, {}",
                                  counted(reordered.counted, "time")));
  if (verdict.has_doubtful_waits)
    reasons.emplace_back("the trace does not show whether some sends or collectives wait");
  if (verdict.of_devices > 0) reasons.push_back(device_words(verdict));
  if (verdict.locks.acquisitions > 0)
    reasons.push_back(fmt::format("threads may get locks in another order, {}",
                                  counted(verdict.locks.acquisitions, "time")));
  if (verdict.conditions > 0)
    reasons.push_back(fmt::format("threads may have to wait for conditions, {}",
                                  counted(verdict.conditions, "time")));
  if (verdict.shared_work > 0)
    reasons.push_back(fmt::format("iterations or tasks may move to other threads before {}",
                                  counted(verdict.shared_work, "barrier")));
  if (reordered.moves_work) reasons.emplace_back("work may move to other ranks");
  if (reasons.empty()) reasons.emplace_back("processes or tests without a modeled cause");
  return fmt::format("Verdict: the really changed program may end up to {} earlier or later: {}",
                     percent, fmt::join(reasons, "; "));
}

Cell change_of(double before, double after) {
  constexpr double least = 1e-3;  // fraction of `after`; below it a percentage is meaningless
  return before > 0 && before >= least * after ? Cell{after / before - 1} : Cell{};
}

std::optional<std::string> violation_words(const studies::replay::Violations& violations,
                                           const TraceDefinitions& definitions) {
  if (violations.receives + violations.collectives == 0) return std::nullopt;
  return fmt::format(
      "Clock violations: {} before {} message was sent, {} before the last rank began; the largest "
      "by {}: the clocks are not synchronized; --align-clocks shifts them",
      violations.receives == 1 ? "1 receive ends"
                               : fmt::format("{} receives end", violations.receives),
      violations.receives == 1 ? "its" : "their", counted(violations.collectives, "collective"),
      format_seconds(definitions.seconds(violations.worst)));
}

std::vector<std::string> trust_words(const TraceReport& report,
                                     const studies::replay::Violations& violations,
                                     const studies::replay::Verdict& verdict,
                                     const TraceDefinitions& definitions) {
  if (!report.has_times) return {};
  std::vector<std::string> sentences;
  if (auto words = violation_words(violations, definitions)) sentences.push_back(*std::move(words));
  sentences.push_back((needs_warning(verdict) ? "Warning: " : "") +
                      verdict_words(verdict, definitions));
  return sentences;
}

Document replay_document(const ReplayReport& report, const TraceDefinitions& definitions,
                         const ReplayResult& result) {
  Document document{report, "sim.replay/1"};
  document.about = {fmt::format("Replay of {}: {}", report.trace, size_words(definitions, result)),
                    replay_model_words(report.model)};
  if (!report.has_times) document.about.push_back(no_times_words);
  if (report.cpu_factor != 1)
    document.about.push_back(
        fmt::format("Computation takes {:g} times as long as in the trace", report.cpu_factor));
  else if (report.has_times && report.hypothesis.empty())
    document.about.push_back(
        fmt::format("No hypothesis: the largest deviation of an event's time is {}",
                    format_seconds(definitions.seconds(result.largest_deviation))));
  if (!report.hypothesis.empty())
    document.about.push_back(fmt::format("Hypothesis {}: {} {} cut", report.hypothesis,
                                         counted(result.cut_events, "event"),
                                         result.cut_events == 1 ? "is" : "are"));
  if (report.end_without_change)
    document.about.push_back(fmt::format(
        "Without the change this model predicts {}: the effect of the change is {:+.1f} %",
        format_seconds(definitions.seconds(*report.end_without_change)),
        100 * (static_cast<double>(result.end_after) /
                   static_cast<double>(*report.end_without_change) -
               1)));
  for (auto& words : trust_words(report, result.violations, result.verdict, definitions))
    document.about.push_back(std::move(words));
  for (const auto& words : rule_words(result.rules)) document.about.push_back("Note: " + words);
  if (!report.written.empty())
    document.about.push_back(fmt::format("The new trace is in {}", report.written));
  for (const auto& part : result.unmatched) document.about.push_back("Warning: " + part);
  for (const auto& note : report.notes) document.about.push_back("Note: " + note);
  for (const auto& note : result.notes) document.about.push_back("Note: " + note);
  document.tables = tables_of(replay_parts, Replayed{report, definitions, result});
  return document;
}

std::vector<std::string> replay_document_parts() { return names_of(replay_parts); }

}  // namespace tutti::reports

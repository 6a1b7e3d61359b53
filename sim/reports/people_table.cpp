// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/people_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "sim/base/counted.hpp"
#include "sim/base/quote.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/profiles.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::reports {
namespace {

using studies::Record;
using Rows = std::vector<const Record*>;
using Number = std::int64_t Record::*;
using MaybeNumber = std::optional<std::int64_t> Record::*;

// Records that answer the same question, asked for different algorithms.
auto conditions(const Record& record) {
  return std::tuple(record.procs, record.ppn, record.root, record.message_bytes);
}
using Conditions = decltype(conditions(Record{}));

template <class Value>
bool varies(const Rows& rows, Value Record::*member) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Record* row) { return row->*member != rows.front()->*member; });
}

// True if rows with the same conditions have different requests: two may choose the same algorithm.
bool has_rivals(const Rows& rows) {
  std::map<Conditions, std::string> first;
  return std::any_of(rows.begin(), rows.end(), [&](const Record* row) {
    const auto& request = row->requested_algorithm;
    return first.try_emplace(conditions(*row), request).first->second != request;
  });
}

std::string microseconds(const std::optional<Seconds>& time_s) {
  return time_s ? fmt::format("{:.2f}", *time_s * 1e6) : "-";
}

struct Fastest {
  std::set<const Record*> rows;
  bool tie = false;
};

// Of each group. Times that look the same are a tie: a mark on one of them would be a riddle.
Fastest fastest_of(const Rows& rows) {
  std::map<Conditions, Seconds> least;
  for (const Record* row : rows) {
    if (!row->time_s) continue;
    const auto [found, added] = least.try_emplace(conditions(*row), *row->time_s);
    if (!added) found->second = std::min(found->second, *row->time_s);
  }
  Fastest fastest;
  for (const Record* row : rows) {
    const auto found = least.find(conditions(*row));
    if (found != least.end() && microseconds(row->time_s) == microseconds(found->second))
      fastest.rows.insert(row);
  }
  fastest.tie = fastest.rows.size() > least.size();
  return fastest;
}

PeopleColumn column(const Rows& rows, std::string head,
                    const std::function<std::string(const Record&)>& text_of) {
  PeopleColumn made;
  made.head = std::move(head);
  for (const Record* row : rows) made.cells.push_back(text_of(*row));
  return made;
}

PeopleColumn numbers(const Rows& rows, std::string head, Number member) {
  return column(rows, std::move(head),
                [&](const Record& row) { return fmt::format("{}", row.*member); });
}

// "-" where a record has none.
PeopleColumn numbers(const Rows& rows, std::string head, MaybeNumber member) {
  return column(rows, std::move(head), [&](const Record& row) {
    return row.*member ? fmt::format("{}", *(row.*member)) : "-";
  });
}

PeopleColumn times(const Rows& rows, std::string head, std::optional<Seconds> Record::*member,
                   int spare) {
  auto made =
      column(rows, std::move(head), [&](const Record& row) { return microseconds(row.*member); });
  made.spare = spare;
  return made;
}

std::string protocol_of(const Record& row) {
  if (row.messages == 0) return "-";
  if (row.eager_messages == row.messages) return "eager";
  if (row.detached_messages == row.messages) return "detached";
  return row.rendezvous_messages == row.messages ? "rendezvous" : "mixed";
}

// True if rows that name one algorithm differ: then a person asked for several values. Else the
// rules chose the value, or it comes with the algorithm.
template <class Value>
bool is_axis(const Rows& rows, Value Record::*member) {
  std::map<std::string, Value> first;
  return std::any_of(rows.begin(), rows.end(), [&](const Record* row) {
    return !workloads::is_automatic(row->requested_algorithm) &&
           first.try_emplace(row->algorithm, row->*member).first->second != row->*member;
  });
}

// What varies and was asked for stands before the answer.
void add_axes(const Rows& rows, std::vector<PeopleColumn>& columns) {
  const std::pair<const char*, Number> of_the_job[] = {{"Procs", &Record::procs},
                                                       {"PPN", &Record::ppn}};
  for (const auto& [head, member] : of_the_job)
    if (varies(rows, member)) columns.push_back(numbers(rows, head, member));
  if (varies(rows, &Record::root)) columns.push_back(numbers(rows, "Root", &Record::root));
  if (is_axis(rows, &Record::segment_bytes))
    columns.push_back(numbers(rows, "Segment", &Record::segment_bytes));
  if (is_axis(rows, &Record::fanout)) columns.push_back(numbers(rows, "Fan-out", &Record::fanout));
  if (is_axis(rows, &Record::max_requests))
    columns.push_back(numbers(rows, "Requests", &Record::max_requests));
}

// A segment size that varies and was chosen stands behind the algorithm that it belongs to. (A
// fan-out that was chosen is the algorithm's only one.)
void add_choices(const Rows& rows, std::vector<PeopleColumn>& columns) {
  if (varies(rows, &Record::segment_bytes) && !is_axis(rows, &Record::segment_bytes))
    columns.push_back(numbers(rows, "Segment", &Record::segment_bytes));
}

bool is_model(const Rows& rows) { return rows.front()->engine == studies::model_engine; }

bool is_untimed(const Rows& rows) { return !rows.front()->time_s; }

bool is_extrapolated(const Record* row) { return !row->extrapolation.empty(); }

std::string steps_text(const Record& row) {
  return row.steps ? fmt::format("{} of {}", *row.simulated_steps, *row.steps) : "all";
}

std::string error_text(const Record& row) {
  if (!row.extrapolation_error) return "-";
  const double part = *row.extrapolation_error;
  return part < 1e-4 ? fmt::format("{:.0e}", part) : fmt::format("{:.2f}%", 100 * part);
}

bool depends_on_start(const Record* row) { return row->start_spread.has_value(); }

std::string spread_text(const Record& row) {
  if (!row.start_spread) return "-";
  const double percent = 100 * *row.start_spread;
  return percent < 0.01 ? "0.01%" : fmt::format("{:.2g}%", percent);
}

void add_models(const Rows& rows, std::vector<PeopleColumn>& columns) {
  columns.push_back(times(rows, "Hockney (us)", &Record::model_hockney_s, 0));
  columns.push_back(times(rows, "LogGP (us)", &Record::model_loggp_s, 0));
}

// In us with about three digits: an estimate has no more.
std::string rough_microseconds(Seconds time_s) {
  const double time_us = time_s * 1e6;
  return fmt::format("{:.{}f}", time_us, time_us >= 99.95 ? 0 : time_us >= 9.995 ? 1 : 2);
}

std::string confidence_text(const Record& row) {
  if (!row.confidence_low_s) return "-";
  return rough_microseconds(*row.confidence_low_s) + '-' +
         rough_microseconds(*row.confidence_high_s);
}

void add_answers(const Rows& rows, const Report& report, std::vector<PeopleColumn>& columns) {
  if (is_model(rows)) return add_models(rows, columns);
  columns.push_back(times(rows, "Max (us)", &Record::time_s, 0));
  if (std::ranges::any_of(rows, depends_on_start))
    columns.push_back(column(rows, "+/-", spread_text));
  if (report.with_confidence) columns.push_back(column(rows, "9 of 10", confidence_text));
  columns.push_back(times(rows, "Avg (us)", &Record::time_mean_s, 1));
  columns.push_back(times(rows, "Min (us)", &Record::time_min_s, 2));
  if (rows.front()->repetition_min_s) {
    columns.push_back(times(rows, "Least", &Record::repetition_min_s, 4));
    columns.push_back(times(rows, "Most", &Record::repetition_max_s, 4));
  }
  if (rows.front()->after_last_arrival_s)
    columns.push_back(times(rows, "After last", &Record::after_last_arrival_s, 5));
  if (std::ranges::any_of(rows, is_extrapolated)) {
    columns.push_back(column(rows, "Steps", steps_text));
    columns.push_back(column(rows, "Error <", error_text));
  }
  if (!is_untimed(rows)) return;
  columns.push_back(numbers(rows, "Messages", &Record::messages));  // then these are the answer
  columns.push_back(numbers(rows, "Bytes sent", &Record::wire_bytes));
}

// The fan-out that auto:best found; others are asked for, or the only one.
std::string fanout_found(const Record& row) {
  return row.requested_algorithm == workloads::best_name && row.fanout
             ? fmt::format(" (fan-out {})", *row.fanout)
             : "";
}

// Where an algorithm says what it is made of: behind its name, or below the table.
enum class RunsAs : std::uint8_t { in_cells, in_notes };

PeopleColumn algorithm_column(const Rows& rows, const Fastest& fastest, RunsAs runs_as) {
  const bool many = varies(rows, &Record::requested_algorithm);
  auto made = column(rows, "Algorithm", [&](const Record& row) {
    const bool automatic = workloads::is_automatic(row.requested_algorithm);
    const bool has_levels = row.requested_algorithm.starts_with(row.algorithm + ':');
    return (many && automatic ? row.requested_algorithm + ": " : "") +
           (has_levels ? row.requested_algorithm : row.algorithm) + fanout_found(row) +
           (row.runs_as.empty() || runs_as == RunsAs::in_notes
                ? ""
                : fmt::format(" (runs {})", row.runs_as)) +
           (fastest.rows.contains(&row) ? " *" : "");
  });
  made.left = true;
  return made;
}

void add_protocol(const Rows& rows, std::vector<PeopleColumn>& columns) {
  columns.push_back(column(rows, "Protocol", protocol_of));
  columns.back().left = true;
  columns.back().spare = 3;
}

bool engines_vary(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Record* row) { return row->engine != rows.front()->engine; });
}

// "engine flow (chosen), without contention".
std::string engine_of(const Rows& rows) {
  const Record& first = *rows.front();
  if (is_model(rows)) return "formulas alone, nothing is simulated";
  std::string text = engines_vary(rows) ? "engine as listed" : "engine " + first.engine;
  if (is_untimed(rows)) text += " (untimed)";
  if (first.engine_is_chosen) text += " (auto)";
  text += contention_words(first.contention);
  if (first.merge_window > 0)
    text += fmt::format(", approximate: merge window {}", first.merge_window);
  return text;
}

std::string call_of(const Record& row) {
  std::string text;
  if (!row.counts.empty()) text += ", counts " + row.counts;
  if (row.commutative == false) text += ", operation not commutative";
  return text;
}

std::string measurement_of(const Record& row) {
  std::string text;
  if (!row.benchmark.empty()) text += ", as " + row.benchmark + " measures";
  if (row.repetitions > 1) text += fmt::format(", {} repetitions", row.repetitions);
  if (!row.skew.empty()) text += ", skew " + row.skew;
  if (!row.noise.empty()) text += ", noise " + row.noise;
  return text;
}

std::vector<std::string> title_of(const Rows& rows, const Report& report) {
  const Record& first = *rows.front();
  std::string title =
      fmt::format("{} on {}", mpi_name(first.collective), report.provenance.platform_name);
  if (!varies(rows, &Record::procs)) title += ": " + processes(first.procs);
  if (!varies(rows, &Record::procs) && !varies(rows, &Record::ppn))
    title += fmt::format(" on {}, {}", counted(first.nodes, "node"), per_node(first));
  std::string detail = fmt::format("{}, map {}", engine_of(rows), first.map);
  if (first.root && !varies(rows, &Record::root)) detail += fmt::format(", root {}", *first.root);
  if (!varies(rows, &Record::segment_bytes) && first.segment_bytes > 0)
    detail += fmt::format(", segment {}", format_bytes(first.segment_bytes));
  if (!varies(rows, &Record::fanout) && first.fanout)
    detail += fmt::format(", fan-out {}", *first.fanout);
  if (!varies(rows, &Record::max_requests) && first.max_requests.value_or(0) > 0)
    detail += ", at most " + counted(*first.max_requests, "request");
  detail += call_of(first) + measurement_of(first);
  if (first.element_bytes > 1) detail += fmt::format(", elements of {} B", first.element_bytes);
  return {printable(title), printable(detail)};
}

// By algorithm, what it runs.
std::map<std::string, std::set<std::string>> parts_run(const Rows& rows) {
  std::map<std::string, std::set<std::string>> runs;
  for (const Record* row : rows)
    if (!row->runs_as.empty()) runs[row->algorithm].insert(row->runs_as);
  return runs;
}

bool is_one_each(const Rows& rows) {
  return std::ranges::all_of(parts_run(rows),
                             [](const auto& each) { return each.second.size() == 1; });
}

void add_notes_of_parts(const Rows& rows, PeopleTable& table) {
  for (const auto& [algorithm, runs] : parts_run(rows))
    table.notes.push_back(
        runs.size() == 1
            ? fmt::format("{} runs {}", algorithm, *runs.begin())
            : fmt::format("{} runs different algorithms in different rows ({}: runs_as)", algorithm,
                          table.all_columns));
}

// A rules file may leave rows to the fixed rules, all of them if Open MPI ignores it.
void add_note_of_rules(const Rows& rows, PeopleTable& table) {
  const auto asks = [](const Record* row) {
    return workloads::rules_file_of(row->requested_algorithm).has_value() &&
           row->decided_by != studies::guidelines::decided_by_profile;
  };
  const auto is_left = [&](const Record* row) {
    return asks(row) && !row->decided_by.starts_with(workloads::decided_by_file);
  };
  const auto asked = std::ranges::count_if(rows, asks);
  const auto left = std::ranges::count_if(rows, is_left);
  if (left == 0) return;
  const std::string& rules = (*std::ranges::find_if(rows, is_left))->decided_by;
  table.notes.push_back(
      left == asked
          ? fmt::format("the rules file decided nothing here: the fixed rules {} did", rules)
          : fmt::format("the rules file decided {} of {} rows, the fixed rules {} the others",
                        asked - left, asked, rules));
}

// Profiles replace some rows, and could not replace others for want of memory.
void add_note_of_profiles(const Rows& rows, PeopleTable& table) {
  const auto replaced = std::ranges::count_if(rows, [](const Record* row) {
    return row->decided_by == studies::guidelines::decided_by_profile;
  });
  if (replaced > 0)
    table.notes.push_back(
        fmt::format("a profile replaced the collective in {} of {} rows", replaced, rows.size()));
  const auto left = std::ranges::count_if(rows, [](const Record* row) {
    return row->decided_by.find(studies::guidelines::no_buffer_for) != std::string::npos;
  });
  if (left > 0)
    table.notes.push_back(fmt::format(
        "in {} of {} rows the mock-up needs more than the library's buffers: the default ran", left,
        rows.size()));
}

void add_notes(const Rows& rows, const Report& report, const Fastest& fastest, PeopleTable& table) {
  if (!fastest.rows.empty())
    table.notes.push_back(std::string("* the fastest of its group") +
                          (fastest.tie ? "; equal times share the mark" : ""));
  if (rows.front()->repetition_min_s)
    table.notes.push_back(
        "Max (us): the slowest rank's latency, median of the repetitions; Least, Most: of the same "
        "over the repetitions");
  if (rows.front()->after_last_arrival_s)
    table.notes.push_back("After last: from the last rank's arrival to the end");
  if (report.with_confidence)
    table.notes.push_back(
        "9 of 10: between these times lie nine of ten measured ones, by the platform's "
        "accuracy/COLLECTIVE, else accuracy/all; jobs unlike those measured may be farther off");
  if (std::ranges::any_of(rows, depends_on_start))
    table.notes.push_back(
        "+/-: such a time depends on picoseconds of the ranks' start: the median start; 99 "
        "of 100 are this near (--exact-start: all at once)");
  if (std::ranges::any_of(rows, is_extrapolated))
    table.notes.push_back(
        "Steps: so many were simulated; Error: an estimate of how far the times are off for that "
        "(--extrapolate off simulates all)");
  add_note_of_rules(rows, table);
  add_note_of_profiles(rows, table);
  if (!report.left_out.empty())
    table.notes.push_back(fmt::format("left out: {}", fmt::join(report.left_out, ", ")));
  if (!report.with_cost || is_model(rows)) return;
  double wall_s = 0;
  Bytes peak_bytes = 0;
  for (const Record* row : rows) {
    wall_s += row->wall_s.value_or(0);
    peak_bytes = std::max(peak_bytes, row->peak_rss_bytes.value_or(0));
  }
  table.notes.push_back(fmt::format("simulated in {:.2f} s with at most {:.0f} MiB", wall_s,
                                    static_cast<double>(peak_bytes) / (1024 * 1024)));
}

Rows rows_of(const Report& report) {
  Rows rows;
  for (const auto& record : report.records) rows.push_back(&record);
  return rows;
}

PeopleTable table_of(Rows rows, const Report& report, RunsAs runs_as) {
  PeopleTable table;
  if (rows.empty()) return table;
  const bool rivals = has_rivals(rows);
  const Fastest fastest = rivals ? fastest_of(rows) : Fastest{};
  if (rivals)
    std::stable_sort(rows.begin(), rows.end(), [](const Record* a, const Record* b) {
      return conditions(*a) < conditions(*b);
    });
  table.title = title_of(rows, report);
  for (std::size_t i = 0; i < rows.size(); ++i)
    table.starts_group.push_back(rivals && i > 0 &&
                                 conditions(*rows[i]) != conditions(*rows[i - 1]));
  table.columns.push_back(numbers(rows, "Size (B)", &Record::message_bytes));
  table.columns.back().left = true;
  add_axes(rows, table.columns);
  add_answers(rows, report, table.columns);
  table.columns.push_back(algorithm_column(rows, fastest, runs_as));
  add_choices(rows, table.columns);
  if (engines_vary(rows)) {
    table.columns.push_back(column(rows, "Engine", [](const Record& row) { return row.engine; }));
    table.columns.back().left = true;
  }
  if (!is_model(rows)) add_protocol(rows, table.columns);
  if (runs_as == RunsAs::in_notes) add_notes_of_parts(rows, table);
  add_notes(rows, report, fastest, table);
  return table;
}

}  // namespace

PeopleTable people_table(const Report& report) {
  return table_of(rows_of(report), report, RunsAs::in_cells);
}

PeopleTable people_table(const Report& report, std::optional<std::size_t> width) {
  constexpr std::size_t sign = 2;  // "# " before the heads
  const std::size_t most = width.value_or(page_width) - std::min(width.value_or(page_width), sign);
  const Rows rows = rows_of(report);
  const auto fits = [&](PeopleTable& table) {
    if (table.width() > most) table.gap = 1;
    return table.width() <= most;
  };
  PeopleTable narrow = table_of(rows, report, RunsAs::in_cells);
  if (fits(narrow)) return narrow;
  PeopleTable narrowest = table_of(rows, report, RunsAs::in_notes);
  const bool is_narrow_enough = fits(narrowest) && is_one_each(rows);
  return width || is_narrow_enough ? narrowest : table_of(rows, report, RunsAs::in_cells);
}

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/text_table.hpp"

#include "sim/reports/record_table.hpp"
#include "sim/reports/wrap.hpp"
#include "workloads/collective_call.hpp"
#include "workloads/profiles.hpp"

namespace tutti::reports {
namespace {

using jobs::Record;
using Rows = std::vector<Record>;
using Columns = RecordColumns<Record>;

// Records with the same conditions form a group: they differ only in algorithm and its parameters.
auto conditions(const Record& record) {
  return std::tuple(record.procs, record.ppn, record.root, record.message_bytes,
                    record.platform_index);
}
// Rows of several platforms without rivals: the same call on each.
auto call_conditions(const Record& record) {
  return std::tuple(record.procs, record.ppn, record.root, record.message_bytes);
}
using Conditions = decltype(conditions(Record{}));

// True if rows with the same conditions have different requests: two may choose the same algorithm.
bool has_rivals(const Rows& rows) {
  std::map<Conditions, std::string> first;
  return std::any_of(rows.begin(), rows.end(), [&](const Record& row) {
    const auto& request = row.requested_algorithm;
    return first.try_emplace(conditions(row), request).first->second != request;
  });
}

std::string microseconds(const std::optional<Seconds>& time_s) {
  return time_s ? fmt::format("{:.2f}", *time_s * 1e6) : "-";
}

struct Fastest {
  std::set<const Record*> rows;
  bool tie = false;
};

// The fastest rows of each group. Times that are equal as printed are a tie: marking only one of
// them would be confusing.
Fastest fastest_of(const Rows& rows) {
  std::map<Conditions, Seconds> least;
  for (const Record& row : rows) {
    if (!row.time_s) continue;
    const auto [entry, added] = least.try_emplace(conditions(row), *row.time_s);
    if (!added) entry->second = std::min(entry->second, *row.time_s);
  }
  Fastest fastest;
  for (const Record& row : rows) {
    const auto entry = least.find(conditions(row));
    if (entry != least.end() && microseconds(row.time_s) == microseconds(entry->second))
      fastest.rows.insert(&row);
  }
  fastest.tie = fastest.rows.size() > least.size();
  return fastest;
}

// The text of a time in us.
auto in_microseconds(std::optional<Seconds> Record::*member) {
  return [member](const Record& row) { return microseconds(row.*member); };
}

std::string protocol_of(const Record& row) {
  if (row.messages == 0) return "-";
  if (row.eager_messages == row.messages) return "eager";
  if (row.detached_messages == row.messages) return "detached";
  return row.rendezvous_messages == row.messages ? "rendezvous" : "mixed";
}

// True if rows with the same requested algorithm differ in the member: then several values were
// requested. Otherwise the value was chosen by rules or follows from the algorithm.
template <class Value>
bool is_axis(const Rows& rows, Value Record::*member) {
  std::map<std::string, Value> first;
  return std::any_of(rows.begin(), rows.end(), [&](const Record& row) {
    return !workloads::is_automatic(row.requested_algorithm) &&
           first.try_emplace(row.algorithm, row.*member).first->second != row.*member;
  });
}

// Adds columns for the requested parameters that vary.
void add_axes(const Rows& rows, Columns& columns) {
  columns.add_axis("Procs", &Record::procs);
  columns.add_axis("PPN", &Record::ppn);
  columns.add_axis("Root", &Record::root);
  if (is_axis(rows, &Record::segment_bytes)) columns.add("Segment", &Record::segment_bytes);
  if (is_axis(rows, &Record::fanout)) columns.add("Fan-out", &Record::fanout);
  if (is_axis(rows, &Record::max_requests)) columns.add("Requests", &Record::max_requests);
}

bool is_untimed(const Rows& rows) { return !rows.front().time_s; }

bool is_extrapolated(const Record& row) { return !row.extrapolation.empty(); }

std::string steps_text(const Record& row) {
  return row.steps ? fmt::format("{} of {}", *row.simulated_steps, *row.steps) : "all";
}

std::string error_text(const Record& row) {
  if (!row.extrapolation_error) return "-";
  const double part = *row.extrapolation_error;
  return part < 1e-4 ? fmt::format("{:.0e}", part) : fmt::format("{:.2f} %", 100 * part);
}

bool depends_on_start(const Record& row) { return row.start_spread.has_value(); }

std::string spread_text(const Record& row) {
  if (!row.start_spread) return "-";
  const double percent = 100 * *row.start_spread;
  return percent < 0.01 ? "0.01 %" : fmt::format("{:.2g} %", percent);
}

void add_models(Columns& columns) {
  columns.add("Hockney (us)", in_microseconds(&Record::model_hockney_s));
  columns.add("LogGP (us)", in_microseconds(&Record::model_loggp_s));
}

// In us with about three digits, since more would not be significant in an estimate.
std::string rough_microseconds(Seconds time_s) {
  const double time_us = time_s * 1e6;
  return fmt::format("{:.{}f}", time_us, time_us >= 99.95 ? 0 : time_us >= 9.995 ? 1 : 2);
}

std::string confidence_text(const Record& row) {
  if (!row.confidence_low_s) return "-";
  return rough_microseconds(*row.confidence_low_s) + '-' +
         rough_microseconds(*row.confidence_high_s);
}

bool has_chance(const Record& row) { return row.slower_chance.has_value(); }

std::string chance_text(const Record& row) {
  return row.slower_chance ? fmt::format("{:.0f} %", std::floor(100 * *row.slower_chance)) : "-";
}

void add_answers(const Rows& rows, const Report& report, Columns& columns) {
  if (is_model(rows.front())) return add_models(columns);
  columns.add("Max (us)", in_microseconds(&Record::time_s));
  if (std::ranges::any_of(rows, depends_on_start)) columns.add("+/-", spread_text);
  if (report.with_confidence) columns.add("9 of 10", confidence_text);
  if (std::ranges::any_of(rows, has_chance)) columns.add("Slower", chance_text);
  columns.add("Avg (us)", in_microseconds(&Record::time_mean_s), {.spare = 1});
  columns.add("Min (us)", in_microseconds(&Record::time_min_s), {.spare = 2});
  if (rows.front().repetition_min_s) {
    columns.add("Rep min", in_microseconds(&Record::repetition_min_s), {.spare = 4});
    columns.add("Rep max", in_microseconds(&Record::repetition_max_s), {.spare = 4});
  }
  if (rows.front().after_last_arrival_s)
    columns.add("After last", in_microseconds(&Record::after_last_arrival_s), {.spare = 5});
  if (std::ranges::any_of(rows, is_extrapolated)) {
    columns.add("Steps", steps_text);
    columns.add("Error <", error_text);
  }
  if (!is_untimed(rows)) return;
  columns.add("Messages", &Record::messages);  // the result of an untimed engine
  columns.add("Bytes sent", &Record::wire_bytes);
}

// The fan-out that auto:best found. Other fan-outs were requested, or are the algorithm's only one.
std::string fanout_found(const Record& row) {
  return workloads::is_best(row.requested_algorithm) && row.fanout
             ? fmt::format(" (fan-out {})", *row.fanout)
             : "";
}

// Where to print the algorithms that an algorithm consists of: after its name, or below the table.
enum class RunsAs : std::uint8_t { in_cells, in_notes };

void add_algorithms(const Rows& rows, const Fastest& fastest, RunsAs runs_as, Columns& columns) {
  const bool many = varies(rows, &Record::requested_algorithm);
  const auto name_of = [&](const Record& row) {
    const bool automatic = workloads::is_automatic(row.requested_algorithm);
    const bool has_levels = row.requested_algorithm.starts_with(row.algorithm + ':');
    return (many && automatic ? row.requested_algorithm + ": " : "") +
           (has_levels ? row.requested_algorithm : row.algorithm) + fanout_found(row) +
           (row.runs_as.empty() || runs_as == RunsAs::in_notes
                ? ""
                : fmt::format(" (runs {})", row.runs_as)) +
           (fastest.rows.contains(&row) ? " *" : "");
  };
  columns.add("Algorithm", name_of, {.left = true, .may_shorten = true});
  // A segment size that varies and was chosen by rules follows the algorithm that it belongs to. (A
  // fan-out that was chosen is the only one of its algorithm.)
  if (!is_axis(rows, &Record::segment_bytes)) columns.add_axis("Segment", &Record::segment_bytes);
}

// "engine flow (auto), contention off: ...".
std::string engine_of(const Rows& rows) {
  const Record& first = rows.front();
  if (is_model(first)) return "formulas only, no simulation";
  std::string text = varies(rows, &Record::engine) ? "engine as listed" : "engine " + first.engine;
  if (is_untimed(rows)) text += " (untimed)";
  return text + engine_details(first);
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
  return text + measurement_details(row);
}

std::vector<std::string> make_title(const Rows& rows, const Report& report) {
  const Record& first = rows.front();
  std::string title =
      fmt::format("{} on {}", mpi_name(first.collective), report.provenance.platform_name());
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

// The algorithms that each algorithm runs.
std::map<std::string, std::set<std::string>> parts_run(const Rows& rows) {
  std::map<std::string, std::set<std::string>> runs;
  for (const Record& row : rows)
    if (!row.runs_as.empty()) runs[row.algorithm].insert(row.runs_as);
  return runs;
}

bool is_one_each(const Rows& rows) {
  return std::ranges::all_of(parts_run(rows),
                             [](const auto& entry) { return entry.second.size() == 1; });
}

void add_notes_of_parts(const Rows& rows, TextTable& table) {
  for (const auto& [algorithm, runs] : parts_run(rows))
    table.notes.push_back(
        runs.size() == 1
            ? fmt::format("{} runs {}", algorithm, *runs.begin())
            : fmt::format("{} runs different algorithms in different rows (see runs_as with {})",
                          algorithm, table.all_columns));
}

// Adds a note if a rules file leaves rows to the fixed rules; all of them if Open MPI ignores it.
void add_note_of_rules(const Rows& rows, TextTable& table) {
  const auto asks = [](const Record& row) {
    return workloads::rules_file_of(row.requested_algorithm).has_value() &&
           row.decided_by != workloads::profiles::decided_by_profile;
  };
  const auto is_left = [&](const Record& row) {
    return asks(row) && !row.decided_by.starts_with(workloads::decided_by_file);
  };
  const auto requested = std::ranges::count_if(rows, asks);
  const auto left = std::ranges::count_if(rows, is_left);
  if (left == 0) return;
  const std::string& rules = std::ranges::find_if(rows, is_left)->decided_by;
  table.notes.push_back(
      left == requested
          ? fmt::format("the rules file decided none of these rows: the fixed rules {} did", rules)
          : fmt::format("the rules file decided {} of {} rows, the fixed rules {} the others",
                        requested - left, requested, rules));
}

// Adds notes on rows that profiles replaced, and on rows that they did not replace because the
// mock-up needs more memory than allowed.
void add_note_of_profiles(const Rows& rows, TextTable& table) {
  const auto replaced = std::ranges::count_if(rows, [](const Record& row) {
    return row.decided_by == workloads::profiles::decided_by_profile;
  });
  if (replaced > 0)
    table.notes.push_back(
        fmt::format("a profile replaced the collective in {} of {} rows", replaced, rows.size()));
  const auto left = std::ranges::count_if(rows, [](const Record& row) {
    return row.decided_by.find(workloads::profiles::no_buffer_for) != std::string::npos;
  });
  if (left > 0)
    table.notes.push_back(
        fmt::format("in {} of {} rows the mock-up needs more memory than the library's buffers "
                    "have; the default algorithm ran",
                    left, rows.size()));
}

// Engine `ideal` verifies the data of each call, unless there are too many.
void add_data_note(const Rows& rows, TextTable& table) {
  const auto calls = std::ranges::count_if(
      rows, [](const Record& record) { return record.data_verified.has_value(); });
  const auto verified = std::ranges::count_if(
      rows, [](const Record& record) { return record.data_verified.value_or(false); });
  if (calls == 0) return;
  table.notes.push_back(
      calls == verified
          ? "data verified: after the call, all ranks have the data that MPI specifies"
          : fmt::format("data verified in {} of {} calls: the others have too many contributions",
                        verified, calls));
}

// Names of the platforms of rows whose intervals have this basis.
std::set<std::string> platforms_with(std::string_view basis, const Rows& rows,
                                     const Report& report) {
  std::set<std::string> names;
  for (const Record& row : rows)
    if (row.confidence_basis == basis)
      names.insert(
          report.provenance.platforms.at(static_cast<std::size_t>(row.platform_index)).name);
  return names;
}

void add_notes_of_confidence(const Rows& rows, const Report& report, TextTable& table) {
  table.notes.push_back(
      "9 of 10: interval expected to contain nine of ten measured times, by the platform's "
      "accuracy/...");
  if (const auto names = platforms_with("extrapolated", rows, report); !names.empty())
    table.notes.push_back(fmt::format(
        "{}: wider than for the measured times, which are of smaller jobs or other collectives",
        fmt::join(names, ", ")));
  if (const auto names = platforms_with("assumed", rows, report); !names.empty())
    table.notes.push_back(fmt::format(
        "{}: times of this collective were not measured; the interval is that of machines that are "
        "not fitted, at least a factor of 3",
        fmt::join(names, ", ")));
  if (std::ranges::any_of(rows, has_chance))
    table.notes.push_back(
        "Slower: chance that it takes longer than the fastest (*): 96 % are 96 of 100 draws of the "
        "errors of both");
}

void add_notes(const Rows& rows, const Report& report, const Fastest& fastest, TextTable& table) {
  if (!fastest.rows.empty())
    table.notes.push_back(std::string("* fastest of its group") +
                          (fastest.tie ? "; ties are all marked" : ""));
  if (rows.front().repetition_min_s)
    table.notes.push_back(
        "Max (us): latency of the slowest rank, median over repetitions; Rep min, Rep max: its "
        "range over repetitions");
  if (rows.front().after_last_arrival_s)
    table.notes.push_back("After last: time from the last rank's arrival to the end");
  if (report.with_confidence) add_notes_of_confidence(rows, report, table);
  if (std::ranges::any_of(rows, depends_on_start))
    table.notes.push_back(
        "+/-: the time depends on picoseconds of the ranks' start: Max is the median over starts, "
        "and 99 of 100 starts are within this range (--exact-start: all ranks start at once)");
  if (std::ranges::any_of(rows, is_extrapolated))
    table.notes.push_back(
        "Steps: number of steps simulated; Error: estimated error of the extrapolated times "
        "(--extrapolate off simulates all steps)");
  add_note_of_rules(rows, table);
  add_note_of_profiles(rows, table);
  if (!report.omitted.empty())
    table.notes.push_back(fmt::format("omitted: {}", fmt::join(report.omitted, ", ")));
  add_verified_note(rows, table);
  add_data_note(rows, table);
  add_cost_note(report, rows, table);
}

TextTable table_of(Rows rows, const Report& report, RunsAs runs_as) {
  TextTable table;
  if (rows.empty()) return table;
  const bool rivals = has_rivals(rows);
  const bool several_platforms = varies(rows, &Record::platform_index);
  if (rivals || several_platforms) std::ranges::stable_sort(rows, {}, conditions);
  const Fastest fastest = rivals ? fastest_of(rows) : Fastest{};
  table.title = make_title(rows, report);
  Columns columns(rows, table);
  if (rivals)
    columns.group_by(conditions);
  else if (several_platforms)
    columns.group_by(call_conditions);
  columns.add("Size (B)", &Record::message_bytes, {.left = true});
  add_platforms(report, columns);
  add_axes(rows, columns);
  add_answers(rows, report, columns);
  add_algorithms(rows, fastest, runs_as, columns);
  columns.add_axis("Engine", &Record::engine, {.left = true});
  if (!is_model(rows.front())) columns.add("Protocol", protocol_of, {.left = true, .spare = 3});
  if (runs_as == RunsAs::in_notes) add_notes_of_parts(rows, table);
  add_notes(rows, report, fastest, table);
  return table;
}

}  // namespace

TextTable text_table(const Report& report) {
  return table_of(report.records, report, RunsAs::in_cells);
}

TextTable text_table(const Report& report, std::optional<std::size_t> width) {
  constexpr std::size_t sign = 2;  // "# " before the heads
  const std::size_t most = width.value_or(page_width) - std::min(width.value_or(page_width), sign);
  const Rows& rows = report.records;
  const auto fits = [&](TextTable& table) {
    if (table.width() > most) table.gap = 1;
    return table.width() <= most;
  };
  TextTable narrow = table_of(rows, report, RunsAs::in_cells);
  if (fits(narrow)) return narrow;
  TextTable narrowest = table_of(rows, report, RunsAs::in_notes);
  const bool is_narrow_enough = fits(narrowest) && is_one_each(rows);
  return width || is_narrow_enough ? narrowest : table_of(rows, report, RunsAs::in_cells);
}

}  // namespace tutti::reports

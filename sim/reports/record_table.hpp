// SPDX-License-Identifier: BSD-3-Clause
// Functions shared by the reports of all workloads.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/field.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/sidecar.hpp"
#include "sim/reports/text_table.hpp"

namespace tutti::reports {

// The text of a value; "-" if unset.
inline std::string shown(std::string text) { return text; }
inline std::string shown(std::int64_t number) { return fmt::format("{}", number); }
inline std::string shown(double number) { return fmt::format("{}", number); }
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "-";
}

// True if records differ in `value_of`, a member or a function of a record.
template <class Record, class ValueOf>
bool varies(const std::vector<Record>& records, const ValueOf& value_of) {
  return std::ranges::any_of(records, [&](const Record& record) {
    return std::invoke(value_of, record) != std::invoke(value_of, records.front());
  });
}

// See the members of TextColumn.
struct ColumnStyle {
  bool left = false;
  int spare = 0;
  bool may_shorten = false;
};

// Builds the columns of a table from records, which must outlive this object. All rows are one
// group unless `group_by` is called.
template <class Record>
class RecordColumns {
 public:
  RecordColumns(const std::vector<Record>& records, TextTable& table)
      : records_(records), table_(table) {
    table_.starts_group.assign(records.size(), false);
  }

  template <class ValueOf>
  void add(std::string head, const ValueOf& value_of, ColumnStyle style = {}) {
    auto& column = table_.columns.emplace_back(std::move(head));
    column.left = style.left;
    column.spare = style.spare;
    column.may_shorten = style.may_shorten;
    for (const Record& record : records_)
      column.cells.push_back(shown(std::invoke(value_of, record)));
  }
  // Starts a new group at each record whose `key_of` differs from that of the previous one.
  template <class KeyOf>
  void group_by(const KeyOf& key_of) {
    for (std::size_t i = 1; i < records_.size(); ++i)
      table_.starts_group[i] = key_of(records_[i]) != key_of(records_[i - 1]);
  }
  // Adds a column if records differ in it.
  template <class ValueOf>
  void add_axis(std::string head, const ValueOf& value_of, ColumnStyle style = {}) {
    if (varies(records_, value_of)) add(std::move(head), value_of, style);
  }

 private:
  const std::vector<Record>& records_;
  TextTable& table_;
};

// Adds the names of the platforms, in a report about several.
template <class Record>
void add_platforms(const ReportHead& head, RecordColumns<Record>& columns) {
  const auto& platforms = head.provenance.platforms;
  if (platforms.size() < 2) return;
  columns.add("Platform",
              [&](const Record& record) {
                return platforms[static_cast<std::size_t>(record.platform_index)].name;
              },
              {.left = true});
}

// True if the times are those of a formula, without a simulation.
template <class Record>
bool is_model(const Record& record) {
  return record.engine == jobs::model_engine;
}

// Details to append to "engine flow".
template <class Record>
std::string engine_details(const Record& record) {
  return (record.engine_is_chosen ? " (auto)" : "") + contention_words(record.contention);
}

// ", 3 repetitions, skew ..., noise ..."; empty for a single call without skew and noise.
template <class Record>
std::string measurement_details(const Record& record) {
  std::string text;
  if (record.repetitions > 1) text += fmt::format(", {} repetitions", record.repetitions);
  if (!record.skew.empty()) text += ", skew " + record.skew;
  if (!record.noise.empty()) text += ", noise " + record.noise;
  return text;
}

// Adds a note if records were verified with engine simgrid.
template <class Record>
void add_verified_note(const std::vector<Record>& records, TextTable& table) {
  double largest = -1;
  for (const Record& record : records)
    largest = std::max(largest, record.verified_difference.value_or(-1));
  if (largest >= 0)
    table.notes.push_back(
        largest == 0 ? "verified with engine simgrid: times are equal"
                     : fmt::format("verified with engine simgrid: times differ by at most {:.2g} %",
                                   100 * largest));
}

template <class Record>
void add_cost_note(const ReportHead& head, const std::vector<Record>& records, TextTable& table) {
  if (!head.with_cost || is_model(records.front())) return;
  Seconds wall_s = 0;
  Bytes peak_bytes = 0;
  for (const Record& record : records) {
    wall_s += record.wall_s.value_or(0);
    peak_bytes = std::max(peak_bytes, record.peak_rss_bytes.value_or(0));
  }
  table.notes.push_back(fmt::format("simulated in {:.2f} s with at most {:.0f} MiB", wall_s,
                                    static_cast<double>(peak_bytes) / (1024 * 1024)));
}

// OSU's two columns, the second one `width` wide. Above each series, prints the sentence and the
// column name that `head_of` returns for its first record.
template <class Report, class SeriesOf, class HeadOf, class ValueOf>
std::string osu_page(const Report& report, int width, const SeriesOf& series_of,
                     const HeadOf& head_of, const ValueOf& value_of) {
  std::string text = comments(report);
  for (const auto& record : report.records) {
    const bool is_first = &record == &report.records.front();
    if (is_first || series_of(record) != series_of(*(&record - 1))) {
      const auto& [sentence, column] = head_of(record);
      text += fmt::format("# {}\n{:<10}{:>{}}\n", sentence, "# Size", column, width);
    }
    text += fmt::format("{:<10}{:>{}.2f}\n", record.message_bytes, value_of(record), width);
  }
  return text;
}

// Formats shared by the reports of all workloads.

// A row for each record, without the cost of the simulation if the head omits it.
template <class Record>
Table points_of(const ReportHead& head, const std::vector<Record>& records) {
  const auto& platforms = head.provenance.platforms;
  std::vector<jobs::FieldOf<Record>> columns;
  for (const auto& column : jobs::columns_of<Record>())
    if (head.with_cost || !column.is_cost()) columns.push_back(column);
  Table table;
  if constexpr (requires(Record record) { record.platform_index; })
    if (platforms.size() > 1) table.columns = {"platform", "platform_hash"};
  for (const auto& column : columns) table.columns.emplace_back(column.name);
  for (const Record& record : records) {
    auto& row = table.rows.emplace_back();
    if constexpr (requires { record.platform_index; })
      if (platforms.size() > 1) {
        const auto& platform = platforms[static_cast<std::size_t>(record.platform_index)];
        row = {platform.name, platform.hash};
      }
    for (const auto& column : columns) row.push_back(column.get(record));
  }
  return table;
}

// `make_table()` returns the table for text and Markdown. The caller handles formats of
// benchmarks, which not all reports support.
template <class Report, class MakeTable>
std::string render_records(const Report& report, Format format, std::optional<std::size_t> width,
                           const MakeTable& make_table) {
  TUTTI_CHECK(!is_of_benchmark(format), "these records have no format of a benchmark");
  if (format == Format::text) return text_page(report, make_table(), width);
  if (format == Format::md) return markdown_page(report, make_table());
  const Table points = points_of(report, report.records);
  if (format == Format::csv) return csv_table(with_platform(report, points));
  return format == Format::json ? json_page(report, points) : jsonl_page(report, points);
}

}  // namespace tutti::reports

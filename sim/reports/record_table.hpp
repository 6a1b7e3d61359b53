// SPDX-License-Identifier: BSD-3-Clause
// What the tables that people read of records have in common, whatever the workload.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/people_table.hpp"
#include "sim/studies/field.hpp"

namespace tutti::reports {

// What people see of a value, "-" where there is none.
inline std::string shown(std::string text) { return text; }
inline std::string shown(std::int64_t number) { return fmt::format("{}", number); }
inline std::string shown(double number) { return fmt::format("{}", number); }
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "-";
}

// `value_of` is a member or a function of a record.
template <class Record, class ValueOf>
bool varies(const std::vector<Record>& records, const ValueOf& value_of) {
  return std::ranges::any_of(records, [&](const Record& each) {
    return std::invoke(value_of, each) != std::invoke(value_of, records.front());
  });
}

// As the members of PeopleColumn.
struct ColumnStyle {
  bool left = false;
  int spare = 0;
};

// The columns of some records, which outlive this.
template <class Record>
class RecordColumns {
 public:
  RecordColumns(const std::vector<Record>& records, PeopleTable& table)
      : records_(records), table_(table) {}

  template <class ValueOf>
  void add(std::string head, const ValueOf& value_of, ColumnStyle style = {}) {
    auto& made = table_.columns.emplace_back(std::move(head));
    made.left = style.left;
    made.spare = style.spare;
    for (const Record& each : records_) made.cells.push_back(shown(std::invoke(value_of, each)));
  }
  // If records differ in it.
  template <class ValueOf>
  void add_axis(std::string head, const ValueOf& value_of, ColumnStyle style = {}) {
    if (varies(records_, value_of)) add(std::move(head), value_of, style);
  }

 private:
  const std::vector<Record>& records_;
  PeopleTable& table_;
};

// Nothing is simulated.
template <class Record>
bool is_model(const Record& record) {
  return record.engine == studies::model_engine;
}

// What follows "engine flow".
template <class Record>
std::string engine_details(const Record& record) {
  std::string text = record.engine_is_chosen ? " (auto)" : "";
  text += contention_words(record.contention);
  if (record.merge_window > 0)
    text += fmt::format(", approximate: merge window {}", record.merge_window);
  return text;
}

// ", 3 repetitions, skew ..., noise ..."; nothing of a single call.
template <class Record>
std::string measurement_details(const Record& record) {
  std::string text;
  if (record.repetitions > 1) text += fmt::format(", {} repetitions", record.repetitions);
  if (!record.skew.empty()) text += ", skew " + record.skew;
  if (!record.noise.empty()) text += ", noise " + record.noise;
  return text;
}

template <class Record>
void add_cost_note(const ReportHead& head, const std::vector<Record>& records, PeopleTable& table) {
  if (!head.with_cost || is_model(records.front())) return;
  Seconds wall_s = 0;
  Bytes peak_bytes = 0;
  for (const Record& each : records) {
    wall_s += each.wall_s.value_or(0);
    peak_bytes = std::max(peak_bytes, each.peak_rss_bytes.value_or(0));
  }
  table.notes.push_back(fmt::format("simulated in {:.2f} s with at most {:.0f} MiB", wall_s,
                                    static_cast<double>(peak_bytes) / (1024 * 1024)));
}

}  // namespace tutti::reports

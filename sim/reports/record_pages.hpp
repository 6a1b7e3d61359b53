// SPDX-License-Identifier: BSD-3-Clause
// The formats that reports of records have in common.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/people_table.hpp"
#include "sim/studies/field.hpp"

namespace tutti::reports {

// A row for each record, without the cost of the simulation if the head leaves it out.
template <class Record>
Table points_of(const ReportHead& head, const std::vector<Record>& records) {
  std::vector<studies::FieldOf<Record>> columns;
  for (const auto& column : studies::columns_of<Record>())
    if (head.with_cost || !column.is_cost()) columns.push_back(column);
  Table table;
  for (const auto& column : columns) table.columns.emplace_back(column.name);
  for (const Record& record : records) {
    auto& row = table.rows.emplace_back();
    for (const auto& column : columns) row.push_back(column.get(record));
  }
  return table;
}

// `people` makes what text and Markdown show. `osu`, which not all of them have, is left to the
// caller.
template <class Report, class People>
std::string render_records(const Report& report, Format format, std::optional<std::size_t> width,
                           const People& people) {
  switch (format) {
    case Format::text:
      return text_page(report, people(), width);
    case Format::md:
      return markdown_page(report, people());
    case Format::csv:
      return comments(report) + csv_table(points_of(report, report.records));
    case Format::json:
      return json_page(report, points_of(report, report.records));
    case Format::jsonl:
      return jsonl_page(report, points_of(report, report.records));
    case Format::osu:
      break;
  }
  TUTTI_CHECK(false, "these records have no OSU format");
  return {};
}

}  // namespace tutti::reports

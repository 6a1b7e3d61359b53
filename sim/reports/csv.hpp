// SPDX-License-Identifier: BSD-3-Clause
// Comma-separated values as in RFC 4180, with '\n' line ends.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/reports/formats.hpp"
#include "sim/studies/column.hpp"

namespace tutti::reports {

// Quoted where it must be.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

// A header and a line for each row.
std::string csv_table(const Table& table);

// All records below their columns' names, and what every report begins with as comments.
template <class Record>
std::string csv_page(const ReportHead& head, const std::vector<Record>& records,
                     std::span<const studies::ColumnOf<Record>> columns) {
  std::string csv = comments(head);
  const auto add_line = [&](const auto& text_of) {
    std::vector<std::string> fields;
    for (const auto& column : columns)
      if (head.with_cost || !column.is_cost) fields.push_back(text_of(column));
    csv += csv_line(fields);
  };
  add_line([](const auto& column) { return std::string(column.name); });
  for (const Record& record : records)
    add_line([&](const auto& column) { return to_text(column.get(record)); });
  return csv;
}

}  // namespace tutti::reports

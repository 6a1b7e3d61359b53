// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/csv.hpp"

namespace tutti::reports {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) {
    field += c;
    if (c == '"') field += c;
  }
  return field + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const auto& field : fields) {
    if (&field != &fields.front()) line += ',';
    line += csv_field(field);
  }
  return line + '\n';
}

std::string csv_table(const Table& table) {
  std::string csv = csv_line(table.columns);
  std::vector<std::string> fields(table.columns.size());
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) fields[i] = to_text(row[i]);
    csv += csv_line(fields);
  }
  return csv;
}

}  // namespace tutti::reports

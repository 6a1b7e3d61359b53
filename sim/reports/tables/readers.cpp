// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/readers.hpp"

#include <cctype>

#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {

Error error_at(std::string_view text, std::size_t offset, const std::string& path,
               std::string message, std::string hint) {
  auto error = make_error(ErrorKind::input, path, std::move(message), std::move(hint));
  auto at = LineIndex(text).at(offset);
  error.line = at.line;
  error.column = at.column;
  error.source = std::move(at.source);
  return error;
}

std::optional<Error> too_many_cells(std::size_t rows, std::size_t columns,
                                    const std::string& path) {
  if (columns == 0 || rows <= most_cells / columns) return std::nullopt;
  return make_error(
      ErrorKind::input, path,
      fmt::format("{} rows of {} columns are more than {} cells", rows, columns, most_cells),
      "split the file, or leave columns out");
}

void add_constant(Table& table, const std::string& column, const Cell& value) {
  if (find_column(table, column)) return;
  table.columns.push_back(column);
  for (auto& row : table.rows) row.push_back(value);
}

std::string collective_named(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> others = {
      {"broadcast", "bcast"},
      {"all-to-all personalized exchange", "alltoall"},
      {"all-to-allv personalized exchange", "alltoallv"},
      {"reduce_scatter_block", "reduce_scatter_block"}};
  static const std::vector<std::string> own = {
      "bcast",     "allgather", "allgatherv", "allreduce", "alltoall",
      "alltoallv", "barrier",   "gather",     "gatherv",   "reduce_scatter",
      "reduce",    "scan",      "exscan",     "scatter",   "scatterv"};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = others.find(lower);
  if (found != others.end()) return found->second;
  return std::find(own.begin(), own.end(), lower) != own.end() ? lower : "";
}

void TableBuilder::begin_row(int line) {
  table_.rows.emplace_back();
  if (line > 0) table_.lines.push_back(line);
  expected_ = 0;
}

void TableBuilder::set(std::string_view column, Cell value) {
  std::size_t at = expected_;
  if (at >= table_.columns.size() || table_.columns[at] != column) {
    const auto found = find_column(table_, column);
    at = found.value_or(table_.columns.size());
    if (!found) table_.columns.emplace_back(column);
  }
  auto& row = table_.rows.back();
  if (row.size() <= at) row.resize(at + 1);
  row[at] = std::move(value);
  expected_ = at + 1;
}

Table TableBuilder::take() {
  for (auto& row : table_.rows) row.resize(table_.columns.size());
  return std::move(table_);
}

}  // namespace tutti::reports

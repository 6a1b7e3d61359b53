// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/counted.hpp"
#include "sim/reports/clean_text.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

const Cell* constant(const Grid& grid, std::string_view name) {
  for (const auto& [column, value] : grid.constants)
    if (column == name) return &value;
  return nullptr;
}

std::string text_of(const Grid& grid, std::string_view name) {
  const Cell* value = constant(grid, name);
  return value == nullptr ? "" : value_text(name, *value);
}

// "bcast on crill", as far as all points agree.
std::string title_of(const Grid& grid) {
  std::string what = text_of(grid, "collective");
  if (what.empty() && !text_of(grid, "operation").empty())
    what = "collective " + text_of(grid, "operation");
  if (what.empty()) what = text_of(grid, "workload");
  const std::string where = text_of(grid, "platform");
  if (what.empty() || where.empty()) return what + where;
  return what + " on " + where;
}

// The other constants that a reader needs to do it again; defaults are left out.
std::string subtitle_of(const Grid& grid) {
  constexpr std::array told = {
      "algorithm",     "implementation", "decomposition", "procs",        "nodes", "ppn",
      "message_bytes", "bytes_per_proc", "aggregators",   "buffer_bytes", "skew",  "noise"};
  std::string text;
  const auto add = [&](std::string_view column, const Cell& value) {
    text += (text.empty() ? "" : ", ") + label_of(column, value);
  };
  for (const char* column : told)
    if (const Cell* value = constant(grid, column)) add(column, *value);
  for (const auto& [column, value] : grid.constants)
    if (column.find('/') != std::string::npos) add(column, value);
  return text;
}

}  // namespace

PictureHead picture_head(const Grid& grid, const std::string& name) {
  PictureHead head;
  const std::string what = title_of(grid);
  head.title = picture_text(name.empty() ? what : what.empty() ? name : name + ": " + what);
  head.subtitle = picture_text(subtitle_of(grid));
  for (std::size_t one = 0; one < grid.series.size(); ++one)
    head.series.push_back(picture_text(grid.series_name(one)));
  for (const auto& column : grid.series_columns)
    head.series_title += (head.series_title.empty() ? "" : ", ") + words_of(column);
  head.series_title = picture_text(head.series_title);
  if (grid.failed > 0) head.notes.push_back(counted(grid.failed, "point") + " failed");
  if (grid.without_value > 0)
    head.notes.push_back(counted(grid.without_value, "point") + " without a value left out");
  return head;
}

}  // namespace tutti::reports

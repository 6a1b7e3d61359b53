// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/page/page_data.hpp"

#include "sim/base/common.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

// Parameters name a point. `algorithm` does only if there is no requested algorithm.
bool names_point(const Table& table, std::size_t column) {
  if (table.columns[column] == "algorithm") return !find_column(table, "requested_algorithm");
  return role_of(table.columns[column]) == Role::parameter;
}

// The values that distinguish a point: "576 processes, 64 KiB".
std::string name_of(const Table& table, const std::vector<std::size_t>& columns,
                    const std::vector<Cell>& row) {
  std::string name;
  for (const std::size_t i : columns)
    if (!is_empty(row[i])) name += (name.empty() ? "" : ", ") + label_of(table.columns[i], row[i]);
  return name;
}

std::string text_in(const Table& table, const std::vector<Cell>& row, std::string_view column) {
  const auto at = find_column(table, column);
  return at ? to_text(row[*at]) : "";
}

struct Costs {
  std::size_t points = 0;
  double sum = 0;
  double most = 0;
  std::size_t most_row = 0;
};

Costs costs_of(const Table& table, std::string_view column) {
  Costs costs;
  const auto at = find_column(table, column);
  for (std::size_t i = 0; at && i < table.rows.size(); ++i) {
    const auto number = number_of(column, table.rows[i][*at]);
    if (!number) continue;
    ++costs.points;
    costs.sum += *number;
    if (*number > costs.most) {
      costs.most = *number;
      costs.most_row = i;
    }
  }
  return costs;
}

// "763 us", "763 us: 64 KiB".
std::string with_name(const std::string& value, const std::string& name) {
  return value + (name.empty() ? "" : ": ") + name;
}

// Times as whole numbers of a unit from the begin of the axis, which are short in a page.
class TimelineUnits {
 public:
  explicit TimelineUnits(const Axis& x) : low_(x.low), unit_((x.high - x.low) / 1e9) {}
  double unit() const { return unit_; }
  std::int64_t of(double time) const { return std::llround((time - low_) / unit_); }

 private:
  double low_, unit_;
};

// The gap before each span, its length and its series.
Json flat_spans(const std::vector<TimelineSpan>& spans, const TimelineUnits& units) {
  Json flat = Json::array();
  std::int64_t at = 0;
  for (const auto& span : spans) {
    const auto from = units.of(span.from), to = units.of(span.to);
    flat.push_back(from - at);
    flat.push_back(to - from);
    flat.push_back(span.series);
    at = to;
  }
  return flat;
}

}  // namespace

bool is_empty(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return std::holds_alternative<std::monostate>(cell) || (text != nullptr && text->empty());
}

std::string_view name_of_quantity(Quantity quantity) {
  constexpr std::string_view names[] = {"number", "bytes", "seconds", "rate", "percent"};
  return names[static_cast<std::size_t>(quantity)];
}

std::vector<std::size_t> naming_columns(const Table& table) {
  std::vector<std::size_t> columns, chosen;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!varies(table, i)) continue;
    if (names_point(table, i)) columns.push_back(i);
    if (role_of(table.columns[i]) == Role::chosen) chosen.push_back(i);
  }
  return columns.empty() ? chosen : columns;
}

Json failed_json(const ResultFile& file) {
  Json all = Json::array();
  const FailedRows failed(file.table);
  const auto naming = naming_columns(file.table);
  for (const auto& row : file.table.rows)
    if (failed(row))
      all.push_back({{"point", name_of(file.table, naming, row)},
                     {"error", text_in(file.table, row, "error")},
                     {"output", text_in(file.table, row, "output")}});
  for (const auto& line : file.failed)
    all.push_back({{"point", ""}, {"error", line}, {"output", ""}});
  return all;
}

Json cost_json(const ResultFile& file) {
  Json facts = Json::array();
  const Costs wall = costs_of(file.table, "wall_s");
  const Costs memory = costs_of(file.table, "peak_rss_bytes");
  const auto naming = naming_columns(file.table);
  if (wall.points > 0) {
    facts.push_back({"Wall time of all points", format_seconds(wall.sum)});
    facts.push_back(
        {"Mean wall time per point", format_seconds(wall.sum / static_cast<double>(wall.points))});
    facts.push_back({"Longest wall time",
                     with_name(format_seconds(wall.most),
                               name_of(file.table, naming, file.table.rows[wall.most_row]))});
  }
  if (memory.points > 0)
    facts.push_back({"Largest peak memory",
                     with_name(fmt::format("{:.1f} MiB", memory.most / 0x1p20),
                               name_of(file.table, naming, file.table.rows[memory.most_row]))});
  return facts;
}

Json constants_json(const ResultFile& file) {
  Json facts = Json::array();
  const Table& table = file.table;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (describes(table.columns[i]) && !is_empty(table.rows.front()[i]) && !varies(table, i))
      facts.push_back({table.columns[i], value_text(table.columns[i], table.rows.front()[i])});
  return facts;
}

Json studies_json(const ResultFile& file) {
  Json all = Json::array();
  for (const auto& study : file.studies)
    all.push_back({{"name", study.name},
                   {"description", study.description},
                   {"toml", study.toml},
                   {"command", study.command},
                   {"version", study.version},
                   {"simgrid_version", study.simgrid_version},
                   {"started", study.started}});
  return all;
}

Json timeline_json(const TimelinePicture& picture) {
  const TimelineUnits units(picture.x);
  Json rows = Json::array(), arrows = Json::array();
  for (const auto& row : picture.rows) {
    Json bars = Json::array();
    for (const auto& bar : row.bars)
      bars.push_back({{"name", bar.name}, {"spans", flat_spans(bar.spans, units)}});
    rows.push_back({{"name", row.name}, {"bars", std::move(bars)}});
  }
  for (const auto& arrow : picture.arrows)
    arrows.push_back({arrow.from_row, arrow.to_row, arrow.bar, units.of(arrow.from),
                      units.of(arrow.to) - units.of(arrow.from)});
  return {{"title", picture.title},
          {"subtitle", picture.subtitle},
          {"series", picture.series},
          {"colours", picture.colours},
          {"x", {{"low", picture.x.low}, {"high", picture.x.high}}},
          {"unit", units.unit()},
          {"rows", std::move(rows)},
          {"arrows", std::move(arrows)},
          {"notes", picture.notes}};
}

}  // namespace tutti::reports

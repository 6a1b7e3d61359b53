// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "sim/reports/cell_json.hpp"
#include "sim/reports/compare/comparison.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/head_json.hpp"

namespace tutti::reports {
namespace {

using Json = nlohmann::ordered_json;

Json key_json(const Comparison& comparison, const Key& key) {
  Json object = Json::object();
  for (std::size_t i = 0; i < key.size(); ++i) object[comparison.key[i]] = cell_json(key[i]);
  return object;
}

Json keys_json(const Comparison& comparison, const std::vector<Key>& keys) {
  Json all = Json::array();
  for (const Key& key : keys) all.push_back(key_json(comparison, key));
  return all;
}

Json values_json(const Comparison& comparison, const ComparedPoint& point) {
  Json object = key_json(comparison, point.key);
  object[comparison.y + "_a"] = point.a;
  object[comparison.y + "_b"] = point.b;
  return object;
}

Json side_json(const Comparison& comparison, const std::string& file, Cell Difference::*side) {
  Json differs = Json::object();
  for (const auto& difference : comparison.differences)
    differs[difference.column] = cell_json(difference.*side);
  return {{"file", file}, {"differs", differs}};
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  auto names = comparison.key;
  for (const char* side : {"_a", "_b"}) names.push_back(comparison.y + side);
  names.emplace_back("ratio");
  std::string csv = csv_line(names);
  for (const auto& point : comparison.points) {
    std::vector<std::string> fields;
    for (const Cell& cell : point.key) fields.push_back(to_text(cell));
    for (const double number : {point.a, point.b, point.ratio})
      fields.push_back(fmt::format("{}", number));
    csv += csv_line(fields);
  }
  return csv;
}

std::string comparison_json(const Comparison& comparison) {
  const Summary summary = summary_of(comparison);
  Json points = Json::array();
  for (const auto& point : comparison.points) {
    Json object = values_json(comparison, point);
    object["ratio"] = point.ratio;
    points.push_back(std::move(object));
  }
  Json no_ratio = Json::array();
  for (const auto& point : comparison.no_ratio) no_ratio.push_back(values_json(comparison, point));
  const bool any = !comparison.points.empty();
  return dumped({{"schema", "sim.compare/1"},
                 {"value", comparison.y},
                 {"a", side_json(comparison, comparison.file_a, &Difference::a)},
                 {"b", side_json(comparison, comparison.file_b, &Difference::b)},
                 {"geometric_mean", any ? Json(summary.geometric_mean) : Json()},
                 {"median", any ? Json(summary.median) : Json()},
                 {"points", points},
                 {"only_a", keys_json(comparison, comparison.only_a)},
                 {"only_b", keys_json(comparison, comparison.only_b)},
                 {"lost", keys_json(comparison, comparison.lost)},
                 {"no_ratio", no_ratio},
                 {"gained", comparison.gained},
                 {"no_value", comparison.no_value}},
                2);
}

}  // namespace tutti::reports

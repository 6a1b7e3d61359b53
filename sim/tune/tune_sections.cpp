// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/tune_sections.hpp"

#include <algorithm>

#include "sim/options/axis.hpp"

namespace tutti::studies::tuning {

TuneObjective TuneSections::objective_of(const toml::table& table, const OwnKeys& own) {
  TuneObjective objective{.spot = spot_of(table), .base = {}, .product = {}, .name = {}};
  for (const auto& [key, node] : table) {
    if (key.str() == own.weight)
      read_positive(node, objective.weight);
    else if (key.str() == "name")
      read_text(node, objective.name);
    else if (own.has_stage && key.str() == "stage")
      read_whole(node, objective.stage, 1, 9);
    else if (auto axis = axis_of(key, node, own.section))
      axis->values.size() == 1 ? objective.base.push_back(*std::move(axis))
                               : objective.product.push_back({*std::move(axis)});
  }
  check_product(objective);
  const auto is_workload = [](const StudyAxis& axis) { return axis.name == workload_key; };
  if (std::ranges::none_of(objective.base, is_workload))
    wrong(spot_of(table), "no workload: what is simulated?",
          "workload = \"bcast\", the word after `sim run`");
  return objective;
}

void TuneSections::check_product(const TuneObjective& objective) {
  std::vector<std::size_t> lengths;
  for (const auto& group : objective.product) lengths.push_back(group.front().values.size());
  if (const auto error = options::too_many_points(lengths))
    wrong(objective.spot, error->message, error->hint);
}

void TuneSections::read_text(const toml::node& node, std::string& into) {
  if (auto text = node.value_exact<std::string>())
    into = *std::move(text);
  else
    wrong(spot_of(node), "is a text in quotes");
}

void TuneSections::read_positive(const toml::node& node, double& into) {
  constexpr double least = 1e-18, most = 1e18;  // sums and ratios of these are exact enough
  const auto value = node.value<double>();
  if (!value || !(*value > 0)) return wrong(spot_of(node), "is a number above 0");
  if (*value < least || *value > most)
    return wrong(spot_of(node), fmt::format("is out of range: {:g} to {:g}", least, most));
  into = *value;
}

bool TuneSections::read_whole(const toml::node& node, std::int64_t& into, std::int64_t least,
                              std::int64_t most) {
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < least || *value > most) {
    wrong(spot_of(node), fmt::format("is a whole number from {} to {}", least, most));
    return false;
  }
  into = *value;
  return true;
}

void TuneSections::read_part(const toml::node& node, double& into) {
  auto value = node.value<double>();
  if (const auto text = node.value_exact<std::string>(); text && text->ends_with('%'))
    if (const auto percent = parse_number(text->substr(0, text->size() - 1)))
      value = *percent / 100;
  if (!value || !(*value >= 0) || *value > 1)
    return wrong(spot_of(node), "is a part from 0 to 1", "\"5%\", or 0.05");
  into = *value;
}

}  // namespace tutti::studies::tuning

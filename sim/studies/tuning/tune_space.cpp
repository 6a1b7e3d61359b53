// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/tuning/tune_space.hpp"

#include <algorithm>

namespace tutti::studies::tuning {
namespace {

// Neighbours are alike where all values are numbers or sizes.
bool is_ordered(const StudyAxis& axis) {
  return std::ranges::all_of(axis.values, [](const StudyValue& value) {
    return number_of(cell_of_text(value.text)).has_value();
  });
}

bool is_allowed(const TuneFile& file, const Combination& combination) {
  const auto cells = [&](const std::string& name) -> std::vector<Cell> {
    for (std::size_t i = 0; i < file.parameters.size(); ++i)
      if (file.parameters[i].axis.name == name)
        return {cell_of_text(file.parameters[i].axis.values[combination[i]].text)};
    return {};
  };
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    const auto& parameter = file.parameters[i];
    if (parameter.when && combination[i] != parameter.default_value.value_or(0) &&
        !parameter.when->holds(cells))
      return false;
  }
  return true;
}

}  // namespace

Space space_of(const TuneFile& file) {
  std::vector<TunedParameter> parameters;
  bool has_conditions = false;
  for (const auto& each : file.parameters) {
    TunedParameter parameter{
        .name = each.given,
        .values = {},
        .default_value = static_cast<std::uint32_t>(each.default_value.value_or(0)),
        .is_ordered = is_ordered(each.axis)};
    for (const auto& value : each.axis.values) parameter.values.push_back(value.text);
    parameters.push_back(std::move(parameter));
    has_conditions |= each.when.has_value();
  }
  if (!has_conditions) return Space(std::move(parameters));
  return Space(std::move(parameters),
               [&file](const Combination& combination) { return is_allowed(file, combination); });
}

}  // namespace tutti::studies::tuning

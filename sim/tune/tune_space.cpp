// SPDX-License-Identifier: BSD-3-Clause
// The space of combinations of a tune file's parameters.
#include "sim/studies/study_table.hpp"
#include "sim/tune/otpo_file.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {
namespace {

// Neighbors are similar if all values are numbers or sizes.
bool is_ordered(const TuneParameter& parameter) {
  return std::ranges::all_of(parameter.axis.values, [&](const StudyValue& value) {
    return number_of(cell_of_text(value.text)).has_value() ||
           (parameter.is_hint && value.text == unset_hint);
  });
}

}  // namespace

Space make_space(const TuneFile& file) {
  std::vector<TunedParameter> parameters;
  bool has_conditions = false;
  for (const auto& given : file.parameters) {
    TunedParameter parameter{.name = given.given,
                             .values = {},
                             .default_value = static_cast<std::uint32_t>(given.default_number()),
                             .is_ordered = is_ordered(given)};
    for (const auto& value : given.axis.values) parameter.values.push_back(value.text);
    parameters.push_back(std::move(parameter));
    has_conditions |= given.when.has_value();
  }
  if (!has_conditions) return Space(std::move(parameters));
  return Space(std::move(parameters), [file = std::make_shared<const TuneFile>(file)](
                                          const Combination& combination, std::size_t parameter) {
    return applies(*file, parameter, combination);
  });
}

Combination with_default_choices(const TuneFile& file, Combination combination) {
  for (std::size_t i = 0; i < combination.size(); ++i)
    if (file.parameters[i].is_choice())
      combination[i] = static_cast<std::uint32_t>(file.parameters[i].default_number());
  return combination;
}

Space space_without_choices(const TuneFile& file) {
  const Space whole = make_space(file);
  auto parameters = whole.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (file.parameters[i].is_choice()) {
      parameters[i].values = {parameters[i].values[parameters[i].default_value]};
      parameters[i].default_value = 0;
    }
  if (!whole.has_conditions()) return Space(std::move(parameters));
  return Space(std::move(parameters), [file = std::make_shared<const TuneFile>(file)](
                                          const Combination& combination, std::size_t parameter) {
    return applies(*file, parameter, with_default_choices(*file, combination));
  });
}

bool applies(const TuneFile& file, std::size_t parameter, const Combination& combination) {
  const auto& when = file.parameters[parameter].when;
  return !when || when->holds([&](const std::string& name) -> std::vector<Cell> {
    for (std::size_t i = 0; i < file.parameters.size(); ++i)
      if (file.parameters[i].full == name || file.parameters[i].given == name)
        return {cell_of_text(file.parameters[i].axis.values[combination[i]].text)};
    return {};
  });
}

std::string aggregate_text(const TuneFile& file, const TuneAggregate& aggregate,
                           const Combination& combination) {
  const auto value = [&](const std::string& name) -> std::optional<std::string> {
    for (std::size_t i = 0; i < file.parameters.size(); ++i)
      if (file.parameters[i].given == name)
        return file.parameters[i].axis.values[combination[i]].text;
    return std::nullopt;
  };
  return expand_aggregate(aggregate.text, value).value_or(aggregate.text);
}

}  // namespace tutti::studies::tuning

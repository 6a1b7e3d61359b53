// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/toml_sections.hpp"

#include <fmt/ranges.h>

#include "sim/base/suggest.hpp"

namespace tutti::studies {

std::optional<StudyAxis> TomlSections::axis_of(const toml::key& key, const toml::node& node,
                                               std::string_view section) {
  const std::string name(key.str());
  const auto option = known_.find(name);
  if (!option) {
    unknown_key(key, known_.keys(), section);
    return std::nullopt;
  }
  StudyAxis axis{.name = option->named, .spot = spot_of(key), .values = {}};
  add_values(*option, node, axis);
  if (!axis.values.empty()) return axis;
  if (const auto* array = node.as_array(); array != nullptr && array->empty())
    wrong(spot_of(node), fmt::format("{} has no value", in_quotes(name)),
          "give it one, or leave it out");
  return std::nullopt;
}

void TomlSections::add_values(const StudyOption& option, const toml::node& node, StudyAxis& axis) {
  if (const auto* array = node.as_array())
    for (const auto& each : *array) add_value(option, each, axis);
  else
    add_value(option, node, axis);
}

void TomlSections::add_value(const StudyOption& option, const toml::node& node, StudyAxis& axis) {
  const auto text = text_of(option, node);
  if (!text) return;
  auto expanded = expand_value(*text, option);
  if (!expanded) {
    const Error& error = expanded.error();
    return wrong(spot_of(node), fmt::format("{}: {}", option.key, error.message), error.hint);
  }
  for (std::string& each : *expanded) axis.values.push_back({std::move(each), spot_of(node)});
}

std::optional<std::string> TomlSections::text_of(const StudyOption& option,
                                                 const toml::node& node) {
  const bool is_flag = option.kind == StudyOption::Kind::flag;
  if (const auto flag = node.value_exact<bool>(); flag && is_flag) return *flag ? "true" : "false";
  if (!is_flag) {
    if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
    if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
    if (const auto text = node.value_exact<std::string>()) return *text;
  }
  wrong(spot_of(node),
        fmt::format("{}: {}", option.key, is_flag ? "is true or false" : "is no text or number"),
        is_flag             ? ""
        : node.is_boolean() ? "write it in quotes, as on the command line: \"on\", \"off\""
                            : "a value, or a list of values");
  return std::nullopt;
}

void TomlSections::unknown_key(const toml::key& key, const std::vector<std::string>& names,
                               std::string_view section) {
  const std::string name(key.str());
  std::string hint = did_you_mean(name, names);
  if (hint.empty() && name.find('-') != name.npos) hint = "'_' stands for '-' in the keys";
  if (hint.empty() && names.size() < 10)
    hint = fmt::format("there are: {}", fmt::join(names, ", "));
  if (hint.empty())
    hint =
        "options of `sim run`, as workload, procs, message_size; those of --set in quotes: "
        "\"mpi/eager_limit\"";
  wrong(spot_of(key), fmt::format("unknown key {} in {}", in_quotes(name), section), hint);
}

}  // namespace tutti::studies

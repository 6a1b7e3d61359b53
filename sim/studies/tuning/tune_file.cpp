// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/tuning/tune_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/base/suggest.hpp"
#include "sim/studies/axis.hpp"
#include "sim/studies/toml_sections.hpp"

namespace tutti::studies::tuning {
namespace {

class Reading : private TomlSections {
 public:
  Reading(const std::string& text, const std::string& path, const std::vector<StudyOption>& options,
          const KnownName& known_name)
      : TomlSections(text, path, options), known_name_(known_name) {
    file_.text = text;
    file_.path = path;
    file_.name = std::filesystem::path(path).stem();
  }

  Result<TuneFile> read() {
    const auto root = text_.parse();
    if (!root) return root.errors();
    read_root(*root);
    if (errors_.empty()) check_whole();
    if (!errors_.empty()) return errors_.errors();
    return std::move(file_);
  }

 private:
  void read_root(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      if (name == "study")
        with_table(key, node, [&](const toml::table& table) { read_study(table); });
      else if (name == "objective" && node.is_table())
        read_objective(*node.as_table());
      else if (name == "objective")
        with_tables(key, node, [&](const toml::table& table) { read_objective(table); });
      else if (name == "parameter")
        with_tables(key, node, [&](const toml::table& table) { read_parameter(table); });
      else if (name == "search")
        with_table(key, node, [&](const toml::table& table) { read_search(table); });
      else if (name == "constraint")
        with_table(key, node, [&](const toml::table& table) { read_constraint(table); });
      else
        wrong(spot_of(key), fmt::format("unknown section {}", in_quotes(name)),
              did_you_mean(name, {"study", "objective", "parameter", "search", "constraint"},
                           "there are: [study], [[objective]], [[parameter]], [search], "
                           "[constraint]"));
    }
  }

  void read_study(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const bool is_name = key.str() == "name";
      if (!is_name && key.str() != "description")
        unknown_key(key, {"name", "description"}, "[study]");
      else
        read_text(node, is_name ? file_.name : file_.description);
    }
  }

  void read_objective(const toml::table& table) {
    TuneObjective objective{.spot = spot_of(table), .base = {}, .product = {}};
    for (const auto& [key, node] : table) {
      if (key.str() == "weight")
        read_number(node, objective.weight, 0);
      else if (key.str() == "stage")
        read_whole(node, objective.stage, 1, 9);
      else if (auto axis = axis_of(key, node, "[[objective]]"))
        axis->values.size() == 1 ? objective.base.push_back(*std::move(axis))
                                 : objective.product.push_back({*std::move(axis)});
    }
    const auto is_workload = [](const StudyAxis& axis) { return axis.name == workload_key; };
    if (std::ranges::none_of(objective.base, is_workload))
      wrong(spot_of(table), "no workload: what is simulated?",
            "workload = \"bcast\", the word after `sim run`");
    file_.objectives.push_back(std::move(objective));
  }

  void read_parameter(const toml::table& table) {
    TuneParameter parameter;
    const auto* name = table.get("name");
    const auto given = name == nullptr ? std::nullopt : name->value_exact<std::string>();
    if (!given) return wrong(spot_of(table), "a [[parameter]] without its name");
    parameter.given = *given;
    parameter.axis.spot = spot_of(*name);
    const auto known = known_name_(*given);
    parameter.axis.name = known.value_or(*given);
    const auto option = known_.find(parameter.axis.name);
    if (!option)
      return wrong(parameter.axis.spot, fmt::format("there is no parameter {}", in_quotes(*given)),
                   did_you_mean(*given, known_.keys(),
                                "options of `sim run`, as segment_size, or keys of --set, as "
                                "mpi/eager_limit"));
    parameter.axis.name = option->named;
    for (const auto& [key, node] : table)
      if (key.str() == "values")
        read_values(*option, node, parameter.axis);
      else if (key.str() == "when")
        read_condition(node, parameter);
      else if (key.str() != "name" && key.str() != "default")
        unknown_key(key, {"name", "values", "default", "when"}, "[[parameter]]");
    if (parameter.axis.values.empty() && errors_.empty())
      return wrong(spot_of(table), fmt::format("{} has no values", in_quotes(*given)),
                   "values = [\"4KiB\", \"16KiB\"], or \"4KiB:64KiB:*2\"");
    if (const auto* node = table.get("default")) read_default(*option, *node, parameter);
    file_.parameters.push_back(std::move(parameter));
  }

  // "1.5KiB:48KiB:*2" as well as what studies take.
  void read_values(const StudyOption& option, const toml::node& node, StudyAxis& axis) {
    const auto text = node.value_exact<std::string>();
    if (!text || text->find(':') == text->npos) return add_values(option, node, axis);
    const bool is_number = option.kind == StudyOption::Kind::count;
    const auto values =
        parse_axis(*text, {.parse = is_number ? parse_integer : parse_bytes, .least = 0});
    if (!values) return add_values(option, node, axis);
    for (const auto value : *values) axis.values.push_back({std::to_string(value), spot_of(node)});
  }

  void read_default(const StudyOption& option, const toml::node& node, TuneParameter& parameter) {
    StudyAxis axis;
    add_values(option, node, axis);
    if (axis.values.size() != 1) return wrong(spot_of(node), "is one value");
    const auto& values = parameter.axis.values;
    const auto found = std::ranges::find_if(values, [&](const StudyValue& value) {
      return same_cell(cell_of_text(value.text), cell_of_text(axis.values[0].text));
    });
    if (found == values.end())
      return wrong(spot_of(node), "the default is none of the values", "add it to them");
    parameter.default_value = static_cast<std::size_t>(found - values.begin());
  }

  void read_condition(const toml::node& node, TuneParameter& parameter) {
    const auto text = node.value_exact<std::string>();
    if (!text) return wrong(spot_of(node), "is a text in quotes", "when = \"algorithm = chain\"");
    auto condition = Condition::parse(*text);
    if (!condition) return wrong(spot_of(node), condition.error().message, condition.error().hint);
    parameter.when = *std::move(condition);
  }

  void read_search(const toml::table& table) {
    std::int64_t whole = 0;
    auto& search = file_.search;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "method")
        read_methods(node);
      else if (name == "seed" && read_whole(node, whole, 0, INT64_MAX))
        search.seed = static_cast<std::uint64_t>(whole);
      else if (name == "budget" && read_whole(node, whole, 1, 1'000'000))
        search.budget = static_cast<std::size_t>(whole);
      else if (name == "confidence" && read_whole(node, whole, 1, 100))
        search.confidence = static_cast<int>(whole);
      else if (name == "keep_one_of" && read_whole(node, whole, 2, 1000))
        search.keep_one_of = static_cast<int>(whole);
      else if (name == "batch" && read_whole(node, whole, 1, 1000))
        search.batch = static_cast<std::size_t>(whole);
      else if (name == "threshold")
        read_part(node, search.threshold);
      else if (name == "survivors")
        read_part(node, file_.survivors);
      else if (name == "levels")
        read_levels(node);
      else if (!is_search_key(name))
        unknown_key(key, search_keys(), "[search]");
    }
  }
  static const std::vector<std::string>& search_keys() {
    static const std::vector<std::string> keys{"method",      "seed",   "budget",
                                               "confidence",  "batch",  "threshold",
                                               "keep_one_of", "levels", "survivors"};
    return keys;
  }
  static bool is_search_key(const std::string& name) {
    return std::ranges::find(search_keys(), name) != search_keys().end();
  }

  void read_methods(const toml::node& node) {
    file_.methods.clear();
    const auto take = [&](const toml::node& each) {
      const auto text = each.value_exact<std::string>();
      const auto method = text ? method_of(*text) : std::nullopt;
      if (method) return file_.methods.push_back(*method);
      if (text == "all") {
        for (const auto& name : method_names()) file_.methods.push_back(*method_of(name));
        return;
      }
      wrong(spot_of(each), fmt::format("is no way to search: {}", in_quotes(text.value_or(""))),
            did_you_mean(text.value_or(""), method_names(),
                         fmt::format("there are: {}, all", fmt::join(method_names(), ", "))));
    };
    if (const auto* array = node.as_array())
      for (const auto& each : *array) take(each);
    else
      take(node);
  }

  void read_levels(const toml::node& node) {
    const auto take = [&](const toml::node& each) {
      std::int64_t procs = 0;
      if (read_whole(each, procs, 1, 1 << 24)) file_.levels.push_back(procs);
    };
    if (const auto* array = node.as_array())
      for (const auto& each : *array) take(each);
    else
      take(node);
    if (!std::ranges::is_sorted(file_.levels)) wrong(spot_of(node), "levels ascend");
  }

  void read_constraint(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (key.str() != "memory") {
        unknown_key(key, {"memory"}, "[constraint]");
        continue;
      }
      const auto text = node.value_exact<std::string>();
      const auto bytes = parse_bytes(text.value_or(""));
      if (!bytes) return wrong(spot_of(node), "is a size", "memory = \"64MiB\"");
      file_.memory_bytes = *bytes;
    }
  }

  void read_text(const toml::node& node, std::string& into) {
    if (auto text = node.value_exact<std::string>())
      into = *std::move(text);
    else
      wrong(spot_of(node), "is a text in quotes");
  }
  void read_number(const toml::node& node, double& into, double above) {
    const auto value = node.value<double>();
    if (!value || !std::isfinite(*value) || *value <= above)
      return wrong(spot_of(node), fmt::format("is a number above {}", above));
    into = *value;
  }
  bool read_whole(const toml::node& node, std::int64_t& into, std::int64_t least,
                  std::int64_t most) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < least || *value > most) {
      wrong(spot_of(node), fmt::format("is a whole number from {} to {}", least, most));
      return false;
    }
    into = *value;
    return true;
  }
  // "5%" or 0.05.
  void read_part(const toml::node& node, double& into) {
    auto value = node.value<double>();
    if (const auto text = node.value_exact<std::string>(); text && text->ends_with('%'))
      if (const auto percent = parse_number(text->substr(0, text->size() - 1)))
        value = *percent / 100;
    if (!value || !(*value >= 0) || *value > 1)
      return wrong(spot_of(node), "is a part from 0 to 1", "\"5%\", or 0.05");
    into = *value;
  }

  void check_whole() {
    if (file_.objectives.empty())
      wrong({1, 0}, "no [objective]: what is to be fast?",
            "[objective] workload = \"bcast\", platform = ..., procs = ...");
    if (file_.parameters.empty())
      wrong({1, 0}, "no [[parameter]]: what may be changed?",
            "[[parameter]] name = \"mpi/eager_limit\", values = \"4KiB:64KiB:*2\"");
    for (std::size_t i = 0; i < file_.parameters.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (file_.parameters[i].axis.name == file_.parameters[j].axis.name)
          wrong(file_.parameters[i].axis.spot,
                fmt::format("{} is a parameter already", in_quotes(file_.parameters[i].given)));
    check_conditions();
    std::ranges::stable_sort(file_.objectives, {}, &TuneObjective::stage);
  }

  void check_conditions() {
    std::vector<std::string> names;
    for (const auto& each : file_.parameters) names.push_back(each.axis.name);
    for (const auto& each : file_.parameters)
      if (each.when)
        for (const auto& name : each.when->names())
          if (std::ranges::find(names, name) == names.end())
            wrong(each.axis.spot, fmt::format("its condition names {}", in_quotes(name)),
                  did_you_mean(name, names, "it is none of the parameters"));
  }

  const KnownName& known_name_;
  TuneFile file_;
};

}  // namespace

Result<TuneFile> read_tune_file(const std::string& text, const std::string& path,
                                const std::vector<StudyOption>& options, const KnownName& known) {
  return Reading(text, path, options, known).read();
}

}  // namespace tutti::studies::tuning

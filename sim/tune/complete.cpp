// SPDX-License-Identifier: BSD-3-Clause

#include "sim/base/common.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/studies/study_table.hpp"
#include "sim/tune/search.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {
namespace {

class Completion {
 public:
  Completion(TuneFile& file, const std::vector<Category>& categories)
      : file_(file), categories_(categories) {}

  std::vector<Error> run() {
    if (file_.objectives.empty())
      wrong({1, 0}, "missing [objective]",
            "add [objective] workload = \"bcast\", platform = ..., procs = ...");
    if (file_.parameters.empty())
      wrong({1, 0}, "missing [[parameter]]",
            "add [[parameter]] name = \"mpi/eager_limit\", values = \"4KiB:64KiB:*2\"");
    check_names();
    for (const auto& parameter : file_.parameters) check_values(parameter);
    check_options(file_.job, "");
    for (const auto& objective : file_.objectives) {
      const auto workload = std::ranges::find(objective.base, workload_key, &StudyAxis::name);
      check_options(objective.base, workload->values.front().text);
      for (const auto& group : objective.product)
        check_options(group, workload->values.front().text);
    }
    check_conditions();
    if (!categories_.empty()) leave_other_categories();
    if (!file_.searches_without_effect) leave_without_effect();
    std::ranges::stable_sort(file_.objectives, {}, &TuneObjective::stage);
    return errors_.errors();
  }

 private:
  void wrong(TextSpot spot, std::string message, std::string hint = "") {
    errors_.add(error_at(file_, spot, std::move(message), std::move(hint)));
  }

  // "algorithm" of all collectives and "bcast/algorithm" would both set the broadcast's algorithm.
  static bool are_same(const TuneParameter& a, const TuneParameter& b) {
    if (a.is_hint || b.is_hint) return a.given == b.given;
    return a.axis.name == b.axis.name &&
           (a.workload == b.workload || a.workload.empty() || b.workload.empty());
  }

  void check_names() {
    const auto& all = file_.parameters;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (are_same(all[i], all[j]))
          wrong(
              all[i].axis.spot,
              fmt::format(
                  "duplicate parameter {}{}", in_quotes(all[i].given),
                  all[i].given == all[j].given ? "" : fmt::format(": {}", in_quotes(all[j].given))),
              "list all of its values in one [[parameter]]");
  }

  // Rejects options of `sim run` that define the problem and cannot be tuned.
  void check_values(const TuneParameter& parameter) {
    if (parameter.is_simulated() && defines_problem(parameter.axis.name))
      wrong(
          parameter.axis.spot,
          fmt::format("{} is part of the problem and cannot be tuned", in_quotes(parameter.given)),
          "move it to [base], [matrix] or an [[objective]]");
    const auto& values = parameter.axis.values;
    std::set<std::pair<std::optional<double>, std::string>> seen;
    for (const auto& value : values) {
      if (parameter.axis.name == "algorithm" && value.text == "all")
        wrong(value.spot, "\"all\" means several algorithms", "list their names");
      // Compares as same_cell does.
      const auto number = number_of(cell_of_text(value.text));
      if (!seen.emplace(number, number ? "" : value.text).second)
        return wrong(value.spot, fmt::format("duplicate value {}", in_quotes(value.text)),
                     "omit one of them");
    }
  }

  // A tuned option must not have a fixed value as well.
  void check_options(const StudyGroup& options, const std::string& workload) {
    for (const auto& option : options) {
      if (option.name == "algorithm" && option.values.front().text == "all")
        wrong(option.spot, "\"all\" means several algorithms",
              "add an objective for each, or tune algorithm as a [[parameter]]");
      for (const auto& parameter : file_.parameters)
        if (parameter.is_simulated() && !parameter.is_hint && parameter.axis.name == option.name &&
            (parameter.workload.empty() || parameter.workload == workload))
          wrong(option.spot,
                fmt::format("{} is tuned and cannot have a value here", in_quotes(option.name)),
                "remove it here, or from the parameters");
    }
  }

  void check_conditions() {
    std::vector<std::string> names;
    for (const auto& parameter : file_.parameters) {
      names.push_back(parameter.full);
      if (parameter.given != parameter.full) names.push_back(parameter.given);
    }
    for (const auto& parameter : file_.parameters)
      if (parameter.when)
        for (const auto& name : parameter.when->names)
          if (std::ranges::find(names, name) == names.end())
            wrong(parameter.axis.spot,
                  fmt::format("unknown parameter {} in the condition", in_quotes(name)),
                  did_you_mean(name, names, "a condition may only name parameters of the study"));
  }

  static void leave(TuneParameter& parameter) {
    parameter.axis.values = {parameter.axis.values[parameter.default_number()]};
    parameter.default_value = 0;
  }
  void leave_without_effect() {
    for (auto& parameter : file_.parameters)
      if (!parameter.without_effect.empty()) leave(parameter);
  }
  // A virtual parameter has no category: parameters of a searched category may depend on it.
  void leave_other_categories() {
    for (auto& parameter : file_.parameters) {
      const auto category = parameter.is_hint ? Category::io : parameter_category(parameter.full);
      parameter.is_left =
          !parameter.is_virtual &&
          (!category || std::ranges::find(categories_, *category) == categories_.end());
      if (parameter.is_left) leave(parameter);
    }
    if (std::ranges::all_of(file_.parameters, &TuneParameter::is_left))
      errors_.add(usage_error("--parameters", "the study has no parameter of these categories",
                              "omit the option: it then searches all parameters of the study"));
  }

  TuneFile& file_;
  const std::vector<Category>& categories_;
  ErrorList errors_;
};

}  // namespace

bool defines_problem(std::string_view option) {
  static const std::set<std::string, std::less<>> names{
      "workload",       "platform", "message_size", "procs",       "root",         "counts",
      "bytes_per_proc", "rows",     "cols",         "repetitions", "element_size", "engine",
      "contention",     "noise",    "skew",         "path",        "pattern"};
  return names.contains(option);
}

std::vector<Error> complete(TuneFile& file, const std::vector<Category>& categories) {
  return Completion(file, categories).run();
}

}  // namespace tutti::studies::tuning

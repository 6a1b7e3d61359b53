// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/algorithm_models/model_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/studies/toml_keys.hpp"
#include "sim/studies/toml_writing.hpp"

namespace tutti::studies {
namespace {

constexpr std::string_view format_name = "tutti-models/1";

// ---- writing ----

std::string numbers(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(toml_number(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string class_text(const SizeClass& each) {
  std::string text = "\n  [[model.class]]\n";
  if (each.up_to_bytes) text += fmt::format("  up_to_bytes = {}\n", *each.up_to_bytes);
  text += fmt::format("  alpha_s = {}\n  beta_s_per_B = {}\n", toml_number(each.alpha_s),
                      toml_number(each.beta_s_per_B));
  text += fmt::format("  lambda_s = {}\n  mu_s_per_B = {}\n", toml_number(each.lambda_s),
                      toml_number(each.mu_s_per_B));
  text +=
      fmt::format("  alpha_half_width_s = {}\n  beta_half_width_s_per_B = {}\n",
                  toml_number(each.alpha_half_width_s), toml_number(each.beta_half_width_s_per_B));
  return text + fmt::format("  determined = {}\n", each.is_determined);
}

std::string model_text(const AlgorithmModel& model) {
  std::string text = fmt::format("\n[[model]]\ncollective = {}\nalgorithm = {}\n",
                                 toml_text(model.collective), toml_text(model.algorithm));
  if (model.fanout) text += fmt::format("fanout = {}\n", *model.fanout);
  if (model.gather_alpha_s)
    text += fmt::format("gather_alpha_s = {}\n", toml_number(*model.gather_alpha_s));
  if (model.gather_beta_s_per_B)
    text += fmt::format("gather_beta_s_per_B = {}\n", toml_number(*model.gather_beta_s_per_B));
  text += fmt::format("samples = {}\ncondition = {}\nmedian_error = {}\nlargest_error = {}\n",
                      model.samples, toml_number(model.condition), toml_number(model.median_error),
                      toml_number(model.largest_error));
  for (const auto& each : model.classes) text += class_text(each);
  return text;
}

// ---- reading ----

class Reading : private TomlKeys {
 public:
  Reading(const std::string& text, const std::string& path) : TomlKeys(text, path) {}

  Result<ModelFile> read() {
    const auto root = root_of(format_name, "models of `sim fit models`");
    if (!root) return errors_.errors();
    read_keys(*root,
              {{"format", skip()},
               {"machine", [&](const auto& node) { section(node, machine_keys()); }},
               {"fit", [&](const auto& node) { section(node, fit_keys()); }},
               {"gamma", [&](const auto& node) { section(node, gamma_keys()); }},
               {"model", [&](const auto& node) { read_models(node); }}},
              *root);
    if (errors_.empty() && file_.models.empty())
      errors_.add(make_error(ErrorKind::input, path_, "has no [[model]]"));
    if (!errors_.empty()) return errors_.errors();
    if (!gamma_.empty()) file_.gamma = {gamma_, intercept_, slope_};
    return std::move(file_);
  }

 private:
  Keys machine_keys() {
    return {{"platform", text(file_.platform)},
            {"hash", text(file_.platform_hash)},
            {"ppn", whole(file_.ppn, 0)},
            {"map", text(file_.map)}};
  }
  Keys fit_keys() {
    return {{"procs",
             [&](const Node& node) {
               list(node, [&](const Node& each) { whole(file_.procs.emplace_back(), 2)(each); });
             }},
            {"least_message_bytes", whole(file_.least_message_bytes, 0)},
            {"most_message_bytes", whole(file_.most_message_bytes, 0)},
            {"terms", text(file_.terms)},
            {"experiment", text(file_.experiment)}};
  }
  Keys gamma_keys() {
    return {{"segment_bytes", whole(file_.gamma_segment_bytes, 0)},
            {"values",
             [&](const Node& node) {
               list(node, [&](const Node& each) { real(gamma_.emplace_back())(each); });
             }},
            {"intercept", real(intercept_)},
            {"slope", real(slope_)}};
  }

  void read_models(const Node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong(node, "is a list of sections: [[model]]");
    for (const auto& each : *array) {
      AlgorithmModel model;
      section(each, model_keys(model));
      check(each, model);
      file_.models.push_back(std::move(model));
    }
  }

  Keys model_keys(AlgorithmModel& model) {
    return {{"collective", text(model.collective)},
            {"algorithm", text(model.algorithm)},
            {"?fanout",
             [this, &model](const Node& node) {
               std::int64_t fanout = 1;
               whole(fanout, 1)(node);
               model.fanout = static_cast<int>(std::min<std::int64_t>(fanout, most_fanout));
             }},
            {"?gather_alpha_s", real(model.gather_alpha_s)},
            {"?gather_beta_s_per_B", real(model.gather_beta_s_per_B)},
            {"samples", whole(model.samples, 1)},
            {"condition", real(model.condition)},
            {"median_error", real(model.median_error)},
            {"largest_error", real(model.largest_error)},
            {"class", [this, &model](const Node& node) { read_classes(node, model); }}};
  }

  void read_classes(const Node& node, AlgorithmModel& model) {
    const auto* array = node.as_array();
    if (array == nullptr || array->empty())
      return wrong(node, "is a list of sections: [[model.class]]");
    for (const auto& each : *array) {
      SizeClass found;
      section(each, {{"?up_to_bytes", whole(found.up_to_bytes, 0)},
                     {"alpha_s", real(found.alpha_s)},
                     {"beta_s_per_B", real(found.beta_s_per_B)},
                     {"?lambda_s", real(found.lambda_s)},
                     {"?mu_s_per_B", real(found.mu_s_per_B)},
                     {"?alpha_half_width_s", real(found.alpha_half_width_s)},
                     {"?beta_half_width_s_per_B", real(found.beta_half_width_s_per_B)},
                     {"?determined", [this, &found](const Node& flag) {
                        const auto value = flag.value_exact<bool>();
                        if (!value) return wrong(flag, "is true or false");
                        found.is_determined = *value;
                      }}});
      const bool is_last = &each == &array->back();
      if (found.up_to_bytes.has_value() == is_last)
        wrong(each, is_last ? "the last class has no up_to_bytes" : "has no up_to_bytes");
      else if (!model.classes.empty() && !is_last &&
               *found.up_to_bytes <= model.classes.back().up_to_bytes.value_or(-1))
        wrong(each, "classes stand by their sizes");
      model.classes.push_back(found);
    }
  }

  void check(const Node& node, const AlgorithmModel& model) {
    const auto* algorithm = algorithms::find_algorithm(model.collective, model.algorithm);
    if (algorithm == nullptr)
      return wrong(node,
                   fmt::format("there is no {} {}", model.collective, in_quotes(model.algorithm)),
                   "`sim list algorithms` names them all");
    if (model.fanout.has_value() != (algorithm->default_fanout > 0))
      wrong(node, fmt::format("{} {} {}", model.collective, model.algorithm,
                              model.fanout ? "has no fan-out" : "needs its fanout"));
  }

  static constexpr std::int64_t most_fanout = 1 << 30;

  ModelFile file_;
  std::vector<double> gamma_;
  double intercept_ = 1;
  double slope_ = 0;
};

}  // namespace

const AlgorithmModel* ModelFile::find(std::string_view collective, std::string_view algorithm,
                                      std::optional<int> fanout) const {
  const auto found = std::ranges::find_if(models, [&](const auto& each) {
    return each.collective == collective && each.algorithm == algorithm && each.fanout == fanout;
  });
  return found == models.end() ? nullptr : &*found;
}

std::string model_file_text(const ModelFile& file, const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& comment : comments) text += comment.empty() ? "#\n" : "# " + comment + "\n";
  text += fmt::format("format = \"{}\"\n\n", format_name);
  text += fmt::format("[machine]\nplatform = {}\nhash = {}\nppn = {}\nmap = {}\n\n",
                      toml_text(file.platform), toml_text(file.platform_hash), file.ppn,
                      toml_text(file.map));
  text +=
      fmt::format("[fit]\nprocs = [{}]\nleast_message_bytes = {}\nmost_message_bytes = {}\n",
                  fmt::join(file.procs, ", "), file.least_message_bytes, file.most_message_bytes);
  text += fmt::format("terms = {}\nexperiment = {}\n\n", toml_text(file.terms),
                      toml_text(file.experiment));
  text += fmt::format("[gamma]\nsegment_bytes = {}\nvalues = {}\nintercept = {}\nslope = {}\n",
                      file.gamma_segment_bytes, numbers(file.gamma.measured()),
                      toml_number(file.gamma.intercept()), toml_number(file.gamma.slope()));
  for (const auto& model : file.models) text += model_text(model);
  return text;
}

Result<ModelFile> read_model_file(const std::string& text, const std::string& path) {
  return Reading(text, path).read();
}

}  // namespace tutti::studies

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/model_file.hpp"

#include "platforms/placement.hpp"
#include "sim/studies/toml.hpp"

namespace tutti::studies {
namespace {

constexpr std::string_view format_name = "tutti-models/2";

// ---- writing ----

std::string numbers(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(toml_number(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string class_text(const SizeClass& sizes) {
  std::string text = "\n    [[model.fit.class]]\n";
  if (sizes.up_to_bytes) text += fmt::format("    up_to_bytes = {}\n", *sizes.up_to_bytes);
  text += fmt::format("    least_bytes = {}\n    most_bytes = {}\n", sizes.least_bytes,
                      sizes.most_bytes);
  const std::pair<std::string_view, double> numbers[] = {
      {"alpha_s", sizes.alpha_s},
      {"beta_s_per_B", sizes.beta_s_per_B},
      {"lambda_s", sizes.lambda_s},
      {"mu_s_per_B", sizes.mu_s_per_B},
      {"alpha_half_width_s", sizes.alpha_half_width_s},
      {"beta_half_width_s_per_B", sizes.beta_half_width_s_per_B}};
  for (const auto& [name, value] : numbers)
    text += fmt::format("    {} = {}\n", name, toml_number(value));
  return text + fmt::format("    determined = {}\n", sizes.is_determined);
}

std::string range_text(const FittedRange& range) {
  return fmt::format(
      "  least_message_bytes = {}\n  most_message_bytes = {}\n  unsegmented = {}\n"
      "  least_segment_bytes = {}\n  most_segment_bytes = {}\n",
      range.least_message_bytes, range.most_message_bytes, range.unsegmented,
      range.least_segment_bytes, range.most_segment_bytes);
}

std::string fit_text(const ProcsModel& fit) {
  std::string text = fmt::format("\n  [[model.fit]]\n  procs = {}\n", fit.procs);
  text += range_text(fit.range);
  if (fit.gather_alpha_s)
    text += fmt::format("  gather_alpha_s = {}\n", toml_number(*fit.gather_alpha_s));
  if (fit.gather_beta_s_per_B)
    text += fmt::format("  gather_beta_s_per_B = {}\n", toml_number(*fit.gather_beta_s_per_B));
  text +=
      fmt::format("  samples = {}\n  condition = {}\n", fit.samples, toml_number(fit.condition));
  text += fmt::format("  median_error = {}\n  largest_error = {}\n", toml_number(fit.median_error),
                      toml_number(fit.largest_error));
  for (const auto& sizes : fit.classes) text += class_text(sizes);
  return text;
}

std::string model_text(const AlgorithmModel& model) {
  std::string text = fmt::format("\n[[model]]\ncollective = {}\nalgorithm = {}\n",
                                 toml_text(model.collective), toml_text(model.algorithm));
  if (model.fanout) text += fmt::format("fanout = {}\n", *model.fanout);
  for (const auto& fit : model.of_procs) text += fit_text(fit);
  return text;
}

// ---- reading ----

class ModelFileReader : private TomlKeys {
 public:
  ModelFileReader(const std::string& text, const std::string& path) : TomlKeys(text, path) {}

  Result<ModelFile> read() {
    const auto root = parse_root(format_name, "models of `sim fit models`");
    if (!root) return errors_.errors();
    read_keys(*root,
              {{"format", skip()},
               {"machine", [&](const auto& node) { section(node, machine_keys()); }},
               {"fit", [&](const auto& node) { section(node, fit_keys()); }},
               {"gamma", [&](const auto& node) { section(node, gamma_keys()); }},
               {"model", [&](const auto& node) { read_models(node); }}},
              *root);
    if (errors_.empty() && file_.models.empty())
      errors_.add(make_error(ErrorKind::input, path_, "missing [[model]]"));
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
    return {{"terms", text(file_.terms)},
            {"experiment", text(file_.experiment)},
            {"source", text(file_.source)}};
  }
  Keys gamma_keys() {
    return {{"segment_bytes", whole(file_.gamma_segment_bytes, 0)},
            {"values",
             [&](const Node& node) {
               list(node, [&](const Node& item) { real(gamma_.emplace_back())(item); });
             }},
            {"intercept", real(intercept_)},
            {"slope", real(slope_)}};
  }

  void read_models(const Node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong(node, "expected a list of sections: [[model]]");
    for (const auto& item : *array) {
      AlgorithmModel model;
      section(item, model_keys(model));
      check(item, model);
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
            {"fit", [this, &model](const Node& node) { read_fits(node, model); }}};
  }

  void read_fits(const Node& node, AlgorithmModel& model) {
    const auto* array = node.as_array();
    if (array == nullptr || array->empty())
      return wrong(node, "expected a list of sections: [[model.fit]]");
    for (const auto& item : *array) {
      ProcsModel fit;
      section(item, fit_keys(fit));
      if (!model.of_procs.empty() && !is_after(fit, model.of_procs.back()))
        wrong(item, "fits must be in ascending order of processes, unsegmented calls first");
      model.of_procs.push_back(std::move(fit));
    }
  }

  static bool is_after(const ProcsModel& fit, const ProcsModel& before) {
    const auto place = [](const ProcsModel& model) {
      return std::pair(!model.range.unsegmented, model.procs);
    };
    return place(fit) > place(before);
  }

  Keys fit_keys(ProcsModel& fit) {
    auto& range = fit.range;
    return {{"procs", count(fit.procs)},
            {"least_message_bytes", whole(range.least_message_bytes, 0)},
            {"most_message_bytes", whole(range.most_message_bytes, 0)},
            {"unsegmented", flag(range.unsegmented)},
            {"least_segment_bytes", whole(range.least_segment_bytes, 0)},
            {"most_segment_bytes", whole(range.most_segment_bytes, 0)},
            {"?gather_alpha_s", real(fit.gather_alpha_s)},
            {"?gather_beta_s_per_B", real(fit.gather_beta_s_per_B)},
            {"samples", whole(fit.samples, 1)},
            {"condition", real(fit.condition)},
            {"median_error", real(fit.median_error)},
            {"largest_error", real(fit.largest_error)},
            {"class", [this, &fit](const Node& node) { read_classes(node, fit); }}};
  }

  Read count(int& procs) {
    return [this, &procs](const Node& node) {
      std::int64_t found = 2;
      whole(found, 2)(node);
      procs = static_cast<int>(std::min<std::int64_t>(found, platforms::most_procs));
    };
  }
  Read flag(bool& into) {
    return [this, &into](const Node& node) {
      const auto value = node.value_exact<bool>();
      if (!value) return wrong(node, "expected true or false");
      into = *value;
    };
  }

  Keys class_keys(SizeClass& sizes) {
    return {{"?up_to_bytes", whole(sizes.up_to_bytes, 0)},
            {"least_bytes", whole(sizes.least_bytes, 0)},
            {"most_bytes", whole(sizes.most_bytes, 0)},
            {"alpha_s", real(sizes.alpha_s)},
            {"beta_s_per_B", real(sizes.beta_s_per_B)},
            {"lambda_s", real(sizes.lambda_s)},
            {"mu_s_per_B", real(sizes.mu_s_per_B)},
            {"?alpha_half_width_s", real(sizes.alpha_half_width_s)},
            {"?beta_half_width_s_per_B", real(sizes.beta_half_width_s_per_B)},
            {"determined", flag(sizes.is_determined)}};
  }

  void read_classes(const Node& node, ProcsModel& fit) {
    const auto* array = node.as_array();
    if (array == nullptr || array->empty())
      return wrong(node, "expected a list of sections: [[model.fit.class]]");
    for (const auto& item : *array) {
      SizeClass found;
      section(item, class_keys(found));
      const bool is_last = &item == &array->back();
      if (found.up_to_bytes.has_value() == is_last)
        wrong(item, is_last ? "the last class must not have up_to_bytes" : "missing up_to_bytes");
      else if (!fit.classes.empty() && !is_last &&
               *found.up_to_bytes <= fit.classes.back().up_to_bytes.value_or(-1))
        wrong(item, "classes must be in ascending order of sizes");
      if (!is_physical(found))
        wrong(item, "costs must not be below 0: alpha, beta, alpha + lambda, beta + mu");
      fit.classes.push_back(found);
    }
  }

  // A sum that the fit ended at 0 may be slightly negative by rounding.
  static bool is_physical(const SizeClass& sizes) {
    constexpr double rounding = 1e-12;
    return sizes.alpha_s >= 0 && sizes.beta_s_per_B >= 0 &&
           sizes.alpha_s + sizes.lambda_s >= -rounding * sizes.alpha_s &&
           sizes.beta_s_per_B + sizes.mu_s_per_B >= -rounding * sizes.beta_s_per_B;
  }

  void check(const Node& node, const AlgorithmModel& model) {
    const auto* algorithm = algorithms::find_algorithm(model.collective, model.algorithm);
    if (algorithm == nullptr)
      return wrong(
          node,
          fmt::format("unknown {} algorithm {}", model.collective, in_quotes(model.algorithm)),
          "`sim list algorithms` lists them");
    if (model.fanout.has_value() != (algorithm->default_fanout > 0))
      wrong(node, fmt::format("{} {} {}", model.collective, model.algorithm,
                              model.fanout ? "does not take a fan-out" : "requires fanout"));
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
  const auto found = std::ranges::find_if(models, [&](const auto& model) {
    return model.collective == collective && model.algorithm == algorithm && model.fanout == fanout;
  });
  return found == models.end() ? nullptr : &*found;
}

std::vector<int> ModelFile::procs() const {
  std::set<int> all;
  for (const auto& model : models)
    for (const auto& fit : model.of_procs) all.insert(fit.procs);
  return {all.begin(), all.end()};
}

ModelFile::Coverage ModelFile::coverage(const std::vector<std::string>& collectives) const {
  std::optional<Coverage> found;
  for (const auto& model : models) {
    if (!collectives.empty() &&
        std::ranges::find(collectives, model.collective) == collectives.end())
      continue;
    const auto [least, most] = model.least_and_most_procs();
    if (!found) found = {least, most, model.of_procs.front().range};
    found->least_procs = std::min(found->least_procs, least);
    found->most_procs = std::max(found->most_procs, most);
    for (const auto& fit : model.of_procs) found->range = found->range.with(fit.range);
  }
  TUTTI_CHECK(found.has_value(), "no model of these collectives");
  return *found;
}

std::string model_file_text(const ModelFile& file, const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& comment : comments) text += comment.empty() ? "#\n" : "# " + comment + "\n";
  text += fmt::format("format = \"{}\"\n\n", format_name);
  text += fmt::format("[machine]\nplatform = {}\nhash = {}\nppn = {}\nmap = {}\n\n",
                      toml_text(file.platform), toml_text(file.platform_hash), file.ppn,
                      toml_text(file.map));
  text += fmt::format("[fit]\nterms = {}\nexperiment = {}\nsource = {}\n\n", toml_text(file.terms),
                      toml_text(file.experiment), toml_text(file.source));
  text += fmt::format("[gamma]\nsegment_bytes = {}\nvalues = {}\nintercept = {}\nslope = {}\n",
                      file.gamma_segment_bytes, numbers(file.gamma.measured()),
                      toml_number(file.gamma.intercept()), toml_number(file.gamma.slope()));
  for (const auto& model : file.models) text += model_text(model);
  return text;
}

Result<ModelFile> read_model_file(const std::string& text, const std::string& path) {
  return ModelFileReader(text, path).read();
}

}  // namespace tutti::studies

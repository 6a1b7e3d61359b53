// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/cost_file.hpp"

#include "sim/studies/toml.hpp"

namespace tutti::studies::fireworks {
namespace {

constexpr std::string_view format_name = "tutti-fireworks/1";

// ---- writing ----

std::string plane_text(const Plane& plane) {
  return fmt::format("alpha_s = {}\nbeta_s = {}\ngamma_s = {}\n", toml_number(plane.alpha_s),
                     toml_number(plane.beta_s), toml_number(plane.gamma_s));
}

std::string line_text(std::string_view name, const CostLine& line) {
  return fmt::format("[model.bottleneck.{}]\nper_message_s = {}\nonce_s = {}\n", name,
                     toml_number(line.per_message_s), toml_number(line.once_s));
}

std::string quality_text(const CostModel& model, Form form) {
  const Quality& quality = model.quality[static_cast<std::size_t>(form)];
  return fmt::format("r2 = {}\nr2_all = {}\nrms_s = {}\nlargest_residual_s = {}\n",
                     toml_number(quality.r2), toml_number(quality.r2_all),
                     toml_number(quality.rms_s), toml_number(quality.largest_residual_s));
}

std::string model_text(const CostModel& model) {
  std::string text = fmt::format(
      "\n[[model]]\norder = {}\nhot_spots = {}\nmessage_bytes = {}\nbest = {}\n",
      toml_text(std::string(workloads::posting_orders[static_cast<std::size_t>(model.order)])),
      model.hot_spots, model.message_bytes, toml_text(std::string(name_of(model.best))));
  text += "[model.linear]\n" + plane_text(model.linear) + quality_text(model, Form::linear);
  text += "[model.huber]\n" + plane_text(model.huber) + quality_text(model, Form::huber);
  if (model.split) {
    text +=
        fmt::format("[model.split]\nby = \"{}\"\nlast_below = {}\nr2_below = {}\nr2_above = {}\n",
                    model.split->by == Split::By::intra ? "intra" : "inter",
                    toml_number(model.split->last_below), toml_number(model.split->r2_below),
                    toml_number(model.split->r2_above)) +
        quality_text(model, Form::split);
    text += "[model.split.below]\n" + plane_text(model.split->below);
    text += "[model.split.above]\n" + plane_text(model.split->above);
  }
  text += "[model.bottleneck]\n" + quality_text(model, Form::bottleneck);
  const auto& [intra, in, out, inter] = model.bottleneck;
  text += line_text("intra", intra) + line_text("in", in) + line_text("out", out) +
          line_text("inter", inter);
  if (model.links)
    text += fmt::format("[model.links]\nfactor = {}\nonce_s = {}\n",
                        toml_number(model.links->factor), toml_number(model.links->once_s)) +
            quality_text(model, Form::links);
  if (model.trial)
    text += fmt::format("[model.trial]\npairs = {}\nright = {}\nlow_ratio = {}\nhigh_ratio = {}\n",
                        model.trial->pairs, model.trial->right, toml_number(model.trial->low_ratio),
                        toml_number(model.trial->high_ratio));
  return text;
}

// ---- reading ----

class CostFileReader : private TomlKeys {
 public:
  CostFileReader(const std::string& text, const std::string& path) : TomlKeys(text, path) {}

  Result<CostFile> read() {
    const auto root = root_of(format_name, "costs of `sim fireworks`");
    if (!root) return errors_.errors();
    read_keys(*root,
              {{"format", skip()},
               {"machine",
                [&](const auto& node) {
                  section(node, {{"platform", text(file_.platform)},
                                 {"hash", text(file_.platform_hash)}});
                }},
               {"model", [&](const auto& node) { read_models(node); }}},
              *root);
    if (errors_.empty() && file_.models.empty())
      errors_.add(make_error(ErrorKind::input, path_, "has no [[model]]"));
    if (!errors_.empty()) return errors_.errors();
    return std::move(file_);
  }

 private:
  void read_models(const Node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong(node, "must be a list of sections: [[model]]");
    for (const auto& each : *array) {
      CostModel model;
      section(each, model_keys(model));
      check(each, model);
      file_.models.push_back(std::move(model));
    }
  }

  Keys model_keys(CostModel& model) {
    return {{"order", one_of(model.order, workloads::posting_orders)},
            {"hot_spots", whole(model.hot_spots, 1)},
            {"message_bytes", whole(model.message_bytes, 1)},
            {"best", one_of(model.best, form_names)},
            {"linear", plane_form(model, Form::linear, model.linear)},
            {"huber", plane_form(model, Form::huber, model.huber)},
            {"?split", [&](const Node& node) { read_split(node, model); }},
            {"bottleneck", [&](const Node& node) { read_bottleneck(node, model); }},
            {"?links", [&](const Node& node) { read_links(node, model); }},
            {"?trial", [&](const Node& node) { read_trial(node, model); }}};
  }

  template <class Enum, class Names>
  Read one_of(Enum& into, const Names& names) {
    return [this, &into, &names](const Node& node) {
      const auto value = node.value_exact<std::string>();
      const auto found = std::ranges::find(names, value.value_or(""));
      if (found == names.end())
        return wrong(node, fmt::format("must be one of {}", fmt::join(names, ", ")));
      into = static_cast<Enum>(found - names.begin());
    };
  }

  Keys plane_keys(Plane& plane) {
    return {{"alpha_s", real(plane.alpha_s)},
            {"beta_s", real(plane.beta_s)},
            {"gamma_s", real(plane.gamma_s)}};
  }
  Read plane_in(Plane& plane) {
    return [&](const Node& node) { section(node, plane_keys(plane)); };
  }
  Keys quality_keys(CostModel& model, Form form) {
    Quality& quality = model.quality[static_cast<std::size_t>(form)];
    return {{"r2", real(quality.r2)},
            {"r2_all", real(quality.r2_all)},
            {"rms_s", real(quality.rms_s)},
            {"largest_residual_s", real(quality.largest_residual_s)}};
  }

  Read plane_form(CostModel& model, Form form, Plane& plane) {
    return [this, &model, form, &plane](const Node& node) {
      Keys keys = quality_keys(model, form);
      keys.merge(plane_keys(plane));
      section(node, keys);
    };
  }

  void read_split(const Node& node, CostModel& model) {
    static constexpr std::array<std::string_view, 2> sides = {"intra", "inter"};
    Split& split = model.split.emplace();
    Keys keys = quality_keys(model, Form::split);
    keys.merge(Keys{{"by", one_of(split.by, sides)},
                    {"last_below", real(split.last_below)},
                    {"r2_below", real(split.r2_below)},
                    {"r2_above", real(split.r2_above)},
                    {"below", plane_in(split.below)},
                    {"above", plane_in(split.above)}});
    section(node, keys);
  }

  Read line_in(CostLine& line) {
    return [&](const Node& node) {
      section(node, {{"per_message_s", real(line.per_message_s)}, {"once_s", real(line.once_s)}});
    };
  }
  void read_bottleneck(const Node& node, CostModel& model) {
    auto& [intra, in, out, inter] = model.bottleneck;
    Keys keys = quality_keys(model, Form::bottleneck);
    keys.merge(Keys{{"intra", line_in(intra)},
                    {"in", line_in(in)},
                    {"out", line_in(out)},
                    {"inter", line_in(inter)}});
    section(node, keys);
  }

  void read_links(const Node& node, CostModel& model) {
    LinkLine& links = model.links.emplace();
    Keys keys = quality_keys(model, Form::links);
    keys.merge(Keys{{"factor", real(links.factor)}, {"once_s", real(links.once_s)}});
    section(node, keys);
  }

  void read_trial(const Node& node, CostModel& model) {
    Trial& trial = model.trial.emplace();
    section(node, {{"pairs", whole(trial.pairs, 0)},
                   {"right", whole(trial.right, 0)},
                   {"low_ratio", real(trial.low_ratio)},
                   {"high_ratio", real(trial.high_ratio)}});
  }

  void check(const Node& node, const CostModel& model) {
    if (!model.has(model.best))
      wrong(node, fmt::format("best is {0}, but [model.{0}] is missing", name_of(model.best)));
    const auto is_same = [&](const CostModel& other) {
      return other.order == model.order && other.hot_spots == model.hot_spots &&
             other.message_bytes == model.message_bytes;
    };
    if (std::ranges::any_of(file_.models, is_same))
      wrong(node, "has the same order, hot spots and message size as a [[model]] above");
  }

  CostFile file_;
};

}  // namespace

std::string cost_file_text(const CostFile& file, const std::vector<std::string>& comments) {
  std::string text;
  for (const auto& comment : comments) text += "# " + comment + "\n";
  text += fmt::format("format = \"{}\"\n\n[machine]\nplatform = {}\nhash = {}\n", format_name,
                      toml_text(file.platform), toml_text(file.platform_hash));
  for (const auto& model : file.models) text += model_text(model);
  return text;
}

Result<CostFile> read_cost_file(const std::string& text, const std::string& path) {
  return CostFileReader(text, path).read();
}

std::optional<CostFunction> CostFunction::of(const CostFile& file, workloads::PostingOrder order,
                                             int hot_spots, std::optional<Form> form) {
  CostFunction function;
  function.form_ = form;
  for (const auto& model : file.models) {
    if (model.order != order || model.hot_spots != hot_spots) continue;
    if (form && !model.has(*form)) return std::nullopt;
    function.models_.push_back(model);
  }
  if (function.models_.empty()) return std::nullopt;
  std::ranges::sort(function.models_, {}, &CostModel::message_bytes);
  return function;
}

bool CostFunction::needs_links() const {
  return std::ranges::any_of(models_,
                             [&](const CostModel& model) { return form_of(model) == Form::links; });
}

Seconds CostFunction::at(const NodeLoad& load, double message_bytes) const {
  const auto value = [&](const CostModel& model) { return model.at(load, form_of(model)); };
  const auto size = [](const CostModel& model) { return static_cast<double>(model.message_bytes); };
  if (models_.size() == 1) {
    const auto& model = models_.front();
    if (form_of(model) == Form::links) return value(model);
    return value(model) * message_bytes / size(model);
  }
  auto right = std::ranges::upper_bound(models_, message_bytes, {}, size);
  right = std::clamp(right, models_.begin() + 1, models_.end() - 1);
  const auto left = right - 1;
  double part = (message_bytes - size(*left)) / (size(*right) - size(*left));
  // The load of links contains the bytes, so that its factor stays beyond the measured sizes.
  if (form_of(*left) == Form::links || form_of(*right) == Form::links)
    part = std::clamp(part, 0.0, 1.0);
  return std::max(0.0, value(*left) + part * (value(*right) - value(*left)));
}

}  // namespace tutti::studies::fireworks

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/cost_file.hpp"

#include "sim/studies/toml.hpp"

namespace tutti::studies::fireworks {
namespace {

constexpr std::string_view format_name = "tutti-fireworks/1";

// The numbers of a section by their keys, in the order of the file.
using Numbers = std::vector<std::pair<std::string, double*>>;

Numbers numbers_in(Plane& plane) {
  return {{"alpha_s", &plane.alpha_s}, {"beta_s", &plane.beta_s}, {"gamma_s", &plane.gamma_s}};
}
Numbers numbers_in(CostLine& line) {
  return {{"per_message_s", &line.per_message_s}, {"once_s", &line.once_s}};
}
Numbers numbers_in(Split& split) {
  return {{"last_below", &split.last_below},
          {"r2_below", &split.r2_below},
          {"r2_above", &split.r2_above}};
}
Numbers numbers_in(LinkLine& links) {
  return {{"factor", &links.factor}, {"once_s", &links.once_s}};
}
Numbers numbers_in(Quality& quality) {
  return {{"r2", &quality.r2},
          {"r2_all", &quality.r2_all},
          {"rms_s", &quality.rms_s},
          {"largest_residual_s", &quality.largest_residual_s}};
}
Numbers numbers_in(Trial& trial) {
  return {{"low_ratio", &trial.low_ratio}, {"high_ratio", &trial.high_ratio}};
}

Quality& quality_in(CostModel& model, Form form) {
  return model.quality[static_cast<std::size_t>(form)];
}

constexpr std::array<std::string_view, 2> split_sides = {"intra", "inter"};

// ---- writing ----

std::string section_text(std::string_view name) { return fmt::format("[model.{}]\n", name); }

template <class Part>
std::string text_in(Part& part) {
  std::string text;
  for (const auto& [key, number] : numbers_in(part))
    text += fmt::format("{} = {}\n", key, toml_number(*number));
  return text;
}

std::string model_text(CostModel model) {
  const auto quality = [&](Form form) { return text_in(quality_in(model, form)); };
  std::string text = fmt::format(
      "\n[[model]]\norder = {}\nhot_spots = {}\nmessage_bytes = {}\nbest = {}\n",
      toml_text(std::string(workloads::posting_orders[static_cast<std::size_t>(model.order)])),
      model.hot_spots, model.message_bytes, toml_text(std::string(form_name(model.best))));
  text += section_text("linear") + text_in(model.linear) + quality(Form::linear);
  text += section_text("huber") + text_in(model.huber) + quality(Form::huber);
  if (auto& split = model.split) {
    text += section_text("split") +
            fmt::format("by = \"{}\"\n", split_sides[static_cast<std::size_t>(split->by)]) +
            text_in(*split) + quality(Form::split);
    text += section_text("split.below") + text_in(split->below);
    text += section_text("split.above") + text_in(split->above);
  }
  text += section_text("bottleneck") + quality(Form::bottleneck);
  auto& [intra, in, out, inter] = model.bottleneck;
  text += section_text("bottleneck.intra") + text_in(intra);
  text += section_text("bottleneck.in") + text_in(in);
  text += section_text("bottleneck.out") + text_in(out);
  text += section_text("bottleneck.inter") + text_in(inter);
  if (model.links) text += section_text("links") + text_in(*model.links) + quality(Form::links);
  if (auto& trial = model.trial)
    text += section_text("trial") +
            fmt::format("pairs = {}\nright = {}\n", trial->pairs, trial->right) + text_in(*trial);
  return text;
}

// ---- reading ----

class CostFileReader : private TomlKeys {
 public:
  CostFileReader(const std::string& text, const std::string& path) : TomlKeys(text, path) {}

  Result<CostFile> read() {
    const auto root = parse_root(format_name, "costs of `sim fireworks`");
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
    for (const auto& entry : *array) {
      CostModel model;
      section(entry, model_keys(model));
      check(entry, model);
      file_.models.push_back(std::move(model));
    }
  }

  Keys model_keys(CostModel& model) {
    return {{"order", one_of(model.order, workloads::posting_orders)},
            {"hot_spots", whole(model.hot_spots, 1)},
            {"message_bytes", whole(model.message_bytes, 1)},
            {"best", one_of(model.best, form_names)},
            {"linear", numbers(model.linear, quality_in(model, Form::linear))},
            {"huber", numbers(model.huber, quality_in(model, Form::huber))},
            {"?split", [&](const Node& node) { read_split(node, model); }},
            {"bottleneck", [&](const Node& node) { read_bottleneck(node, model); }},
            {"?links", [&](const Node& node) { read_links(node, model); }},
            {"?trial", [&](const Node& node) { read_trial(node, model); }}};
  }

  template <class Enum, class Names>
  Read one_of(Enum& into, const Names& names) {
    return [this, &into, &names](const Node& node) {
      const auto value = node.value_exact<std::string>();
      const auto name = std::ranges::find(names, value.value_or(""));
      if (name == names.end())
        return wrong(node, fmt::format("must be one of {}", fmt::join(names, ", ")));
      into = static_cast<Enum>(name - names.begin());
    };
  }

  // The numbers of the parts, and other keys of their section.
  template <class... Parts>
  Keys keys_with(Keys others, Parts&... parts) {
    const auto add = [&](const Numbers& numbers) {
      for (const auto& [key, number] : numbers) others.emplace(key, real(*number));
    };
    (add(numbers_in(parts)), ...);
    return others;
  }
  template <class... Parts>
  Read numbers(Parts&... parts) {
    return [&](const Node& node) { section(node, keys_with({}, parts...)); };
  }

  void read_split(const Node& node, CostModel& model) {
    Split& split = model.split.emplace();
    section(node, keys_with({{"by", one_of(split.by, split_sides)},
                             {"below", numbers(split.below)},
                             {"above", numbers(split.above)}},
                            split, quality_in(model, Form::split)));
  }

  void read_bottleneck(const Node& node, CostModel& model) {
    auto& [intra, in, out, inter] = model.bottleneck;
    section(node, keys_with({{"intra", numbers(intra)},
                             {"in", numbers(in)},
                             {"out", numbers(out)},
                             {"inter", numbers(inter)}},
                            quality_in(model, Form::bottleneck)));
  }

  void read_links(const Node& node, CostModel& model) {
    section(node, keys_with({}, model.links.emplace(), quality_in(model, Form::links)));
  }

  void read_trial(const Node& node, CostModel& model) {
    Trial& trial = model.trial.emplace();
    section(node,
            keys_with({{"pairs", whole(trial.pairs, 0)}, {"right", whole(trial.right, 0)}}, trial));
  }

  void check(const Node& node, const CostModel& model) {
    if (!model.has(model.best))
      wrong(node, fmt::format("best is {0}, but [model.{0}] is missing", form_name(model.best)));
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

std::optional<CostFunction> CostFunction::make(const CostFile& file, workloads::PostingOrder order,
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
  return std::ranges::any_of(
      models_, [&](const CostModel& model) { return used_form(model) == Form::links; });
}

Seconds CostFunction::at(const NodeLoad& load, double message_bytes) const {
  const auto value = [&](const CostModel& model) { return model.at(load, used_form(model)); };
  const auto size = [](const CostModel& model) { return static_cast<double>(model.message_bytes); };
  if (models_.size() == 1) {
    const auto& model = models_.front();
    if (used_form(model) == Form::links) return value(model);
    return value(model) * message_bytes / size(model);
  }
  auto right = std::ranges::upper_bound(models_, message_bytes, {}, size);
  right = std::clamp(right, models_.begin() + 1, models_.end() - 1);
  const auto left = right - 1;
  double part = (message_bytes - size(*left)) / (size(*right) - size(*left));
  // The load of links contains the bytes, so that its factor stays beyond the measured sizes.
  if (used_form(*left) == Form::links || used_form(*right) == Form::links)
    part = std::clamp(part, 0.0, 1.0);
  return std::max(0.0, value(*left) + part * (value(*right) - value(*left)));
}

}  // namespace tutti::studies::fireworks

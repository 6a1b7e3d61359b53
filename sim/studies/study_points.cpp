// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_points.hpp"

#include "sim/options/shared_options.hpp"
#include "sim/studies/study_table.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {
namespace {

// Combinations that share a machine are consecutive, so that it is read once.
bool changes_machine(const StudyGroup* group) {
  return std::ranges::any_of(*group, [](const StudyAxis& axis) {
    return axis.name == "platform" || axis.name == "background" || is_override(axis.name);
  });
}

std::size_t length(const StudyGroup& group) { return group.front().values.size(); }

Error too_many(const StudyFile& study, double points) {
  const TextSpot spot = study.matrix.empty() ? TextSpot{1, 0} : study.matrix.front().front().spot;
  return error_at(study, spot,
                  fmt::format("the axes make {:.3g} combinations, more than the limit of {}",
                              points, most_study_points),
                  "use fewer values, larger steps (\"1KiB:1MiB:*4\"), or [[zip]]");
}

using options::key_of;
using options::OptionSpec;
using options::OptionValues;

// False for options that a study sets itself or that do not apply to it. A study's results always
// contain the intervals of --confidence if these are known, so studies may set it.
bool is_for_studies(const OptionSpec& spec) {
  if (spec.name() == "--confidence") return true;
  return spec.shapes_result && spec.group != options::shared::output && spec.name() != "--set" &&
         spec.name() != "--force";
}

StudyOption::Kind option_kind(const OptionSpec& spec) {
  if (spec.value.empty()) return StudyOption::Kind::flag;
  if (spec.value == "N") return StudyOption::Kind::count;
  if (spec.value == "NAMES") return StudyOption::Kind::names;
  return spec.value.starts_with("SIZE") ? StudyOption::Kind::bytes : StudyOption::Kind::text;
}

const OptionSpec* find_spec(std::string_view word, std::string_view name) {
  for (const OptionSpec& spec : get_workload(word).options())
    if (is_for_studies(spec) && key_of(spec.name()) == name) return &spec;
  return nullptr;
}

// True if the option of any workload may be set by studies.
bool is_of_studies(std::string_view option) {
  return std::ranges::any_of(all_workloads(), [&](const Workload* workload) {
    return std::ranges::any_of(workload->options(), [&](const OptionSpec& spec) {
      return is_for_studies(spec) && spec.name() == option;
    });
  });
}

const StudySetting* find_setting(const StudySettings& settings, std::string_view name) {
  const auto setting = std::ranges::find(settings, name, &StudySetting::name);
  return setting == settings.end() ? nullptr : &*setting;
}

std::vector<Cell> cells_in(const Row& row, std::string_view column) {
  Cell cell = cell_in(row, column);
  return cell.index() == 0 ? std::vector<Cell>{} : std::vector{std::move(cell)};
}

// The requested value, if the study contains it; for algorithms the requested name, so that "all"
// counts as the individual names.
std::vector<Cell> requested_cells(const SweptPoint& swept, const std::string& name) {
  if (name == "algorithm") return cells_in(swept.point.parameters, "requested_algorithm");
  if (const auto* setting = find_setting(swept.settings, name))
    return {cell_of_text(setting->value->text)};
  return cells_of(swept, name);
}

// True for a segment size or fan-out of a combination whose algorithm is chosen by rules, if the
// study also has other algorithms: as in a list of `sim run`, it applies to those only.
bool is_for_other_algorithms(const StudySetting& setting, const StudySettings& settings) {
  if (setting.name() != "segment_size" && setting.name() != "fanout" && setting.name() != "radix")
    return false;
  const auto* algorithm = find_setting(settings, "algorithm");
  return algorithm != nullptr && is_by_rules(algorithm->value->text) &&
         !std::ranges::all_of(algorithm->axis->values, is_by_rules, &StudyValue::text);
}

}  // namespace

Result<StudyMatrix> StudyMatrix::of(const StudyFile& study) {
  StudyMatrix matrix(study);
  if (!study.matrix.empty() || study.includes.empty()) {
    Block& block = matrix.blocks_.emplace_back();
    for (const StudyGroup& group : study.matrix) block.groups.push_back(&group);
    std::stable_partition(block.groups.begin(), block.groups.end(), changes_machine);
  }
  for (const StudyGroup& include : study.includes) {
    Block& block = matrix.blocks_.emplace_back();
    for (const StudyAxis& axis : include) block.singles.push_back({axis});
  }
  double points = 0;
  for (Block& block : matrix.blocks_) {
    // From here on the blocks do not move, so pointers to their members stay valid.
    for (const StudyGroup& single : block.singles) block.groups.push_back(&single);
    double product = 1;
    for (const StudyGroup* group : block.groups) product *= static_cast<double>(length(*group));
    points += product;
    if (points > static_cast<double>(most_study_points)) return too_many(study, points);
    block.size = static_cast<std::size_t>(product);
    matrix.size_ += block.size;
  }
  return matrix;
}

StudySettings StudyMatrix::at(std::size_t index) const {
  for (const Block& block : blocks_) {
    if (index < block.size) return at(block, index);
    index -= block.size;
  }
  TUTTI_CHECK(false, "index of a combination out of range");
  return {};
}

StudySettings StudyMatrix::at(const Block& block, std::size_t index) const {
  StudySettings settings;
  for (auto group = block.groups.rbegin(); group != block.groups.rend(); ++group) {
    for (const StudyAxis& axis : **group)
      settings.push_back({&axis, &axis.values[index % length(**group)]});
    index /= length(**group);
  }
  const auto is_set = [&](const StudyAxis& axis) {
    return std::ranges::any_of(settings,
                               [&](const auto& setting) { return setting.name() == axis.name; });
  };
  for (const StudyAxis& axis : study_->base)
    if (!is_set(axis)) settings.push_back({&axis, &axis.values.front()});
  return settings;
}

std::vector<StudyOption> study_options() {
  std::map<std::string, StudyOption> options;
  for (const auto* workload : all_workloads())
    for (const OptionSpec& spec : workload->options()) {
      if (!is_for_studies(spec)) continue;
      const std::string named = key_of(spec.name());
      for (const auto& name : spec.all_names())
        if (name.starts_with("--"))
          options.try_emplace(key_of(name),
                              StudyOption{key_of(name), named, option_kind(spec), spec.summary()});
    }
  std::vector<StudyOption> all{
      {std::string(workload_key), std::string(workload_key), StudyOption::Kind::text}};
  for (auto& [key, option] : options) all.push_back(std::move(option));
  return all;
}

bool has_study_option(std::string_view workload, std::string_view name) {
  return is_override(name) || find_spec(workload, name) != nullptr;
}

std::vector<Cell> cells_of(const SweptPoint& swept, const std::string& name) {
  std::vector<Cell> cells;
  for (const std::string& column : columns_named(name))
    for (Cell& cell : cells_in(swept.point.parameters, column)) cells.push_back(std::move(cell));
  if (const auto* setting = find_setting(swept.settings, name))
    cells.push_back(cell_of_text(setting->value->text));
  return cells;
}

StudyPoints::StudyPoints(const StudyFile& study, PointInputs inputs)
    : study_(study), inputs_(std::move(inputs)) {
  for (const StudyGroup& group : study.excludes) {
    auto& axes = excludes_.emplace_back();
    for (const StudyAxis& axis : group) {
      axes.push_back({axis.name, {}});
      for (const auto& value : axis.values) axes.back().values.push_back(cell_of_text(value.text));
    }
  }
}

// The varying options that are not part of a point's name: ", engine flow".
std::string StudyPoints::also_varies(const StudySettings& settings) {
  static const std::set<std::string, std::less<>> named{
      "workload",      "collective", "algorithm", "message_size",   "segment_size", "fanout",
      "procs",         "ppn",        "root",      "implementation", "aggregators",  "buffer_size",
      "decomposition", "pattern",    "path",      "window"};
  std::string text;
  for (const auto& setting : settings)
    if (setting.axis->values.size() > 1 && !named.contains(setting.name()))
      text += fmt::format(", {} {}", setting.name(), setting.value->text);
  return text;
}

Result<std::vector<SweptPoint>> StudyPoints::of(const StudySettings& settings) {
  if (is_excluded(settings)) return std::vector<SweptPoint>{};
  const auto values = TUTTI_TRY(option_values(settings));
  auto points = get_workload(values.arguments.front()).points(values, inputs_);
  if (!points) return values.placed(points.errors());
  if (points->skipped.count > 0) {
    skipped_.add(values.placed(points->skipped.reasons));
    skipped_.count += points->skipped.count - 1;
  }
  std::vector<SweptPoint> swept;
  for (auto& point : points->points) {
    SweptPoint swept_point{std::move(point), settings};
    swept_point.point.name += also_varies(settings);
    if (!is_excluded(swept_point)) swept.push_back(std::move(swept_point));
  }
  return swept;
}

Result<OptionValues> StudyPoints::option_values(const StudySettings& settings) const {
  OptionValues values;
  std::vector<Error> errors;
  const auto* workload = find_setting(settings, workload_key);
  if (workload == nullptr)
    return error_at(study_, settings.empty() ? TextSpot{1, 0} : settings.front().spot(),
                    "missing workload",
                    "for example workload = \"bcast\" in [base], the word after `sim run`");
  values.arguments = {workload->value->text};
  values.missing = workload->spot();
  values.may_have = is_of_studies;
  values.error_at = [this](TextSpot spot, std::string message, std::string hint) {
    return studies::error_at(study_, spot, std::move(message), std::move(hint));
  };
  for (const auto& setting : settings) {
    if (&setting == workload || is_for_other_algorithms(setting, settings)) continue;
    const std::string name(setting.name());
    const std::string& text = setting.value->text;
    const OptionValues::Spots spots{setting.axis->spot, setting.spot()};
    if (is_override(name)) {
      const auto bytes = parse_bytes(text);  // "4KiB" is 4096
      values.add("--set", name + '=' + (bytes ? std::to_string(*bytes) : text), spots);
      continue;
    }
    const OptionSpec* spec = find_spec(workload->value->text, name);
    if (spec == nullptr)
      errors.push_back(studies::error_at(
          study_, setting.axis->spot,
          fmt::format("{} has no option {}", in_quotes(workload->value->text), in_quotes(name)),
          "remove it, or give each workload an [[include]] of its own"));
    else if (!spec->value.empty() || text == "true")
      values.add(spec->name(), text, spots);
  }
  if (!errors.empty()) return errors;
  return values;
}

// `cells_of(name)` returns a point's values of a name; it is called once for each name.
template <class CellsOf>
bool StudyPoints::is_excluded_by(const CellsOf& cells_of) const {
  std::map<std::string_view, std::vector<Cell>> known;
  const auto matches = [&](const ExcludedAxis& axis) {
    const auto [cells, is_new] = known.try_emplace(axis.name);
    if (is_new) cells->second = cells_of(std::string(axis.name));
    return std::ranges::any_of(axis.values, [&](const Cell& wanted) {
      return std::ranges::any_of(cells->second,
                                 [&](const Cell& cell) { return same_cell(cell, wanted); });
    });
  };
  return std::ranges::any_of(
      excludes_, [&](const auto& group) { return std::ranges::all_of(group, matches); });
}

// A combination whose values are all excluded is skipped without being resolved, so it may be
// invalid.
bool StudyPoints::is_excluded(const StudySettings& settings) const {
  return is_excluded_by([&](const std::string& name) {
    const auto* setting = find_setting(settings, name);
    return setting == nullptr ? std::vector<Cell>{}
                              : std::vector{cell_of_text(setting->value->text)};
  });
}

// A point is excluded if each option of an [[exclude]] has one of its values; "binomial" does not
// match "auto" that chose it.
bool StudyPoints::is_excluded(const SweptPoint& swept) const {
  return is_excluded_by([&](const std::string& name) { return requested_cells(swept, name); });
}

}  // namespace tutti::studies

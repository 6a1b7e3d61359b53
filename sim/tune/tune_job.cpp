// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/tune_job.hpp"

#include "io_models/hints.hpp"
#include "sim/base/text_file.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/replay/replay_workload.hpp"

namespace tutti::studies::tuning {
namespace {

constexpr std::string_view procs_option = "procs";
constexpr std::string_view size_option = "message_size";
constexpr std::string_view hints_option = "hints";

const StudyAxis* axis_in(const StudyGroup& group, std::string_view name) {
  const auto axis = std::ranges::find(group, name, &StudyAxis::name);
  return axis == group.end() ? nullptr : &*axis;
}

std::vector<StudySettings> expand_products(const TuneObjective& objective) {
  std::vector<StudySettings> all{{}};
  for (const auto& group : objective.product) {
    std::vector<StudySettings> longer;
    for (const auto& settings : all)
      for (const auto& value : group.front().values) {
        longer.push_back(settings);
        longer.back().push_back({&group.front(), &value});
      }
    all = std::move(longer);
  }
  return all;
}

// Replaces the setting of the same name, or appends.
void put(StudySettings& settings, const StudySetting& setting) {
  const auto same = std::ranges::find(settings, setting.name(), &StudySetting::name);
  if (same != settings.end())
    *same = setting;
  else
    settings.push_back(setting);
}

std::string size_text(const std::string& text) {
  const auto bytes = parse_bytes(text);
  return bytes ? format_bytes(*bytes) : text;
}

// Size of one of several points that an unset option makes.
std::string size_suffix(const StudyPoint& point) {
  const auto bytes = number_of(cell_in(point.parameters, "message_bytes"));
  return bytes ? ", " + format_bytes(static_cast<Bytes>(*bytes)) : "";
}

// Name of a point: its size, and the other varied options.
std::string tune_point_name(std::string name, const StudyAxis* size, const StudySettings& product) {
  if (size != nullptr) name += ", " + size_text(size->values.front().text);
  for (const auto& setting : product)
    name += setting.name() == size_option
                ? ", " + size_text(setting.value->text)
                : fmt::format(", {} {}", setting.name(), setting.value->text);
  return name;
}

bool is_in_a_condition(const TuneFile& file, const TuneParameter& parameter) {
  return std::ranges::any_of(file.parameters, [&](const TuneParameter& dependent) {
    return dependent.when && (dependent.when->names.contains(parameter.full) ||
                              dependent.when->names.contains(parameter.given));
  });
}

}  // namespace

TuneJob::TuneJob(const TuneFile& file, const TuneObjective& objective)
    : file_(&file),
      objective_(&objective),
      study_(std::make_unique<StudyFile>()),
      points_(std::make_unique<StudyPoints>(*study_, file.inputs)),
      products_(expand_products(objective)) {
  study_->path = file.sources.front().path;
  study_->text = file.sources.front().text;
  study_->others = {file.sources.begin() + 1, file.sources.end()};
  for (const auto& parameter : file.parameters)
    has_.push_back(
        parameter.is_simulated() &&
        (chooses_algorithm(parameter) ||
         (has_workload(parameter.workload) && has_study_option(workload(), parameter.axis.name))));
  for (std::size_t i = 0; i < has_.size(); ++i)
    depends_on_.push_back(has_[i] || !file.aggregates.empty() ||
                          is_in_a_condition(file, file.parameters[i]));
}

// A trace has calls of many collectives: "bcast/algorithm" is part of its selection.
bool TuneJob::chooses_algorithm(const TuneParameter& parameter) const {
  return workload() == replay_word && !parameter.workload.empty() &&
         parameter.axis.name == "algorithm";
}

bool TuneJob::has_workload(const std::string& name) const {
  return name.empty() || name == workload();
}

const StudyAxis* TuneJob::find(std::string_view name) const {
  const auto* own = axis_in(objective_->base, name);
  return own != nullptr ? own : axis_in(file_->job, name);
}

const std::string& TuneJob::workload() const { return find(workload_key)->values.front().text; }

const std::string& TuneJob::objective_name() const {
  return objective_->name.empty() ? workload() : objective_->name;
}

std::string TuneJob::name() const {
  const auto* size = find(size_option);
  if (!objective_->name.empty() || (size == nullptr && objective_->product.empty()))
    return objective_name();
  const auto first = tune_point_name(workload(), size, products_.front());
  return products_.size() == 1
             ? first
             : fmt::format(
                   "{} to {}", first,
                   tune_point_name("", nullptr, products_.back()).substr(std::size(", ") - 1));
}

std::optional<std::int64_t> TuneJob::procs() const {
  const auto* axis = find(procs_option);
  if (axis == nullptr || !has_study_option(workload(), procs_option)) return std::nullopt;
  const auto procs = parse_integer(axis->values.front().text);
  return procs ? std::optional(*procs) : std::nullopt;
}

// Values of OTPO's aggregates.
std::vector<StudyAxis> TuneJob::aggregates(const Combination& combination) const {
  std::vector<StudyAxis> axes;
  for (const auto& aggregate : file_->aggregates)
    if (!aggregate.option.empty() && has_workload(aggregate.workload) &&
        has_study_option(workload(), aggregate.option))
      axes.push_back(
          {.name = aggregate.option,
           .spot = aggregate.spot,
           .values = {{aggregate_text(*file_, aggregate, combination), aggregate.spot}}});
  return axes;
}

// The tuned hints, and the study's other hints.
Result<std::optional<StudyAxis>> TuneJob::hints(const Combination& combination) const {
  std::vector<io_models::Hint> hints;
  std::optional<TextSpot> spot;
  for (std::size_t i = 0; i < has_.size(); ++i) {
    const auto& parameter = file_->parameters[i];
    if (!has_[i] || !parameter.is_hint) continue;
    const auto& value = parameter.axis.values[combination[i]];
    spot = value.spot;
    if (value.text != unset_hint && applies(*file_, i, combination))
      hints.push_back({parameter.given, value.text, ""});
  }
  if (!spot) return std::optional<StudyAxis>();
  const std::size_t tuned = hints.size();
  if (const auto* own = find(hints_option))
    for (auto& hint : TUTTI_TRY(io_models::read_hints(own->values.front().text, "--hints")))
      if (std::none_of(hints.begin(), hints.begin() + static_cast<std::ptrdiff_t>(tuned),
                       [&](const auto& tuned_hint) { return tuned_hint.name == hint.name; }))
        hints.push_back(hint);
  const std::string text = io_models::hint_list(hints);
  if (text.empty()) return std::optional<StudyAxis>();
  return std::optional(
      StudyAxis{.name = std::string(hints_option), .spot = *spot, .values = {{text, *spot}}});
}

// The selection of a trace's algorithms, if some of them are tuned.
std::optional<StudyAxis> TuneJob::selection(const Combination& combination) const {
  const auto* own = find("selection");
  std::string text = own == nullptr ? "auto" : own->values.front().text;
  std::optional<TextSpot> spot;
  for (std::size_t i = 0; i < has_.size(); ++i) {
    const auto& parameter = file_->parameters[i];
    if (!has_[i] || !chooses_algorithm(parameter)) continue;
    const auto& value = parameter.axis.values[combination[i]];
    spot = value.spot;
    if (value.text == own_choice || !applies(*file_, i, combination)) continue;
    text += fmt::format(",{}={}", parameter.workload, value.text);
  }
  if (!spot) return std::nullopt;
  return StudyAxis{.name = "selection", .spot = *spot, .values = {{text, *spot}}};
}

StudySettings TuneJob::make_settings(const Combination& combination, const StudyAxis* procs,
                                     Chooser chooser) const {
  StudySettings settings;
  for (const auto& axis : file_->job)
    if (axis.name == workload_key || has_study_option(workload(), axis.name))
      settings.push_back({&axis, &axis.values.front()});
  for (const auto& axis : objective_->base) put(settings, {&axis, &axis.values.front()});
  if (procs != nullptr) put(settings, {procs, &procs->values.front()});
  // The library also chooses segments, fan-outs and limits.
  if (chooser == Chooser::library)
    std::erase_if(settings, [](const StudySetting& setting) {
      return parameter_category(setting.name()) == Category::collective;
    });
  for (std::size_t i = 0; i < has_.size(); ++i) {
    const auto& axis = file_->parameters[i].axis;
    if (chooser == Chooser::library && file_->parameters[i].is_choice()) continue;
    if (has_[i] && !file_->parameters[i].is_hint && !chooses_algorithm(file_->parameters[i]) &&
        applies(*file_, i, combination))
      put(settings, {&axis, &axis.values[combination[i]]});
  }
  return settings;
}

Result<std::vector<TunePoint>> TuneJob::points(const Combination& combination,
                                               const std::optional<StudyAxis>& procs,
                                               Chooser chooser) {
  const auto aggregated = aggregates(combination);
  auto common = make_settings(combination, procs ? &*procs : nullptr, chooser);
  for (const auto& axis : aggregated) put(common, {&axis, &axis.values.front()});
  const auto hinted = TUTTI_TRY(hints(combination));
  if (hinted) put(common, {&*hinted, &hinted->values.front()});
  const auto chosen = selection(combination);
  if (chosen) put(common, {&*chosen, &chosen->values.front()});
  std::vector<TunePoint> all;
  for (const auto& product : products_) {
    StudySettings settings = common;
    for (const auto& setting : product) put(settings, setting);
    auto swept = TUTTI_TRY(points_->of(settings));
    if (const auto skipped = points_->take_skipped(); skipped.count > 0) return skipped.reasons;
    for (auto& point : swept) {
      auto name = tune_point_name(objective_name(), find(size_option), product);
      if (swept.size() > 1) name += size_suffix(point.point);
      all.push_back({std::move(point.point), std::move(name)});
    }
  }
  return all;
}

}  // namespace tutti::studies::tuning

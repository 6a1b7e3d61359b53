// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/our_parameters.hpp"
#include "sim/tune/tune_run.hpp"

namespace tutti::studies::tuning {
namespace {

using store::NamedText;

// The value that all points share; points without the column do not count.
std::optional<Cell> common(const std::vector<TunedPoint>& points, std::string_view column) {
  std::optional<Cell> value;
  for (const auto& point : points) {
    const Cell cell = cell_in(point.parameters, column);
    if (cell.index() == 0) continue;
    if (value && to_text(*value) != to_text(cell)) return std::nullopt;
    value = cell;
  }
  return value;
}

bool is_in_all(const std::vector<TunedPoint>& points, std::string_view column) {
  return std::ranges::all_of(points, [&](const TunedPoint& point) {
    return cell_in(point.parameters, column).index() != 0;
  });
}

std::optional<std::int64_t> common_number(const std::vector<TunedPoint>& points,
                                          std::string_view column) {
  const auto cell = common(points, column);
  const auto number = cell ? number_of(*cell) : std::nullopt;
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

store::Characteristics common_use(const TuneFile& file, const std::vector<TunedPoint>& points) {
  // A ping-pong together with one collective is a different use than that collective alone.
  const auto collective =
      is_in_all(points, "collective") ? common(points, "collective") : std::nullopt;
  return {.collective = collective ? to_text(*collective) : std::string(),
          .procs = common_number(points, "procs"),
          .nodes = common_number(points, "nodes"),
          .message_bytes = common_number(points, "message_bytes"),
          .problem_size = file.problem_size};
}

// The collectives among the points, each once.
std::vector<std::string> find_collectives(const std::vector<TunedPoint>& points) {
  std::vector<std::string> names;
  for (const auto& point : points) {
    const auto name = to_text(cell_in(point.parameters, "collective"));
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

// An option of all collectives is a parameter of each of them.
void add(const std::string& name, const std::string& value,
         const std::vector<std::string>& collectives, std::vector<NamedText>& into) {
  if (full_name(name, "bcast") == name) return into.push_back({name, value});
  for (const auto& collective : collectives) into.push_back({full_name(name, collective), value});
}

// True at the default, if no other value has another time: users need not set it.
bool is_omitted(const TuneFindings& findings, std::size_t parameter) {
  const auto& values = findings.space.parameters()[parameter];
  return findings.best()->combination[parameter] == values.default_value &&
         values.values.size() > 1 && findings.sensitivities[parameter].is_without_effect();
}

std::vector<NamedText> best_parameters(const TuneFile& file, const TuneFindings& findings,
                                       const std::vector<TunedPoint>& points) {
  const Combination best = findings.is_by_size.empty()
                               ? findings.best()->combination
                               : with_default_choices(file, findings.best()->combination);
  const auto collectives = find_collectives(points);
  std::vector<NamedText> all;
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    const auto& parameter = file.parameters[i];
    if (parameter.is_hint || (!findings.is_by_size.empty() && findings.is_by_size[i])) continue;
    if (parameter.is_simulated() && !parameter.is_left && applies(file, i, best) &&
        !is_omitted(findings, i))
      add(parameter.full, parameter.axis.values[best[i]].text, collectives, all);
  }
  for (const auto& aggregate : file.aggregates)
    add(aggregate.full, aggregate_text(file, aggregate, best), collectives, all);
  std::erase_if(
      all, [](const NamedText& parameter) { return check_kept_parameter(parameter).has_value(); });
  return all;
}

}  // namespace

std::vector<std::string> omitted_parameters(const TuneFile& file, const TuneFindings& findings) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < file.parameters.size(); ++i)
    if (file.parameters[i].is_simulated() && is_omitted(findings, i))
      names.push_back(file.parameters[i].given);
  return names;
}

store::ParameterSet tuned_set(const TuneFile& file, const TuneFindings& findings,
                              const std::vector<TunedPoint>& points) {
  const auto& search = *findings.best_search();
  store::ParameterSet set;
  if (const auto platform = common(points, "platform"))
    set.key.host = std::filesystem::path(to_text(*platform)).stem();
  set.key.application = file.application.empty() ? file.name : file.application;
  set.category = file.category;
  set.key.use = common_use(file, points);
  set.parameters = best_parameters(file, findings, points);
  set.metric = "time_s";
  set.metric_value = search.best->value;
  set.about = {{"found_by", "sim tune, by simulation"},
               {"study", file.name},
               {"search", std::string(method_name(search.method))},
               {"evaluations", fmt::format("{}", search.evaluations)},
               {"combinations", fmt::format("{}", findings.space.size())},
               {"seed", fmt::format("{}", file.search.seed)}};
  if (findings.default_value)
    set.about.push_back({"default_time_s", fmt::format("{}", *findings.default_value)});
  return set;
}

}  // namespace tutti::studies::tuning

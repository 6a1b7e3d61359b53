// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/study_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/quote.hpp"
#include "sim/commands/io_options.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/commands/pair_options.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/commands/run_options.hpp"
#include "sim/studies/study_values.hpp"

namespace tutti::commands {
namespace {

using studies::StudyOption;
using studies::StudySettings;
using studies::StudySpot;

constexpr std::size_t most_kept_machines = 8;

bool is_override(std::string_view name) { return name.find('/') != name.npos; }

bool is_io(std::string_view workload) { return workload == "write" || workload == "read"; }
bool is_ping_pong(std::string_view workload) { return workload == "pingpong"; }

// Of what follows `sim run`, and of replay, which does not.
std::span<const OptionSpec> specs_of(std::string_view workload) {
  return workload == replay_workload ? replay_point_specs() : specs_of_workload(workload);
}

// "--message-size": message_size.
std::string key_of(std::string_view option) {
  std::string key(option.substr(option.find_first_not_of('-')));
  std::ranges::replace(key, '-', '_');
  return key;
}

// Not what a study sets by itself, or has no use for. A study's results always have the intervals
// of --confidence, where these are known: it asks for them.
bool is_for_studies(const OptionSpec& spec) {
  if (spec.name() == "--confidence") return true;
  return spec.shapes_result && spec.group != job_option::output && spec.name() != "--set" &&
         spec.name() != "--force";
}

StudyOption::Kind kind_of(const OptionSpec& spec) {
  if (spec.value.empty()) return StudyOption::Kind::flag;
  if (spec.value == "N") return StudyOption::Kind::count;
  if (spec.value == "NAMES") return StudyOption::Kind::names;
  return spec.value.starts_with("SIZE") ? StudyOption::Kind::bytes : StudyOption::Kind::text;
}

const OptionSpec* find_spec(std::string_view workload, std::string_view name) {
  for (const OptionSpec& spec : specs_of(workload))
    if (is_for_studies(spec) && key_of(spec.name()) == name) return &spec;
  return nullptr;
}

bool find_option(std::string_view name) {
  const auto has = [&](std::string_view workload) { return find_spec(workload, name) != nullptr; };
  return has("write") || has("bcast") || has("pingpong") || has(replay_workload) ||
         name == "options";
}

const studies::StudySetting* find_setting(const StudySettings& settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, &studies::StudySetting::name);
  return found == settings.end() ? nullptr : &*found;
}

// The option alone, in place of a list.
void set_value(Parsed& parsed, std::string_view option, std::string value) {
  parsed.options[option] = {std::move(value)};
}

std::vector<Cell> cells_in(const Row& row, std::string_view column) {
  Cell cell = cell_in(row, column);
  return cell.index() == 0 ? std::vector<Cell>{} : std::vector{std::move(cell)};
}

// What was asked for, where the study says it; "all" stands for the algorithms by their names.
std::vector<Cell> asked_cells(const SweptPoint& swept, const std::string& name) {
  if (name == "algorithm") return cells_in(swept.point.parameters, "requested_algorithm");
  if (const auto* setting = find_setting(swept.settings, name))
    return {studies::cell_of_text(setting->value->text)};
  return cells_of(swept, name);
}

bool is_by_rules(const studies::StudyValue& algorithm) {
  return workloads::is_automatic(algorithm.text) && algorithm.text != workloads::best_name;
}

// A segment or fan-out of a combination whose algorithm rules choose, where the study has other
// algorithms, too: as in a list of `sim run`, it is for those.
bool is_for_other_algorithms(const studies::StudySetting& setting, const StudySettings& settings) {
  if (setting.name() != "segment_size" && setting.name() != "fanout" && setting.name() != "radix")
    return false;
  const auto* algorithm = find_setting(settings, "algorithm");
  return algorithm != nullptr && is_by_rules(*algorithm->value) &&
         !std::ranges::all_of(algorithm->axis->values, is_by_rules);
}

// Contests: the points of one number are one.
std::vector<std::vector<studies::Point>> grouped(std::vector<studies::Point> points) {
  std::vector<std::vector<studies::Point>> groups;
  for (studies::Point& point : points)
    if (point.contest > 0 && !groups.empty() && groups.back().front().contest == point.contest)
      groups.back().push_back(std::move(point));
    else
      groups.push_back({std::move(point)});
  return groups;
}

studies::PointOrigin origin_of(const JobRequest& request,
                               std::shared_ptr<const platforms::Machine> machine) {
  studies::PointOrigin origin{
      .platform = request.platform, .overrides = {}, .command = {}, .machine = std::move(machine)};
  for (const auto& [key, value] : request.overrides) origin.overrides.emplace_back(key, value);
  return origin;
}

std::string command_of(const Parsed& parsed) {
  const std::string& workload = parsed.arguments.front();
  return fmt::format("sim run {}{}", workload,
                     reproducing_options(specs_of_workload(workload), parsed));
}

// What simulates this point alone: of options that stand for several, the one that it has.
std::string command_of(Parsed parsed, const studies::Point& point) {
  const auto& args = point.call.args;
  set_value(parsed, "--algorithm", point.requested_algorithm);
  const bool has_file = parsed.has("--counts") && parsed.value("--counts").starts_with("file:");
  if (algorithms::find_collective(point.call.algorithm->collective)->has_message && !has_file)
    set_value(parsed, "--message-size", fmt::format("{}", args.message_bytes));
  return command_of(parsed);
}

std::string command_of(Parsed parsed, const studies::IoPoint& point) {
  set_value(parsed, "--implementation", std::string(point.plan.implementation->name));
  set_value(parsed, "--decomposition", point.decomposition);
  return command_of(parsed);
}

std::string command_of(Parsed parsed, const studies::PingPongPoint& point) {
  parsed.options.erase("--perturbation");
  set_value(parsed, "--message-size", fmt::format("{}", point.measured.message_bytes));
  set_value(parsed, "--pattern", std::string(workloads::pattern_name(point.measured.pattern)));
  if (!parsed.has("--between"))
    set_value(parsed, "--path", std::string(studies::path_name(point.job.nodes)));
  if (point.measured.pattern != workloads::PingPongPattern::stream)
    parsed.options.erase("--window");
  else if (parsed.has("--window"))
    set_value(parsed, "--window", fmt::format("{}", point.measured.window));
  return command_of(parsed);
}

}  // namespace

std::vector<StudyOption> study_options() {
  std::map<std::string, StudyOption> options;
  for (const auto& specs : {run_specs(), io_specs(), ping_pong_specs(), replay_point_specs()})
    for (const OptionSpec& spec : specs) {
      if (!is_for_studies(spec)) continue;
      const std::string named = key_of(spec.name());
      for (const auto& each : names_of(spec))
        if (each.starts_with("--"))
          options.try_emplace(key_of(each), StudyOption{key_of(each), named, kind_of(spec)});
    }
  std::vector<StudyOption> all{{std::string(studies::workload_key),
                                std::string(studies::workload_key), StudyOption::Kind::text}};
  for (auto& [key, option] : options) all.push_back(std::move(option));
  return all;
}

bool has_study_option(std::string_view workload, std::string_view name) {
  return is_override(name) || find_spec(workload, name) != nullptr;
}

std::vector<Cell> cells_of(const SweptPoint& swept, const std::string& name) {
  std::vector<Cell> cells;
  for (const std::string& column : studies::columns_named(name))
    for (Cell& cell : cells_in(swept.point.parameters, column)) cells.push_back(std::move(cell));
  if (const auto* setting = find_setting(swept.settings, name))
    cells.push_back(studies::cell_of_text(setting->value->text));
  return cells;
}

StudyPoints::StudyPoints(const studies::StudyFile& study) : study_(study) {
  for (const studies::StudyGroup& group : study.excludes) {
    auto& axes = excludes_.emplace_back();
    for (const studies::StudyAxis& axis : group) {
      axes.push_back({axis.name, {}});
      for (const auto& value : axis.values)
        axes.back().values.push_back(studies::cell_of_text(value.text));
    }
  }
}

// Of what varies in the study, that which names of points do not say: ", engine flow".
std::string StudyPoints::also_varies(const StudySettings& settings) {
  static const std::set<std::string, std::less<>> said{
      "workload",      "collective", "algorithm", "message_size",   "segment_size", "fanout",
      "procs",         "ppn",        "root",      "implementation", "aggregators",  "buffer_size",
      "decomposition", "pattern",    "path",      "window"};
  std::string text;
  for (const auto& setting : settings)
    if (setting.axis->values.size() > 1 && !said.contains(setting.name()))
      text += fmt::format(", {} {}", setting.name(), setting.value->text);
  return text;
}

Result<std::vector<SweptPoint>> StudyPoints::of(const StudySettings& settings) {
  if (is_excluded(settings)) return std::vector<SweptPoint>{};
  auto words = TUTTI_TRY(parsed(settings));
  impossible_ = {};
  auto points = points_of(words);
  if (!points) return placed(points.errors(), settings);
  if (impossible_.count > 0) {
    skipped_.add(placed(impossible_.reasons, settings));
    skipped_.count += impossible_.count - 1;
  }
  std::vector<SweptPoint> swept;
  for (auto& point : *points) {
    SweptPoint each{std::move(point), settings};
    each.point.name += also_varies(settings);
    if (!is_excluded(each)) swept.push_back(std::move(each));
  }
  return swept;
}

Result<std::vector<studies::StudyPoint>> StudyPoints::points_of(const Parsed& parsed) {
  const std::string& workload = parsed.arguments.front();
  if (workload == "loggp")
    return usage_error("", "loggp measures a set of parameters, which is no point of a study",
                       "`sim run loggp`, or workload = \"pingpong\"");
  if (workload == replay_workload) return replay_points(parsed);
  if (is_io(workload)) return io_points(parsed);
  return is_ping_pong(workload) ? ping_pong_points(parsed) : collective_points(parsed);
}

// What a command line with these options would be parsed to.
Result<Parsed> StudyPoints::parsed(const StudySettings& settings) const {
  Parsed parsed;
  std::vector<Error> errors;
  const auto* workload = find_setting(settings, studies::workload_key);
  if (workload == nullptr)
    return error_at(study_, settings.empty() ? StudySpot{1, 0} : settings.front().spot(),
                    "no workload: what is simulated?",
                    "[base] workload = \"bcast\", the word after `sim run`");
  parsed.arguments = {workload->value->text};
  for (const auto& setting : settings) {
    if (&setting == workload || is_for_other_algorithms(setting, settings)) continue;
    const std::string name(setting.name());
    const std::string& text = setting.value->text;
    if (is_override(name)) {
      const auto bytes = parse_bytes(text);  // "4KiB" is 4096
      parsed.options["--set"].push_back(name + '=' + (bytes ? std::to_string(*bytes) : text));
      continue;
    }
    const OptionSpec* spec = find_spec(workload->value->text, name);
    if (spec == nullptr)
      errors.push_back(error_at(
          study_, setting.axis->spot,
          fmt::format("{} has no option {}", in_quotes(workload->value->text), in_quotes(name)),
          "leave it out, or give each workload an [[include]] of its own"));
    else if (!spec->value.empty() || text == "true")
      parsed.options[spec->name()] = {text};
  }
  if (!errors.empty()) return errors;
  return parsed;
}

Result<StudyPoints::Machine> StudyPoints::machine_of(
    const std::string& platform, const std::vector<platforms::Override>& overrides) {
  const auto same = [](const auto& a, const auto& b) {
    return a.key == b.key && a.value == b.value;
  };
  for (auto each = machines_.begin(); each != machines_.end(); ++each)
    if (each->name == platform && std::ranges::equal(each->overrides, overrides, same)) {
      machines_.splice(machines_.begin(), machines_, each);
      return machines_.front().machine;
    }
  auto machine = TUTTI_TRY(platforms::load_machine(platform, overrides));
  machines_.push_front(
      {platform, overrides, std::make_shared<const platforms::Machine>(std::move(machine))});
  if (machines_.size() > most_kept_machines) machines_.pop_back();
  return machines_.front().machine;
}

Result<std::vector<studies::StudyPoint>> StudyPoints::collective_points(const Parsed& parsed) {
  const auto request = TUTTI_TRY(read_run(parsed));
  const auto machine = TUTTI_TRY(machine_of(request.platform, request.overrides));
  if (auto error = no_accuracy(request, *machine)) return *std::move(error);
  auto points = TUTTI_TRY(studies::points_of(request.sweep, *machine));
  impossible_ = points.skipped;
  std::vector<studies::StudyPoint> all;
  studies::PointOrigin origin = origin_of(request, machine);
  for (const auto& rivals : grouped(std::move(points.all))) {
    origin.command = command_of(parsed, rivals.front());
    auto point = TUTTI_TRY(studies::study_point(rivals, origin, name_of(rivals)));
    all.push_back(std::move(point));
  }
  return all;
}

Result<std::vector<studies::StudyPoint>> StudyPoints::io_points(const Parsed& parsed) {
  const auto request = TUTTI_TRY(read_io(parsed));
  const auto machine = TUTTI_TRY(machine_of(request.platform, request.overrides));
  const auto points = TUTTI_TRY(studies::io_points_of(request.sweep, *machine));
  impossible_ = points.skipped;
  std::vector<studies::StudyPoint> all;
  studies::PointOrigin origin = origin_of(request, machine);
  for (const studies::IoPoint& each : points.all) {
    origin.command = command_of(parsed, each);
    auto point = TUTTI_TRY(studies::study_point(each, origin, name_of(each)));
    all.push_back(std::move(point));
  }
  return all;
}

Result<std::vector<studies::StudyPoint>> StudyPoints::ping_pong_points(const Parsed& parsed) {
  const auto request = TUTTI_TRY(read_ping_pong(parsed));
  const auto machine = TUTTI_TRY(machine_of(request.platform, request.overrides));
  const auto points = TUTTI_TRY(studies::ping_pong_points_of(request.sweep, *machine));
  std::vector<studies::StudyPoint> all;
  studies::PointOrigin origin = origin_of(request, machine);
  for (const studies::PingPongPoint& each : points) {
    origin.command = command_of(parsed, each);
    all.push_back(studies::study_point(each, origin, name_of(each)));
  }
  return all;
}

Result<std::vector<studies::StudyPoint>> StudyPoints::replay_points(const Parsed& parsed) {
  const auto request = TUTTI_TRY(read_replay_point(parsed));
  const auto machine =
      TUTTI_TRY(machine_of(request.model.job.platform, request.model.job.overrides));
  if (!trace_ || trace_->options != request.trace_options) {
    trace_ = TUTTI_TRY(load_trace(request));
  }
  auto point = TUTTI_TRY(replay_point(request, trace_, origin_of(request.model.job, machine)));
  return std::vector{std::move(point)};
}

// `cells_of(name)`: the values that a point has by a name; each is asked for once.
template <class CellsOf>
bool StudyPoints::is_excluded_by(const CellsOf& cells_of) const {
  std::map<std::string_view, std::vector<Cell>> known;
  const auto matches = [&](const ExcludedAxis& axis) {
    const auto [cells, is_new] = known.try_emplace(axis.name);
    if (is_new) cells->second = cells_of(std::string(axis.name));
    return std::ranges::any_of(axis.values, [&](const Cell& wanted) {
      return std::ranges::any_of(
          cells->second, [&](const Cell& cell) { return studies::same_cell(cell, wanted); });
    });
  };
  return std::ranges::any_of(
      excludes_, [&](const auto& group) { return std::ranges::all_of(group, matches); });
}

// A combination whose values are all excluded is not even looked at: it need not make sense.
bool StudyPoints::is_excluded(const StudySettings& settings) const {
  return is_excluded_by([&](const std::string& name) {
    const auto* setting = find_setting(settings, name);
    return setting == nullptr ? std::vector<Cell>{}
                              : std::vector{studies::cell_of_text(setting->value->text)};
  });
}

// All that an [[exclude]] names has one of its values: "binomial" is not "auto" that chose it.
bool StudyPoints::is_excluded(const SweptPoint& swept) const {
  return is_excluded_by([&](const std::string& name) { return asked_cells(swept, name); });
}

// Errors of the readers name an option, or the platform: these stand in the file. Other files have
// places of their own.
std::vector<Error> StudyPoints::placed(const std::vector<Error>& errors,
                                       const StudySettings& settings) const {
  std::vector<Error> placed;
  for (const Error& error : errors) {
    const bool is_option = error.place.starts_with("--");
    const auto spot =
        spot_of(is_option ? key_of(error.place) : error.place, error.message, settings);
    if (error.line > 0 || !spot) {
      placed.push_back(error);
      continue;
    }
    const std::string option = is_option ? key_of(error.place) + ": " : "";
    placed.push_back(error_at(study_, *spot, option + error.message, error.hint));
  }
  return placed;
}

// Of an option, a key of --set, which the message begins with or has in quotes, or the platform's
// name; what is asked for without a value stands with the workload.
std::optional<StudySpot> StudyPoints::spot_of(const std::string& place, std::string_view message,
                                              const StudySettings& settings) {
  if (const auto* setting = find_setting(settings, place)) return setting->spot();
  const auto* platform = find_setting(settings, "platform");
  if (platform != nullptr && place == platform->value->text) return platform->spot();
  const auto* trace = find_setting(settings, "trace");
  if (trace != nullptr && place == trace->value->text) return trace->spot();
  std::optional<StudySpot> override_spot;
  for (const auto& setting : settings) {
    if (place != "set" || !is_override(setting.name())) continue;
    const std::string name(setting.name());
    if (message.find(in_quotes(name)) != message.npos) return setting.axis->spot;
    if (!override_spot || message.starts_with(name + ":")) override_spot = setting.spot();
  }
  if (override_spot) return override_spot;
  const bool is_missing = place.empty() || find_option(place);
  if (!is_missing) return std::nullopt;
  return find_setting(settings, studies::workload_key)->spot();
}

}  // namespace tutti::commands

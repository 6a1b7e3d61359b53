// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/workloads/workload.hpp"

#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/io_options.hpp"
#include "sim/studies/workloads/pair_options.hpp"

namespace tutti::studies {
namespace {

using options::OptionReader;
using options::OptionSpec;
using options::OptionValues;

constexpr std::size_t most_kept_machines = 8;

bool same_machine(const options::MachineRequest& a, const options::MachineRequest& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.key == y.key && x.value == y.value;
  };
  return a.platform == b.platform && std::ranges::equal(a.overrides, b.overrides, same);
}

std::string point_command(const OptionValues& values) {
  const std::string& word = values.arguments.front();
  return fmt::format("sim run {}{}", word,
                     options::reproducing_options(find_workload(word)->options(), values));
}

// The command that simulates only this point: lists of values are replaced by the point's value.
// All rivals of a contest have the same command.
std::string point_command(OptionValues values, const std::vector<Point>& rivals) {
  const Point& point = rivals.front();
  const auto& args = point.call.args;
  values.set("--algorithm", {point.requested_algorithm});
  const bool has_file = values.value_or("--counts", "").starts_with("file:");
  if (algorithms::find_collective(point.call.algorithm->collective)->has_message && !has_file)
    values.set("--message-size", {fmt::format("{}", args.message_bytes)});
  return point_command(values);
}

std::string point_command(OptionValues values, const IoPoint& point) {
  values.set("--implementation", {std::string(point.plan.implementation->name)});
  values.set("--decomposition", {point.decomposition});
  return point_command(values);
}

std::string point_command(OptionValues values, const PingPongPoint& point) {
  values.erase("--perturbation");
  values.set("--message-size", {fmt::format("{}", point.measured.message_bytes)});
  values.set("--pattern", {std::string(workloads::pattern_name(point.measured.pattern))});
  if (!values.has("--between")) values.set("--path", {std::string(path_name(point.job.nodes))});
  if (point.measured.pattern != workloads::PingPongPattern::stream)
    values.erase("--window");
  else if (values.has("--window"))
    values.set("--window", {fmt::format("{}", point.measured.window)});
  return point_command(values);
}

// Groups the points of each contest.
std::vector<std::vector<Point>> group_contests(std::vector<Point> points) {
  std::vector<std::vector<Point>> groups;
  for (Point& point : points)
    if (point.contest > 0 && !groups.empty() && groups.back().front().contest == point.contest)
      groups.back().push_back(std::move(point));
    else
      groups.push_back({std::move(point)});
  return groups;
}

// The points of a study, each with its name and its command.
template <class AnyPoint>
Result<WorkloadPoints> named_points(const OptionValues& values, const std::vector<AnyPoint>& points,
                                    PointOrigin origin, Skipped skipped = {}) {
  WorkloadPoints all{{}, std::move(skipped)};
  for (const AnyPoint& point : points) {
    origin.command = point_command(values, point);
    all.points.push_back(TUTTI_TRY(Result<StudyPoint>(study_point(point, origin, name_of(point)))));
  }
  return all;
}

// Workload::points of collectives and schedules: reads the values to a request, makes its points on
// the machine, and a StudyPoint of each, or of each contest.
Result<WorkloadPoints> collective_points(const OptionValues& given, PointInputs& inputs) {
  const OptionValues values = TUTTI_TRY(with_schedule(given));
  OptionReader reader(values);
  CollectiveRequest request;
  read_collective(reader, other_workload_names(false), request);
  if (!reader.errors().empty()) return reader.errors().errors();
  auto machine = TUTTI_TRY(inputs.machine_of(request));
  if (lacks_accuracy(request, *machine)) {
    auto assumed = std::make_shared<platforms::Machine>(*machine);
    assume_accuracy(*assumed);
    machine = std::move(assumed);
  }
  auto points = TUTTI_TRY(make_points(request.sweep, *machine));
  return named_points(values, group_contests(std::move(points.all)), make_origin(request, machine),
                      std::move(points.skipped));
}

Result<WorkloadPoints> io_points(const OptionValues& values, PointInputs& inputs) {
  OptionReader reader(values);
  IoRequest request;
  if (inputs.log) request.log = inputs.log;
  inputs.log = request.log;
  read_io(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto machine = TUTTI_TRY(inputs.machine_of(request));
  auto points = TUTTI_TRY(make_io_points(request.sweep, *machine));
  return named_points(values, points.all, make_origin(request, machine), std::move(points.skipped));
}

Result<WorkloadPoints> ping_pong_points(const OptionValues& values, PointInputs& inputs) {
  OptionReader reader(values);
  PingPongRequest request;
  read_ping_pong(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto machine = TUTTI_TRY(inputs.machine_of(request));
  const auto points = TUTTI_TRY(ping_pong_points_of(request.sweep, *machine));
  return named_points(values, points, make_origin(request, machine));
}

std::span<const OptionSpec> collective_study_options() {
  static const auto specs =
      options::joined_specs({collective_options(), {&confidence_option(), 1}});
  return specs;
}

// Returns the letters and digits of the word, in lower case.
std::string plain_letters(std::string_view word) {
  std::string letters;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += c;
  return lower_case(letters);
}

}  // namespace

Result<std::shared_ptr<const platforms::Machine>> PointInputs::machine_of(
    const options::MachineRequest& request) {
  const auto known = std::ranges::find_if(
      machines_, [&](const Loaded& loaded) { return same_machine(loaded.request, request); });
  if (known != machines_.end()) {
    machines_.splice(machines_.begin(), machines_, known);
    return machines_.front().machine;
  }
  auto machine = TUTTI_TRY(studies::load_machine(request));
  machines_.push_front({request, std::make_shared<const platforms::Machine>(std::move(machine))});
  if (machines_.size() > most_kept_machines) machines_.pop_back();
  return machines_.front().machine;
}

const Workload* find_workload(std::string_view word) {
  for (const auto* workload : all_workloads())
    for (const auto& name : workload->names())
      if (name == word) return workload;
  return nullptr;
}

std::string workload_called(const std::string& word) {
  if (find_workload(word) != nullptr) return word;
  std::string letters = plain_letters(word);
  if (letters.starts_with("mpi")) letters.erase(0, 3);
  if (letters == "broadcast") return "bcast";
  for (const auto* workload : all_workloads())
    for (const auto& name : workload->names())
      if (plain_letters(name) == letters) return name;
  return word;
}

const Workload& get_workload(std::string_view word) {
  const Workload* workload = find_workload(word);
  return workload ? *workload : collective_workload;
}

std::vector<std::string> other_workload_names(bool of_run) {
  std::vector<std::string> names;
  for (const auto* workload : all_workloads())
    if (workload != &collective_workload && (workload->follows_run || !of_run))
      for (auto& name : workload->names()) names.push_back(std::move(name));
  return names;
}

PointOrigin make_origin(const options::MachineRequest& request,
                        std::shared_ptr<const platforms::Machine> machine) {
  PointOrigin origin{
      .platform = request.platform, .overrides = {}, .command = {}, .machine = std::move(machine)};
  for (const auto& [key, value] : request.overrides) origin.overrides.emplace_back(key, value);
  return origin;
}

const Workload collective_workload{
    .names = collective_names, .options = collective_study_options, .points = collective_points};
const Workload schedule_workload{
    .names = [] { return std::vector{std::string(workloads::schedules::schedule_word)}; },
    .options = schedule_options,
    .points = collective_points};
const Workload io_workload{.names =
                               [] {
                                 return std::vector<std::string>{"write", "read"};
                               },
                           .options = [] { return io_options().specs(); },
                           .points = io_points};
const Workload ping_pong_workload{.names = [] { return std::vector<std::string>{"pingpong"}; },
                                  .options = [] { return ping_pong_options().specs(); },
                                  .points = ping_pong_points};

}  // namespace tutti::studies

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/model_experiment.hpp"

#include "sim/engines/engine.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies {
namespace {

using runtime::Rank;
using runtime::Task;

Task call_and_gather(Rank& me, const workloads::CollectiveCall& call, Bytes gather_bytes) {
  co_await call.algorithm->program(me, call.args);
  // The gather's messages must not match those of the call.
  runtime::Nested apart(me, runtime::Binding{});
  const auto* gather = algorithms::find_algorithm("gather", "basic_linear");
  co_await gather->program(apart.rank(), {.message_bytes = gather_bytes, .root = call.args.root});
}

runtime::Program program_of(const ModelExperiment& experiment) {
  if (!experiment.gather_bytes) return workloads::program_of(experiment.point.call);
  return [&experiment](Rank& me) {
    return call_and_gather(me, experiment.point.call, *experiment.gather_bytes);
  };
}

}  // namespace

Result<PreciseTime> experiment_time(const ModelExperiment& experiment,
                                    const platforms::Machine& machine) {
  const Point& point = experiment.point;
  const auto placement = TUTTI_TRY(platforms::place(machine, point.placement));
  runtime::Noise noise = point.benchmark.noise;
  const std::uint64_t seed = noise.seed;
  const auto once = [&](int repetition) -> Result<Seconds> {
    noise.seed = random_bits(seed, 0, static_cast<std::uint64_t>(repetition));
    const auto outcome =
        engines::run(engines::EngineKind::flow,
                     {.machine = machine,
                      .placement = placement,
                      .program = program_of(experiment),
                      .working_set = workloads::working_set(point.call, point.placement.procs),
                      .noise = noise});
    if (!outcome.problems.empty()) return errors_of(outcome.problems);
    return experiment.gather_bytes ? outcome.end_s[static_cast<std::size_t>(point.call.args.root)]
                                   : *std::ranges::max_element(outcome.end_s);
  };
  return precise_time(noise.kind != runtime::Noise::Kind::none, once);
}

Result<std::vector<Point>> calls_that_run(Sweep sweep, const std::string& algorithm,
                                          const platforms::Machine& machine) {
  sweep.algorithms = {std::string(workloads::all_name)};
  auto points = TUTTI_TRY(make_points(sweep, machine));
  std::erase_if(points.all,
                [&](const auto& point) { return point.call.algorithm->name != algorithm; });
  return std::move(points.all);
}

std::vector<StudyPoint> simulations_of(const std::vector<ModelExperiment>& experiments,
                                       const platforms::Machine& machine) {
  std::vector<StudyPoint> simulations;
  for (const auto& experiment : experiments)
    simulations.push_back(simulation_of(experiment.point, [&experiment, &machine]() -> Result<Row> {
      return row_of(TUTTI_TRY(experiment_time(experiment, machine)));
    }));
  return simulations;
}

namespace {

constexpr std::string_view chosen_by_library = "auto";

using MeasuredCalls = std::map<CallKey, std::pair<const MeasuredCollective*, std::vector<Seconds>>>;

bool is_wanted(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

PreciseTime time_of_repetitions(const std::vector<Seconds>& times_s) {
  return times_s.size() > 1 ? mean_with_interval(times_s) : PreciseTime{.mean_s = times_s.front()};
}

Result<Point> point_of_call(const MeasuredCollective& row, const platforms::Machine& machine) {
  Sweep sweep;
  sweep.collective = row.collective;
  sweep.algorithms = {row.algorithm};
  sweep.procs = {row.procs};
  sweep.ppn = {row.ppn};
  sweep.message_bytes = {row.message_bytes};
  sweep.segment_bytes = {row.segment_bytes.value_or(0)};
  if (row.fanout) sweep.fanouts = {*row.fanout};
  sweep.common.engine = engines::EngineKind::flow;
  if (row.mapping) sweep.common.placement = *row.mapping;
  auto points = TUTTI_TRY(make_points(sweep, machine));
  return std::move(points.all.front());
}

// As far as P is consecutive, starting at P = 2.
std::vector<Seconds> gamma_times_in(const MeasuredCalls& calls, Bytes gamma_bytes) {
  std::map<std::int64_t, Seconds> by_procs;
  for (const auto& [key, call] : calls) {
    const auto& row = *call.first;
    if (row.collective == "bcast" && row.algorithm == "basic_linear" && !row.gather_bytes &&
        row.message_bytes == gamma_bytes)
      by_procs[row.procs] = time_of_repetitions(call.second).mean_s;
  }
  std::vector<Seconds> times;
  for (std::int64_t procs = 2; by_procs.contains(procs); ++procs) times.push_back(by_procs[procs]);
  return times.size() > 1 ? times : std::vector<Seconds>{};
}

std::optional<Error> several_ppn(const std::vector<MeasuredCollective>& rows) {
  for (const auto& row : rows)
    if (row.ppn != rows.front().ppn)
      return make_error(
          ErrorKind::input, "",
          fmt::format("rows with {} and with {} processes per node", rows.front().ppn, row.ppn),
          fmt::format("a model covers one placement: select it with --only ppn={}",
                      rows.front().ppn));
  return std::nullopt;
}

}  // namespace

Result<MeasuredExperiments> measured_experiments(const std::vector<MeasuredCollective>& rows,
                                                 const MeasuredSpec& spec,
                                                 const platforms::Machine& machine) {
  if (auto error = several_ppn(rows)) return *std::move(error);
  MeasuredExperiments found;
  MeasuredCalls calls;
  for (const auto& row : rows) {
    if (row.algorithm == chosen_by_library) {
      ++found.without_algorithm;
      continue;
    }
    auto& [first, times_s] = calls[call_key(row)];
    if (first == nullptr) first = &row;
    times_s.push_back(row.time_s);
  }
  found.gamma_times = gamma_times_in(calls, spec.gamma_bytes);
  for (const auto& [key, call] : calls) {
    const auto& row = *call.first;
    if (!is_wanted(spec.collectives, row.collective) || !is_wanted(spec.algorithms, row.algorithm))
      continue;
    auto point = TUTTI_TRY(point_of_call(row, machine));
    if (point.call.algorithm->cost == nullptr ||
        !workloads::runs_as(point.call, point.placement.procs).empty()) {
      ++found.other_algorithm;
      continue;
    }
    found.experiments.push_back({std::move(point), row.gather_bytes});
    found.times.push_back(time_of_repetitions(call.second));
  }
  if (!found.experiments.empty()) return found;
  return make_error(
      ErrorKind::input, "", "no times of named algorithms that run without falling back",
      "expected columns collective, algorithm, procs, message_bytes, segment_bytes, time_s");
}

}  // namespace tutti::studies

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/model_experiment.hpp"

#include <algorithm>

#include "sim/engines/engine.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::studies {
namespace {

using runtime::Rank;
using runtime::Task;

Task call_and_gather(Rank& me, const workloads::CollectiveCall& call, Bytes gather_bytes) {
  co_await call.algorithm->program(me, call.args);
  runtime::Nested apart(me, runtime::Binding{});  // its messages are not the call's
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

}  // namespace tutti::studies

// SPDX-License-Identifier: BSD-3-Clause
// Random jobs of collective I/O, each simulated in full and from a sample of its cycles.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "io_models/access.hpp"
#include "io_models/cycle_choice.hpp"
#include "io_models/extrapolation.hpp"
#include "io_models/implementations/plan.hpp"
#include "platforms/reader.hpp"
#include "sim/engines/flow/flow_engine.hpp"

namespace tutti::tests {

struct JobRange {
  int least_procs = 100;
  int most_procs = 10'000;
  std::int64_t least_messages = 20'000;
  std::int64_t most_messages = 200'000;
};

struct SampledJob {
  std::string layout;    // "1-D", "2-D"
  std::string domains;   // "even", "static", "groups"
  std::string name;      // the whole job
  Seconds full_s = 0;    // all cycles
  Seconds sample_s = 0;  // predicted from the sample
  double estimate = 0;   // estimated relative error of the sample

  double error() const { return std::abs(sample_s / full_s - 1); }
  bool is_covered() const { return error() <= 2 * estimate; }
};

class SampledJobs {
 public:
  SampledJobs(std::uint64_t seed, JobRange range) : random_(seed), range_(range) {}

  // The next job that can be sampled.
  SampledJob next() {
    for (;;)
      if (auto job = draw()) return *std::move(job);
  }

 private:
  struct Shape {
    std::string machine;
    platforms::PlacementRequest placement;
    bool two_d;
    bool writes;
    io_models::PlanArgs plan;
    Bytes proc_bytes;
  };

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  double log_uniform(double least, double most) {
    return std::exp(
        std::uniform_real_distribution<double>(std::log(least), std::log(most))(random_));
  }

  // Grids with one row are as likely as square ones.
  int draw_procs() {
    const auto procs = static_cast<int>(log_uniform(range_.least_procs, range_.most_procs));
    if (below(2) == 0) return procs;
    const auto side = static_cast<int>(std::sqrt(procs));
    return std::max(range_.least_procs, side * side);
  }

  Shape draw_shape() {
    Shape shape{.machine = "opuntia-10k",
                .placement = {},
                .two_d = below(2) == 0,
                .writes = below(4) != 0,
                .plan = {},
                .proc_bytes = 0};
    shape.placement.procs = draw_procs();
    const bool is_small = shape.placement.procs <= 768;
    if (is_small) shape.machine = below(2) == 0 ? "crill" : "grisou";
    if (below(4) == 0) shape.placement.policy = platforms::MapPolicy::round_robin;
    const bool is_static = below(2) == 0;
    auto& plan = shape.plan;
    plan.reads = !shape.writes;
    if (below(shape.writes ? 4 : 2) == 0)  // half of the reads are by groups
      plan.implementation = is_static ? &io_models::dynamic_gen2 : &io_models::vulcan;
    plan.partitioning =
        is_static ? io_models::Partitioning::static_ : io_models::Partitioning::even;
    plan.aggregators = static_cast<int>(log_uniform(1, shape.placement.procs / 4.0));
    plan.buffer_bytes = Bytes{1} << (18 + below(8));
    if (plan.implementation == &io_models::dynamic_gen2) plan.stripe_bytes = plan.buffer_bytes / 2;
    const double cycles = log_uniform(60, 1500);
    shape.proc_bytes = static_cast<Bytes>(
        cycles * plan.aggregators * static_cast<double>(plan.buffer_bytes) / shape.placement.procs);
    return shape;
  }

  static io_models::GridAccess access_of(const Shape& shape) {
    const int procs = shape.placement.procs;
    const auto grid = shape.two_d ? io_models::squarest_grid(procs) : io_models::Grid{procs, 1};
    const Bytes rows = std::clamp<Bytes>(std::llround(std::sqrt(shape.proc_bytes)), 1, 4096);
    return io_models::GridAccess::blocks(grid, rows * grid.rows,
                                         shape.proc_bytes / rows * grid.columns);
  }

  const platforms::Machine& machine(const std::string& name) {
    const auto found = machines_.find(name);
    if (found != machines_.end()) return found->second;
    auto read = platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/" + name + ".xml");
    REQUIRE(read);
    return machines_.emplace(name, *std::move(read)).first->second;
  }

  std::optional<SampledJob> draw() {
    const Shape shape = draw_shape();
    if (shape.proc_bytes < 65'536) return std::nullopt;
    const platforms::Machine& on = machine(shape.machine);
    const auto placement = platforms::place(on, shape.placement);
    if (!placement) return std::nullopt;
    const auto access = access_of(shape);
    const io_models::Plan plan(access, *placement, shape.plan);
    const auto messages = io_models::estimated_messages(plan.redistribution());
    if (messages < range_.least_messages || messages > range_.most_messages) return std::nullopt;
    const auto choice = io_models::sampled_cycles(
        plan.redistribution(),
        {.most_messages = messages / 2,
         .most_sampled =
             static_cast<std::int64_t>(static_cast<double>(messages) * log_uniform(0.03, 0.15)),
         .runs_ahead_bytes = std::max(on.inter.eager_max, on.intra.eager_max)});
    if (choice.method != io_models::CycleMethod::sampled || choice.runs.empty())
      return std::nullopt;
    const auto sample = simulate(shape, plan, *placement, choice);
    const auto full =
        simulate(shape, plan, *placement, io_models::all_cycles(plan.redistribution()));
    return SampledJob{.layout = shape.two_d ? "2-D" : "1-D",
                      .domains = shape.plan.by_groups()   ? "groups"
                                 : plan.deals_out_units() ? "static"
                                                          : "even",
                      .name = name_of(shape, choice),
                      .full_s = full.end_s,
                      .sample_s = sample.end_s,
                      .estimate = *sample.sampling_error};
  }

  io_models::IoTimes simulate(const Shape& shape, const io_models::Plan& plan,
                              const platforms::Placement& placement,
                              const io_models::CycleChoice& choice) {
    const io_models::Schedule schedule(plan.redistribution(), choice.cycles());
    std::vector<io_models::AggregatorTimes> times(plan.aggregators().size());
    io_models::ShuffleJob job = plan.job(schedule, {.writes = shape.writes});
    job.times = &times;
    job.dates_steps = true;
    const auto& implementation = *shape.plan.implementation;
    const auto outcome = engines::run_flow({.machine = machine(shape.machine),
                                            .placement = placement,
                                            .program = [&](runtime::Rank& me) {
                                              return (shape.writes ? implementation.write
                                                                   : implementation.read)(me, job);
                                            }});
    REQUIRE(outcome.problems == std::vector<std::string>{});
    const auto reported =
        io_models::extrapolate({.choice = choice,
                                .job = job,
                                .dates = nullptr,
                                .end_s = *std::ranges::max_element(outcome.end_s)});
    REQUIRE(reported);
    return *reported;
  }

  static std::string name_of(const Shape& shape, const io_models::CycleChoice& choice) {
    return fmt::format(
        "{}, {} processes, {}, {}, {}, {} aggregators, buffer {}, {} bytes a process, "
        "{} windows of {} of {} cycles",
        shape.machine, shape.placement.procs, shape.two_d ? "2-D" : "1-D",
        shape.plan.implementation->name, shape.writes ? "write" : "read", shape.plan.aggregators,
        format_bytes(shape.plan.buffer_bytes), shape.proc_bytes, choice.runs.size(),
        choice.runs[0].simulated, choice.all_cycles);
  }

  std::mt19937_64 random_;
  JobRange range_;
  std::map<std::string, platforms::Machine> machines_;
};

}  // namespace tutti::tests

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/starts.hpp"

#include "sim/base/quantile.hpp"
#include "sim/base/random.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs {
namespace {

// The limit for benchmarks: a tie is hardly broken in the same way in all calls.
constexpr std::int64_t most_measured_twice = std::int64_t{1} << 12;

struct StartRun {
  Start start;
  workloads::Measurement measured;
  engines::Outcome outcome = {};
  Seconds time_s = 0;
  std::vector<Seconds> times_s = {};  // all from which reported times are calculated
};

runtime::Task start_late(runtime::Rank& me, const runtime::Program& call, Start start,
                         std::uint64_t index) {
  me.sleep(start.latest_s * random_uniform(start.seed, static_cast<std::uint64_t>(me.id()), index));
  co_await call(me);
}

StartRun simulate_start(const Point& point, engines::Job job, const Start& start) {
  StartRun run{.start = start,
               .measured = {point.placement.procs, point.benchmark.repetitions_run()}};
  job.program = make_program(point, start, run.measured);
  if (start.latest_s > 0) job.folding = engines::Folding::off;  // no ranks are equivalent
  run.outcome = engines::run(engines::EngineKind::flow, job);
  if (!run.outcome.problems.empty()) return run;
  if (point.benchmark.is_plain()) {
    run.times_s = run.outcome.end_s;
    run.time_s = std::ranges::max(run.times_s);
    return run;
  }
  run.times_s = run.measured.latencies();
  run.time_s = median_of(run.times_s);
  for (const auto& more : {run.measured.after_last_arrival(), run.measured.rank_means()})
    run.times_s.insert(run.times_s.end(), more.begin(), more.end());
  return run;
}

bool differ(const StartRun& a, const StartRun& b) {
  constexpr double part = 1e-7;
  constexpr Seconds least_s = 100e-12;
  const Seconds borne_s = std::max(part * a.time_s, least_s);
  for (std::size_t i = 0; i < a.times_s.size(); ++i)
    if (std::abs(a.times_s[i] - b.times_s[i]) > borne_s) return true;
  return false;
}

// Maximum delays of 10, 1 and 100 ps in turn: the later the ranks, the sooner their course deviates
// from the symmetric one. Each start has another seed, so that ties break differently.
Start start_number(int index) {
  constexpr std::array latest_s{10e-12, 1e-12, 100e-12};
  const auto number = static_cast<std::size_t>(index);
  return {.latest_s = latest_s[number % latest_s.size()], .seed = 1 + number};
}

}  // namespace

runtime::Program make_program(const Point& point, const Start& start,
                              workloads::Measurement& measured) {
  runtime::Program call = workloads::program_of(point.call);
  if (start.latest_s > 0) {
    // Delays add up over the calls. Each call has others, so that ties break differently.
    const Start of_call{.latest_s = start.latest_s / point.benchmark.calls_run(),
                        .seed = start.seed};
    std::vector<std::uint64_t> calls(static_cast<std::size_t>(point.placement.procs));
    call = [call, of_call, calls](runtime::Rank& me) mutable {
      return start_late(me, call, of_call, calls[static_cast<std::size_t>(me.id())]++);
    };
  }
  if (point.benchmark.is_plain()) return call;
  return workloads::benchmark_program(std::move(call), point.benchmark, measured);
}

bool may_depend_on_start(const Point& point, const platforms::Placement& placement) {
  if (point.starts.runs == 0) return false;
  if (point.engine == engines::EngineKind::ideal || point.placement.procs < 2) return false;
  const auto& call = point.call;
  const int procs = point.placement.procs;
  if (call.algorithm->posts_to_all &&
      (call.args.max_requests == 0 || call.args.max_requests >= procs))
    return false;
  return point.starts.are_given ||
         workloads::expected_messages(call, point.benchmark, procs) <=
             (placement.ppn > 1 ? most_messages_shared : most_messages_apart);
}

ExaminedStart examine_start(const Point& point, engines::Job job) {
  const int most_runs = point.starts.runs;
  job.observers.clear();
  StartRun at_once = simulate_start(point, job, {});
  if (!at_once.outcome.problems.empty())
    return {.start = {}, .outcome = std::move(at_once.outcome)};
  const auto most_twice = point.benchmark.is_plain() ? most_messages_twice : most_measured_twice;
  const int most_examined = at_once.outcome.counts.messages <= most_twice ? 2 : 1;
  std::vector<StartRun> runs;
  const auto add_run = [&] {
    runs.push_back(simulate_start(point, job, start_number(static_cast<int>(runs.size()))));
  };
  do add_run();
  while (!differ(at_once, runs.back()) && static_cast<int>(runs.size()) < most_examined);
  if (!differ(at_once, runs.back()))
    return {.start = {},
            .simulated = 1 + most_examined,
            .outcome = std::move(at_once.outcome),
            .measured = std::move(at_once.measured)};
  while (static_cast<int>(runs.size()) < most_runs) add_run();
  std::ranges::stable_sort(runs, {}, &StartRun::time_s);
  StartRun& median = runs[runs.size() / 2];
  const Seconds range_s = runs.back().time_s - runs.front().time_s;
  return {.start = median.start,
          .simulated = most_runs,
          .spread = (0.5 + 10.0 / most_runs) * range_s / median.time_s,
          .outcome = std::move(median.outcome),
          .measured = std::move(median.measured)};
}

}  // namespace tutti::jobs

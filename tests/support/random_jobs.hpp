// SPDX-License-Identifier: BSD-3-Clause
// Random collective jobs on the machines of the catalog: 2 to 512 ranks, 1 B to 1 MiB.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "platforms/reader.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/jobs/study_point.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/forked.hpp"
#include "tests/support/plain_algorithms.hpp"

namespace tutti::tests {

struct RandomJob {
  std::string name;
  jobs::Point point;
  const platforms::Machine* machine = nullptr;
};

class RandomJobs {
 public:
  explicit RandomJobs(std::uint64_t seed,
                      std::int64_t most_messages = std::numeric_limits<std::int64_t>::max())
      : draw_(seed), most_messages_(most_messages) {
    for (const char* name :
         {"crill", "crill-ge", "fugaku", "grisou", "gros", "jubl", "jupiter", "juqueen", "leonardo",
          "lumi", "marenostrum5", "opuntia", "opuntia-10k", "tachyon1", "tachyon2", "vsc3"})
      machines_.emplace_back(*platforms::load_machine(name));
  }

  RandomJob next() {
    while (true)
      if (auto job = drawn()) return *std::move(job);
  }

  // The next job, measured by a benchmark, or with skew or noise.
  RandomJob next_measured() {
    RandomJob job = next();
    workloads::Benchmark benchmark{.repetitions = draw_.pick({1, 3})};
    if (draw_.chance(30))
      benchmark.skew = *workloads::parse_skew(draw_.pick({"uniform:1us:1", "exponential:9us:2"}));
    if (draw_.chance(30))
      benchmark.noise =
          *workloads::parse_noise(draw_.pick({"multiplicative:5%:1", "additive:0.5us:2"}));
    if (benchmark.is_plain() || draw_.chance(50))
      benchmark.harness = &draw_.one_of(workloads::harnesses());
    job.point.benchmark = *workloads::on_machine(benchmark, *job.machine, job.point.placement);
    job.name += fmt::format(", {}, {} skew, {} noise, {} repetitions",
                            benchmark.harness == nullptr ? "alone" : benchmark.harness->name,
                            workloads::format_skew(benchmark.skew),
                            workloads::format_noise(benchmark.noise), benchmark.repetitions);
    return job;
  }

  // The same job with another algorithm; empty if the algorithm cannot run it.
  std::optional<RandomJob> with(const RandomJob& job, const std::string& algorithm) const {
    const auto& call = job.point.call;
    return made(*job.machine, std::string(call.algorithm->collective), algorithm,
                job.point.placement, call.args.message_bytes);
  }

 private:
  // Excludes jobs with more than 50,000 concurrent messages: they take minutes each.
  static constexpr std::int64_t most_at_once = 50'000;

  double between_zero_and(double most) {
    constexpr std::uint64_t parts = 1u << 20;
    return most * static_cast<double>(draw_.below(parts)) / parts;
  }

  std::optional<RandomJob> drawn() {
    const auto& machine = draw_.one_of(machines_);
    const auto all = plain_algorithms();
    const auto* algorithm = draw_.one_of(all);
    platforms::PlacementRequest placement{.file = {}};
    placement.procs = static_cast<int>(std::exp2(1 + between_zero_and(8)));
    placement.ppn =
        std::min({draw_.pick({1, 2, 4, 8, 16, 48}), machine.cores_per_host, placement.procs});
    placement.policy =
        draw_.chance(50) ? platforms::MapPolicy::block : platforms::MapPolicy::round_robin;
    const auto bytes = static_cast<Bytes>(std::exp2(between_zero_and(20)));
    const std::string name(draw_.chance(15) ? std::string_view("auto") : algorithm->name);
    auto job = made(machine, std::string(algorithm->collective), name, placement, bytes);
    if (job && workloads::expected_messages(job->point.call, placement.procs) > most_messages_)
      return std::nullopt;
    return job;
  }

  static std::optional<RandomJob> made(const platforms::Machine& machine,
                                       const std::string& collective, const std::string& algorithm,
                                       const platforms::PlacementRequest& placement, Bytes bytes) {
    if (!platforms::place(machine, placement)) return std::nullopt;
    if (!algorithms::find_collective(collective)->has_message) bytes = 0;
    auto call = workloads::resolve({.collective = collective,
                                    .algorithm = algorithm,
                                    .procs = placement.procs,
                                    .message_bytes = bytes},
                                   machine, placement);
    if (!call || workloads::rejection(*call, machine, placement.procs)) return std::nullopt;
    if (call->algorithm->posts_to_all &&
        workloads::expected_messages(*call, placement.procs) > most_at_once)
      return std::nullopt;
    RandomJob job{
        .name = fmt::format("{} {} ({}) on {}, {} processes, {} a node, {}, {} B", collective,
                            algorithm, call->algorithm->name, machine.name, placement.procs,
                            *placement.ppn, jobs::map_name(placement), bytes),
        .point = {},
        .machine = &machine};
    job.point.requested_algorithm = algorithm;
    job.point.call = *std::move(call);
    job.point.placement = placement;
    job.point.engine = engines::EngineKind::flow;
    return job;
  }

  Draw draw_;
  std::int64_t most_messages_;
  std::vector<platforms::Machine> machines_;
};

inline jobs::Record record_of(const RandomJob& job) {
  const auto answer = jobs::run_point(job.point, *job.machine);
  REQUIRE_MESSAGE(answer, job.name);
  return answer->record;
}

// Ranks start up to a picosecond late.
inline Seconds time_with_late_ranks(RandomJob job, std::uint64_t seed) {
  job.point.starts.runs = 0;
  job.point.benchmark.skew = {
      .kind = workloads::SkewSpec::Kind::uniform, .time_s = 1e-12, .seed = seed, .path = {}};
  return *record_of(job).time_s;
}

// The largest allowed relative deviation of a time from the record.
inline double allowed_move(const jobs::Record& record) {
  constexpr double stable = 1e-5, late_s = 100e-12;
  return std::max({stable, record.start_spread.value_or(0), late_s / *record.time_s});
}

// The relative difference between the engines if all ranks start at once; SimGrid runs in a child.
inline double engines_differ_by(RandomJob job) {
  job.point.starts.runs = 0;
  const auto flow = record_of(job);
  job.point.engine = engines::EngineKind::simgrid;
  auto child = jobs::Forked::start(job.point, *job.machine);
  REQUIRE_MESSAGE(child, job.name);
  const auto simgrid = child->collect();
  REQUIRE_MESSAGE(simgrid, job.name);
  double difference = 0;
  for (const auto time :
       {&jobs::Record::time_s, &jobs::Record::time_mean_s, &jobs::Record::time_min_s,
        &jobs::Record::repetition_min_s, &jobs::Record::repetition_max_s}) {
    const Seconds a = (flow.*time).value_or(0), b = (simgrid->record.*time).value_or(0);
    if (a != b) difference = std::max(difference, std::abs(a / b - 1));
  }
  return difference;
}

// Checks that both engines agree on each of `count` jobs to `agreed`, or that it is marked.
template <class Next>
void check_that_jobs_are_equal_or_marked(int count, double agreed, const Next& next) {
  int marked = 0, differing = 0;
  for (int i = 0; i < count; ++i) {
    RandomJob job = next();
    while (job.machine->divides_messages()) job = next();  // SimGrid cannot
    const bool is_marked = record_of(job).start_spread.has_value();
    const double difference = engines_differ_by(job);
    marked += is_marked;
    differing += difference > agreed;
    CAPTURE(difference);
    CHECK_MESSAGE((is_marked || difference <= agreed), job.name);
  }
  MESSAGE(marked << " of " << count << " jobs are marked; engines differ in " << differing);
  CHECK(marked > 0);
}

}  // namespace tutti::tests

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/extrapolation/step_job.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/runtime/count_messages.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::studies::extrapolation {
namespace {

using algorithms::StepPhase;
using algorithms::StepSample;
using runtime::count_messages;
using runtime::MessageCounts;
using runtime::RankId;

void add_step(MessageCounts& counts, const StepJob& job, const StepPhase& phase, std::int64_t step,
              std::int64_t times) {
  std::int64_t inside = 0;
  for (RankId rank = 0; rank < job.procs(); ++rank)
    inside +=
        job.placement.host_of[rank] == job.placement.host_of[phase.to(rank, step, job.procs())];
  count_messages(counts, job.machine, true, phase.message_bytes, times * inside);
  count_messages(counts, job.machine, false, phase.message_bytes, times * (job.procs() - inside));
}

// Every rank to every other.
void add_all_pairs(MessageCounts& counts, const StepJob& job, const StepPhase& phase) {
  std::map<platforms::HostId, std::int64_t> ranks_of;
  for (const auto host : job.placement.host_of) ++ranks_of[host];
  std::int64_t inside = 0;
  for (const auto& [host, ranks] : ranks_of) inside += ranks * (ranks - 1);
  const std::int64_t procs = job.procs();
  count_messages(counts, job.machine, true, phase.message_bytes, inside);
  count_messages(counts, job.machine, false, phase.message_bytes, procs * (procs - 1) - inside);
}

// Of a ring whose blocks differ, but for the first steps: a rank sends every block, also those of
// these steps and its own, which is that of step 0.
void add_blocks(MessageCounts& counts, const StepJob& job, const StepPhase& phase,
                std::int64_t first_steps) {
  const std::int64_t procs = job.procs();
  std::map<Bytes, std::int64_t> blocks_of;
  for (std::int64_t block = 0; block < procs; ++block) ++blocks_of[phase.block_bytes(block)];
  std::map<std::pair<Bytes, bool>, std::int64_t> messages_of;
  for (RankId rank = 0; rank < procs; ++rank) {
    const bool inside =
        job.placement.host_of[rank] == job.placement.host_of[phase.to(rank, 1, job.procs())];
    for (const auto& [bytes, blocks] : blocks_of) messages_of[{bytes, inside}] += blocks;
    for (std::int64_t step = 0; step <= first_steps; ++step) {
      const std::int64_t block = (rank + phase.ahead + 1 - step + 2 * procs) % procs;
      --messages_of[{phase.block_bytes(block), inside}];
    }
  }
  for (const auto& [message, messages] : messages_of)
    count_messages(counts, job.machine, message.second, message.first, messages);
}

// Of the steps of a phase that are not in the sample.
MessageCounts left_out(const StepJob& job, const StepPhase& phase,
                       std::span<const std::int64_t> sampled) {
  MessageCounts counts;
  if (phase.period == 0) {
    TUTTI_CHECK(phase.count == job.procs() - 1, "steps that are not one to every other");
    add_all_pairs(counts, job, phase);
    for (const std::int64_t step : sampled) add_step(counts, job, phase, step, -1);
    return counts;
  }
  if (phase.block_bytes) {
    add_blocks(counts, job, phase, std::ssize(sampled));
    return counts;
  }
  const auto first = static_cast<std::int64_t>(sampled.size()) + 1;
  for (std::int64_t step = first; step < first + phase.period && step <= phase.count; ++step)
    add_step(counts, job, phase, step, (phase.count - step) / phase.period + 1);
  return counts;
}

}  // namespace

std::vector<StepPhase> phases_of(const Point& point) {
  const auto* algorithm = point.call.algorithm;
  if (algorithm->steps == nullptr) return {};
  return algorithm->steps({point.placement.procs, point.call.args});
}

std::vector<StepSample::Chosen> first_steps_of(const StepJob& job, std::int64_t count) {
  StepSample::Chosen chosen;
  for (std::int64_t step = 1; step <= count; ++step) chosen.steps.push_back(step);
  chosen.dated_from = static_cast<std::size_t>(std::max<std::int64_t>(1, count / 4));
  return {job.phases.size(), chosen};
}

std::int64_t StepJob::all_steps() const {
  std::int64_t steps = 0;
  for (const StepPhase& phase : phases) steps += phase.count;
  return steps;
}

std::int64_t SampledRun::simulated_steps(const StepJob& job) const {
  std::size_t steps = 0;
  for (std::size_t phase = 0; phase < job.phases.size(); ++phase)
    steps += sample.steps(phase).size();
  return static_cast<std::int64_t>(steps);
}

Result<SampledRun> run(const StepJob& job, std::vector<StepSample::Chosen> chosen) {
  SampledRun sampled{StepSample(job.procs(), std::move(chosen)), {}, {}};
  auto call = job.point.call;
  call.args.sample = &sampled.sample;
  engines::Job simulated{.machine = job.machine,
                         .placement = job.placement,
                         .program = workloads::program_of(call),
                         .contention = job.point.contention,
                         .merge_window = job.point.merge_window,
                         .working_set = workloads::working_set(job.point.call, job.procs())};
  if (job.watcher != nullptr) simulated.observers.push_back(job.watcher);
  auto outcome = engines::run(job.point.engine, simulated);
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  sampled.end_s = std::move(outcome.end_s);
  sampled.counts = outcome.counts;
  return sampled;
}

MessageCounts counts_of_all(const StepJob& job, const SampledRun& run) {
  MessageCounts all = run.counts;
  for (std::size_t i = 0; i < job.phases.size(); ++i) {
    const MessageCounts more = left_out(job, job.phases[i], run.sample.steps(i));
    for (const auto field : runtime::message_counts_fields)
      runtime::add_bytes(all.*field, more.*field);
  }
  return all;
}

}  // namespace tutti::studies::extrapolation

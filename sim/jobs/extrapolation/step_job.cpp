// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/step_job.hpp"

#include "sim/jobs/run_point.hpp"
#include "sim/runtime/count_messages.hpp"

namespace tutti::jobs::extrapolation {

using platforms::HostId;
using platforms::LinkId;
using runtime::RankId;

StepLoads::StepLoads(const StepJob& job, const algorithms::StepPhase& phase)
    : job_(job),
      phase_(phase),
      links_(job.machine.link_count()),
      busy_s_(job.machine.link_count()) {}

const StepLoads::LinkCost& StepLoads::cost_of(LinkId id) {
  LinkCost& cost = links_[id];
  if (cost.byte_time_s == 0) {
    const platforms::Link link = job_.machine.link(id);
    cost = {1 / link.bandwidth_Bps, link.latency_s, link.sharing == platforms::LinkSharing::shared};
  }
  return cost;
}

void StepLoads::follow(std::int64_t step, StepLoad& load) {
  const auto& host_of = job_.placement.host_of;
  routes_.clear();
  bundles_.clear();
  const RankId procs = job_.procs();
  HostId next = host_of[phase_.to(0, step, procs)];
  for (RankId rank = 0; rank < procs;) {
    const HostId from = host_of[rank];
    const HostId to = next;
    std::int64_t messages = 0;
    do {
      ++messages;
      if (++rank == procs) break;
      next = host_of[phase_.to(rank, step, procs)];
    } while (host_of[rank] == from && next == to);
    job_.machine.message_links(from, to, room_);
    const auto message_bytes = static_cast<double>(phase_.message_bytes);
    Seconds latency_s = 0;
    for (const LinkId link : room_) {
      const LinkCost& cost = cost_of(link);
      const Seconds message_s = message_bytes * cost.byte_time_s;
      busy_s_[link] =
          cost.is_shared ? busy_s_[link] + static_cast<double>(messages) * message_s : message_s;
      latency_s += cost.latency_s;
    }
    load.latency_s += static_cast<double>(messages) * latency_s;
    routes_.insert(routes_.end(), room_.begin(), room_.end());
    bundles_.push_back({messages, routes_.size()});
  }
}

const StepLoad& StepLoads::of(std::int64_t step) {
  const auto [known, is_new] = known_.try_emplace(step);
  if (is_new) known->second = computed(step);
  return known->second;
}

StepLoad StepLoads::computed(std::int64_t step) {
  StepLoad load;
  follow(step, load);
  std::size_t at = 0;
  for (const Bundle& bundle : bundles_) {
    Seconds busiest_s = 0;
    for (; at < bundle.end; ++at) busiest_s = std::max(busiest_s, busy_s_[routes_[at]]);
    load.bottleneck_s += static_cast<double>(bundle.messages) * busiest_s;
    load.most_bottleneck_s = std::max(load.most_bottleneck_s, busiest_s);
  }
  for (const LinkId link : routes_) busy_s_[link] = 0;
  load.bottleneck_s /= job_.procs();
  load.latency_s /= job_.procs();
  return load;
}

std::int64_t StepLoads::cost() {
  StepLoad unused;
  follow(phase_.count / 2, unused);
  for (const LinkId link : routes_) busy_s_[link] = 0;
  return static_cast<std::int64_t>(routes_.size()) + job_.procs();
}

namespace {

using algorithms::StepPhase;
using algorithms::StepSample;
using runtime::count_messages;
using runtime::MessageCounts;

// Messages by size and by whether they remain inside a node.
using Tally = std::map<std::pair<Bytes, bool>, std::int64_t>;

void add(MessageCounts& counts, const StepJob& job, const Tally& tally) {
  for (const auto& [message, messages] : tally)
    count_messages(counts, job.machine, message.second, message.first, messages);
}

bool is_inside(const StepJob& job, RankId from, RankId to) {
  return job.placement.host_of[from] == job.placement.host_of[to];
}

// Counts the messages of a step whose sizes depend on the receivers at most.
void add_step(MessageCounts& counts, const StepJob& job, const StepPhase& phase, std::int64_t step,
              std::int64_t times) {
  Tally tally;
  for (RankId rank = 0; rank < job.procs(); ++rank) {
    const RankId to = phase.to(rank, step, job.procs());
    tally[{phase.bytes_of(to), is_inside(job, rank, to)}] += times;
  }
  add(counts, job, tally);
}

// Counts a message from every rank to every other rank.
void add_all_pairs(MessageCounts& counts, const StepJob& job, const StepPhase& phase) {
  std::unordered_map<platforms::HostId, std::int64_t> ranks_of;
  for (const auto host : job.placement.host_of) ++ranks_of[host];
  Tally tally;
  for (RankId to = 0; to < job.procs(); ++to) {
    const Bytes bytes = phase.bytes_of(to);
    const std::int64_t on_host = ranks_of[job.placement.host_of[to]];
    tally[{bytes, true}] += on_host - 1;
    tally[{bytes, false}] += job.procs() - on_host;
  }
  add(counts, job, tally);
}

// Counts the messages of a ring with unequal blocks, except those of the first steps: every rank
// would send all blocks, from which the blocks of these steps and its own (that of step 0) are
// subtracted.
void add_blocks(MessageCounts& counts, const StepJob& job, const StepPhase& phase,
                std::int64_t first_steps) {
  const std::int64_t procs = job.procs();
  std::map<Bytes, std::int64_t> blocks_of;
  for (std::int64_t block = 0; block < procs; ++block) ++blocks_of[phase.bytes_of(block)];
  Tally tally;
  for (RankId rank = 0; rank < procs; ++rank) {
    const bool inside = is_inside(job, rank, phase.to(rank, 1, job.procs()));
    for (const auto& [bytes, blocks] : blocks_of) tally[{bytes, inside}] += blocks;
    for (std::int64_t step = 0; step <= first_steps; ++step)
      --tally[{phase.bytes_of((rank + phase.ahead + 1 - step + 2 * procs) % procs), inside}];
  }
  add(counts, job, tally);
}

// Message counts of the steps of a phase that are not in the sample.
MessageCounts omitted(const StepJob& job, const StepPhase& phase,
                      std::span<const std::int64_t> sampled) {
  MessageCounts counts;
  if (phase.period == 0) {
    TUTTI_CHECK(phase.count == job.procs() - 1, "expected one step for each other rank");
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

// A rank's block of the vector: its mean size in whole elements, rounded; at least one element.
Bytes block_bytes(const algorithms::CollectiveArgs& args, RankId procs) {
  const Bytes elements = (args.message_bytes / args.element_bytes + procs / 2) / procs;
  return std::min(args.message_bytes, std::max<Bytes>(1, elements) * args.element_bytes);
}

// Simulates the steps of `sample`, or all if it is null.
Result<engines::Outcome> simulate(const StepJob& job, StepSample* sample, Seconds event_window_s) {
  auto call = job.point.call;
  call.args.sample = sample;
  engines::Job simulated{.machine = job.machine,
                         .placement = job.placement,
                         .program = workloads::program_of(call),
                         .contention = job.point.contention,
                         .event_window_s = event_window_s,
                         .working_set = job.working_set_of_call()};
  if (job.watcher != nullptr) simulated.observers.push_back(job.watcher);
  auto outcome = engines::run(job.point.engine, simulated);
  if (!outcome.problems.empty()) return errors_of(outcome.problems);
  return outcome;
}

}  // namespace

Point call_of_ranks(const StepJob& job, RankId procs) {
  Point point = job.point;
  auto& call = point.call;
  if (!algorithms::find_collective(call.algorithm->collective)->in_blocks)
    call.args.message_bytes = block_bytes(call.args, job.procs()) * procs;
  point.placement.procs = procs;
  return point;
}

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

Bytes StepJob::working_set_of_call() const {
  return working_set.value_or(workloads::working_set(point.call, procs()));
}

StepJob StepJob::represented_by(const Point& smaller, const platforms::Machine& on,
                                const platforms::Placement& placed) const {
  return {.point = smaller,
          .machine = on,
          .placement = placed,
          .phases = phases_of(smaller),
          .watcher = watcher,
          .working_set = working_set_of_call()};
}

std::int64_t SampledRun::simulated_steps(const StepJob& job) const {
  std::size_t steps = 0;
  for (std::size_t phase = 0; phase < job.phases.size(); ++phase)
    steps += sample.steps(phase).size();
  return static_cast<std::int64_t>(steps);
}

Result<SampledRun> run(const StepJob& job, std::vector<StepSample::Chosen> chosen,
                       Seconds event_window_s, StepSample::GoesOn goes_on) {
  SampledRun sampled{StepSample(job.procs(), std::move(chosen), std::move(goes_on)), {}, {}};
  auto outcome = TUTTI_TRY(simulate(job, &sampled.sample, event_window_s));
  sampled.end_s = std::move(outcome.end_s);
  sampled.counts = outcome.counts;
  return sampled;
}

Result<std::vector<Seconds>> run_whole(const StepJob& job, Seconds event_window_s) {
  return TUTTI_TRY(simulate(job, nullptr, event_window_s)).end_s;
}

MessageCounts counts_of_exchange(const StepJob& job) {
  const StepPhase equal{.message_bytes = job.point.call.args.message_bytes};
  MessageCounts counts;
  add_all_pairs(counts, job, job.phases.empty() ? equal : job.phases.front());
  return counts;
}

MessageCounts counts_of_part(const StepJob& job, const MessageCounts& all, const StepSample& part) {
  MessageCounts counts = all;
  for (std::size_t i = 0; i < job.phases.size(); ++i) {
    const MessageCounts others = omitted(job, job.phases[i], part.steps(i));
    for (const auto field : runtime::message_counts_fields) counts.*field -= others.*field;
  }
  return counts;
}

MessageCounts counts_of_all(const StepJob& job, const SampledRun& run) {
  MessageCounts all = run.counts;
  for (std::size_t i = 0; i < job.phases.size(); ++i) {
    const MessageCounts more = omitted(job, job.phases[i], run.sample.steps(i));
    for (const auto field : runtime::message_counts_fields)
      runtime::add_bytes(all.*field, more.*field);
  }
  return all;
}

}  // namespace tutti::jobs::extrapolation

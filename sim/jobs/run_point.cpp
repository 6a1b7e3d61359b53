// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/run_point.hpp"

#include "algorithms/models/message_cost.hpp"
#include "algorithms/nccl/nvls.hpp"
#include "platforms/changed_machine.hpp"
#include "sim/base/quantile.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "sim/jobs/bus_bandwidth.hpp"
#include "sim/jobs/expected_accuracy.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/verification.hpp"
#include "workloads/delivery_contract.hpp"
#include "workloads/schedules/schedule_recorder.hpp"

namespace tutti::jobs {
namespace {

using platforms::Machine;

constexpr std::size_t most_problems_reported = 5;

Error run_error(std::string message) { return make_error(ErrorKind::run, "", std::move(message)); }

void add_models(const Point& point, const Machine& machine, Record& record) {
  const algorithms::Algorithm* algorithm = point.call.algorithm;
  const algorithms::ModelArgs model = model_args(point, machine);
  if (algorithm->cost == nullptr) return;
  const Seconds hockney_s = algorithms::models::hockney(*algorithm, model, machine.hockney);
  if (std::isnan(hockney_s)) return;  // a nested call has no formula
  record.model_hockney_s = hockney_s;
  record.model_hockney_set = machine.hockney.set;
  record.model_loggp_s = algorithms::models::loggp(*algorithm, model, machine.loggp);
  record.model_loggp_set = machine.loggp.set;
}

void add_times(const std::vector<Seconds>& end_s, Record& record) {
  TUTTI_CHECK(!end_s.empty(), "a job has ranks");
  record.time_s = *std::max_element(end_s.begin(), end_s.end());
  record.time_min_s = *std::min_element(end_s.begin(), end_s.end());
  const double mean_s =
      std::accumulate(end_s.begin(), end_s.end(), 0.0) / static_cast<double>(end_s.size());
  // Rounding must not make the mean of equal times exceed them.
  record.time_mean_s = std::clamp(mean_s, *record.time_min_s, *record.time_s);
}

// Adds the times of a job with measured repetitions.
void add_latencies(const workloads::Measurement& measured, const std::vector<Seconds>& latencies,
                   Record& record) {
  add_times(measured.rank_means(), record);
  record.time_s = median_of(latencies);
  record.time_mean_s = std::min(*record.time_mean_s, *record.time_s);
  if (!record.skew.empty()) record.after_last_arrival_s = median_of(measured.after_last_arrival());
  add_repetitions(latencies, record);
}

void add_interval_and_bandwidth(const Machine& machine, Record& record) {
  if (!record.time_s) return;
  record.busbw_Bps =
      bus_bandwidth(record.collective, record.procs, record.message_bytes, record.time_s);
  const auto accuracy = expected_accuracy(
      machine, {record.collective, record.nodes, record.ppn, record.message_bytes});
  if (!accuracy) return;
  const double within = accuracy->factor * (1 + record.start_spread.value_or(0));
  record.confidence_basis = accuracy->basis;
  record.confidence_low_s = *record.time_s / within;
  record.confidence_high_s = *record.time_s * within;
}

void add_counts(const runtime::MessageCounts& counts, Record& record) {
  record.messages = counts.messages;
  record.wire_bytes = counts.wire_bytes;
  record.eager_messages = counts.eager_messages;
  record.detached_messages = counts.detached_messages;
  record.rendezvous_messages = counts.rendezvous_messages;
  record.intra_node_messages = counts.intra_node_messages;
  record.intra_node_bytes = counts.intra_node_bytes;
}

void add_extrapolated(const extrapolation::Extrapolated& reported, Record& record) {
  record.time_s = reported.time_s;
  record.time_mean_s = std::clamp(reported.time_mean_s, reported.time_min_s, reported.time_s);
  record.time_min_s = reported.time_min_s;
  record.steps = reported.steps;
  record.simulated_steps = reported.simulated_steps;
  record.extrapolation = reported.method;
  record.extrapolation_error = reported.error;
  add_counts(reported.counts, record);
}

// Returns an error if results that need one route per message are requested, but messages are
// divided over several routes.
std::optional<Error> check_one_route(const Point& point, const Machine& machine) {
  if (!machine.divides_messages() || !(point.inside.links || point.inside.path))
    return std::nullopt;
  const char* const option = point.inside.links ? "--links" : "--critical-path";
  return usage_error(option,
                     fmt::format("{} needs one path per message, but messages are divided over "
                                 "several (mpi/routing, mpi/rails)",
                                 option),
                     "--set mpi/routing=hashed gives each pair of ranks one of them");
}

// Returns an error if the call is a schedule, and something is requested that does not apply to it.
std::optional<Error> check_schedule(const Point& point) {
  const auto& scheduled = point.call.scheduled;
  if (!scheduled) return std::nullopt;
  const auto& schedule = *scheduled->scheduled.schedule;
  if (schedule.has_any_tag && !point.benchmark.is_plain())
    return usage_error(
        "--benchmark",
        fmt::format("receives of any tag in {} would match messages of barriers", scheduled->name),
        "name the tags, or simulate one call");
  if (!point.goal_file.empty() && !schedule.is_program)
    return usage_error("--goal",
                       fmt::format("{} is a schedule of dependencies, which has no order of "
                                   "operations to write",
                                   scheduled->name),
                       "omit --goal");
  if (schedule.cpus == 1) return std::nullopt;
  const char* const option = point.inside.path             ? "--critical-path"
                             : !point.inside.trace.empty() ? "--trace"
                                                           : nullptr;
  if (option == nullptr) return std::nullopt;
  return usage_error(option,
                     fmt::format("{} needs one CPU per rank, but those of {} have {}", option,
                                 scheduled->name, schedule.cpus),
                     fmt::format("omit {}", option));
}

// Writes the operations of the ranks to the point's GOAL file, if it names one. The job is
// simulated once more, with ranks that start at the same time.
std::optional<Error> write_goal(const Point& point, engines::Job job) {
  if (point.goal_file.empty()) return std::nullopt;
  workloads::schedules::ScheduleRecorder recorder(point.placement.procs);
  job.program = workloads::program_of(point.call);
  job.observers = {&recorder};
  engines::run(engines::EngineKind::flow, job);
  if (recorder.has_hardware())
    return usage_error("--goal", "a schedule cannot express collectives in hardware",
                       "name another algorithm");
  const auto& call = point.call;
  const auto* collective = algorithms::find_collective(call.algorithm->collective);
  std::optional<workloads::schedules::ScheduledCall> described;
  if (call.args.counts == nullptr && collective->name != workloads::schedules::schedule_word)
    described = {std::string(collective->name), call.args.message_bytes, call.args.element_bytes,
                 call.args.root};
  return recorder.write(point.goal_file, described,
                        {fmt::format("{}, on {}", name_of(point), job.machine.name)});
}

// The problems of a job that did not end well; empty if it did.
std::vector<Error> find_run_problems(const Point& point, const engines::Outcome& outcome) {
  if (point.call.scheduled)
    if (auto errors = workloads::schedules::unfinished(*point.call.scheduled, outcome);
        !errors.empty())
      return errors;
  return errors_of(outcome.problems);
}

// Whether messages have contents; those of a schedule of dependencies do not.
bool has_data(const Point& point) {
  const auto& scheduled = point.call.scheduled;
  if (scheduled && !scheduled->scheduled.schedule->is_program) return false;
  return workloads::contract_size(point.call.algorithm->collective, point.placement.procs) > 0;
}

// Engine `ideal` also verifies the data on all ranks, unless there are too many: with these limits
// the verification takes a few seconds and some hundred MB more (alltoall of 1,024 ranks).
engines::Outcome run_engine(const Point& point, const engines::Job& job) {
  constexpr std::int64_t most_contributions = 1 << 20, most_work = 1 << 26;
  const int procs = point.placement.procs;
  const std::string_view collective = point.call.algorithm->collective;
  if (point.engine != engines::EngineKind::ideal || !point.benchmark.is_plain() ||
      !has_data(point) || workloads::contract_size(collective, procs) > most_contributions)
    return engines::run(point.engine, job);
  auto contract = workloads::delivery_contract(collective, procs, point.call.args);
  contract.most_work = most_work;
  return engines::run_ideal(job, contract);
}

// Equivalent ranks are not simulated once in benchmarks, whose programs record times, and in
// schedules, which refer to ranks.
engines::Folding choose_folding(const Point& point) {
  const bool is_possible = point.folds && point.benchmark.is_plain() && !point.call.scheduled;
  return is_possible ? engines::Folding::automatic : engines::Folding::off;
}

// Simulates the whole call, without extrapolation: builds the engine's Job, runs it and fills the
// record from its outcome.
Result<Answer> simulate_in_full(const Point& point, const Machine& machine,
                                platforms::Placement placement, runtime::Observer* watcher) {
  engines::TrafficCounter traffic;
  Inside inside(point.inside, machine, placement, point.contention);
  ExaminedStart examined;
  workloads::Measurement measured(point.placement.procs, point.benchmark.repetitions_run());
  engines::Job job{.machine = machine,
                   .placement = placement,
                   .program = {},
                   .observers = inside.observers(),
                   .contention = point.contention,
                   .working_set = workloads::working_set(point.call, point.placement.procs),
                   .noise = point.benchmark.noise,
                   .folding = choose_folding(point)};
  if (point.call.algorithm->posts_to_all) job.most_messages = messages_that_fit(machine);
  if (point.want_traffic) job.observers.push_back(&traffic);
  if (watcher != nullptr) job.observers.push_back(watcher);
  if (may_depend_on_start(point, placement)) examined = examine_start(point, job);
  const bool is_simulated =
      examined.outcome && point.engine == engines::EngineKind::flow && job.observers.empty();
  if (is_simulated)
    measured = std::move(examined.measured);
  else
    job.program = make_program(point, examined.start, measured);
  auto outcome = is_simulated ? *std::move(examined.outcome) : run_engine(point, job);
  if (auto errors = find_run_problems(point, outcome); !errors.empty()) return errors;
  if (auto error = write_goal(point, job)) return *std::move(error);
  const bool timed = point.engine != engines::EngineKind::ideal;
  Answer answer;
  answer.record = describe_point(point, placement);
  if (!timed && has_data(point)) answer.record.data_verified = outcome.data_verified;
  if (timed) {
    answer.record.starts = examined.simulated;
    answer.record.start_spread = examined.spread;
  }
  if (timed && point.benchmark.is_plain()) {
    add_times(outcome.end_s, answer.record);
  } else if (timed) {
    answer.latency_s = measured.latencies();
    add_latencies(measured, answer.latency_s, answer.record);
  }
  add_counts(workloads::counts_of_one_call(outcome.counts, point.benchmark, machine, placement),
             answer.record);
  add_interval_and_bandwidth(machine, answer.record);
  add_models(point, machine, answer.record);
  answer.traffic = traffic.rows();
  auto seen = inside.answer();
  if (!seen) return run_error("too many messages in flight to determine the critical path");
  answer.inside = std::move(*seen);
  if (point.want_ranks || point.inside.any()) answer.host_of = std::move(placement.host_of);
  if (point.want_ranks && timed) answer.end_s = std::move(outcome.end_s);
  return answer;
}

// The machine as the call sees it: its GPUs, or its memory. Null: the machine itself.
Result<std::unique_ptr<const Machine>> machine_of_call(const Point& point, const Machine& machine,
                                                       const platforms::Placement& placement) {
  const auto protocol = point.call.algorithm->device_protocol;
  if (!protocol)
    return platforms::for_call_on_nodes(
        machine, workloads::node_load(point.call, point.placement.procs, placement.ppn));
  if (!machine.devices)
    return make_error(ErrorKind::input, "--algorithm",
                      fmt::format("{} runs on GPUs, of which {} has no description",
                                  point.call.algorithm->name, machine.name),
                      "a platform with GPUs has the keys gpu/count and gpu/link_bandwidth");
  if (placement.ppn > machine.devices->per_node)
    return make_error(ErrorKind::input, "--ppn",
                      fmt::format("{} ranks per node exceed the {} of {}", placement.ppn,
                                  counted(machine.devices->per_node, "GPU"), machine.name),
                      "each rank of NCCL is a GPU");
  auto derived = platforms::for_devices(machine, *protocol);
  if (!algorithms::nccl::uses_multicast(*point.call.algorithm))
    return std::make_unique<const Machine>(std::move(derived));
  if (!machine.devices->has_multicast)
    return make_error(ErrorKind::input, "--algorithm",
                      fmt::format("{} needs a switch that combines and copies, which {} lacks",
                                  point.call.algorithm->name, machine.name),
                      "gpu/multicast declares it; the nccl_ring algorithms need none");
  derived.intra.efficiency = platforms::Piecewise(algorithms::nccl::data_per_multicast_byte(
      machine.devices->architecture, std::min(placement.ppn, point.placement.procs)));
  return std::make_unique<const Machine>(std::move(derived));
}

// Extrapolates the point if that is requested and possible, evaluates only its formulas if that is
// requested, and else simulates it in full.
Result<Answer> run_or_extrapolate(const Point& point, const Machine& any_call,
                                  runtime::Observer* watcher) {
  auto placement = TUTTI_TRY(platforms::place(any_call, point.placement));
  const auto changed = TUTTI_TRY(machine_of_call(point, any_call, placement));
  const Machine& machine = changed == nullptr ? any_call : *changed;
  if (auto error = check_one_route(point, machine)) return *std::move(error);
  if (auto error = check_schedule(point)) return *std::move(error);
  std::optional<extrapolation::Extrapolated> extrapolated;
  if (!point.model_only) {
    extrapolated = TUTTI_TRY(extrapolation::extrapolate(point, machine, placement, watcher));
    if (!extrapolated) return simulate_in_full(point, machine, std::move(placement), watcher);
  }
  Answer answer;
  answer.record = describe_point(point, placement);
  if (extrapolated) add_extrapolated(*extrapolated, answer.record);
  add_interval_and_bandwidth(machine, answer.record);
  add_models(point, machine, answer.record);
  return answer;
}

}  // namespace

bool has_model(const Point& point, const Machine& machine) {
  Record record;
  add_models(point, machine, record);
  return record.model_hockney_s.has_value();
}

algorithms::ModelArgs model_args(const Point& point, const Machine& machine) {
  return {point.placement.procs, point.call.args,
          machine.combine_Bps
              ? (*machine.combine_Bps)(workloads::working_set(point.call, point.placement.procs))
              : std::numeric_limits<double>::infinity()};
}

Record describe_point(const Point& point, const platforms::Placement& placement) {
  Record record;
  const algorithms::Algorithm* algorithm = point.call.algorithm;
  const algorithms::CollectiveArgs& args = point.call.args;
  record.collective = algorithm->collective;
  record.algorithm = algorithm->name;
  record.requested_algorithm = point.requested_algorithm;
  record.decided_by = point.call.decided_by;
  record.runs_as = workloads::runs_as(point.call, point.placement.procs);
  if (record.runs_as.empty()) record.runs_as = workloads::nccl_names(*algorithm, args.fanout);
  record.algorithm_id = algorithm->id;
  record.procs = point.placement.procs;
  record.nodes = placement.nodes;
  record.ppn = placement.ppn;
  record.map = map_name(point.placement);
  record.message_bytes = args.message_bytes;
  record.segment_bytes = args.segment_bytes;
  if (algorithm->default_fanout > 0) record.fanout = args.fanout;
  const auto& collective = *algorithms::find_collective(algorithm->collective);
  if (collective.rooted) record.root = args.root;
  record.element_bytes = args.element_bytes;
  record.counts = point.counts;
  if (algorithm->limits_requests) record.max_requests = args.max_requests;
  if (collective.reduces) record.commutative = args.commutative;
  if (point.benchmark.harness != nullptr) record.benchmark = point.benchmark.harness->name;
  describe_benchmark(point.benchmark, record);
  record.engine = engines::engine_name(point.engine);
  record.engine_is_chosen = point.engine_is_chosen;
  if (point.engine != engines::EngineKind::ideal)
    record.contention = engines::contention_name(point.contention);
  if (point.model_only) describe_as_model(record);
  return record;
}

std::vector<Error> errors_of(const std::vector<std::string>& problems) {
  std::vector<Error> errors;
  for (const auto& problem : problems) {
    if (errors.size() == most_problems_reported) {
      errors.push_back(run_error(
          fmt::format("... and {} more problems", problems.size() - most_problems_reported)));
      break;
    }
    errors.push_back(run_error(problem));
  }
  return errors;
}

Result<Answer> run_point(const Point& point, const Machine& machine, runtime::Observer* watcher) {
  auto answer = TUTTI_TRY(run_or_extrapolate(point, machine, watcher));
  if (auto error =
          verify(point, answer.record, [&](const Point& same) { return run_point(same, machine); }))
    return *std::move(error);
  return answer;
}

}  // namespace tutti::jobs

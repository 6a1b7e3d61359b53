// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/run_io.hpp"

#include "io_models/extrapolation.hpp"
#include "io_models/storage/storage.hpp"
#include "io_models/two_phase_model.hpp"
#include "platforms/servers.hpp"
#include "sim/base/quantile.hpp"
#include "sim/jobs/io_event_window.hpp"
#include "sim/jobs/io_limits.hpp"
#include "sim/jobs/planned_calls.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/record.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/jobs/verification.hpp"

namespace tutti::jobs {
namespace {

using engines::EngineKind;
using io_models::CycleChoice;
using io_models::CycleMethod;
using platforms::Machine;
using platforms::Placement;

// Counts only messages that are visible to a user's MPI program.
class UserTraffic : public engines::TrafficCounter {
 public:
  void on_send(const runtime::SentMessage& message) override {
    if (io_models::is_user_tag(message.tag)) TrafficCounter::on_send(message);
  }
};

// One simulation of some of the cycles.
struct Simulated {
  std::optional<io_models::IoTimes> times;  // unset: the repeated cycles are not steady
  std::vector<Seconds> latency_s;           // of each repetition, if repetitions are measured
  Seconds after_last_arrival_s = 0;
  std::vector<engines::TrafficRow> traffic;
  std::vector<platforms::HostId> host_of;
  InsideAnswer inside;
  IoRecord load;  // only the fields about the load on the machine
};

// Sequences with more messages are sampled: they repeat themselves more than the cycles of a call.
constexpr std::int64_t most_messages_of_calls = 4'000'000;

// The data shared by the ranks of a job.
struct Calls {
  PlannedCalls planned;
  std::vector<Seconds> end_s;  // of each simulated call, by its last rank
  workloads::Measurement measured;
  std::vector<io_models::AggregatorSpent> spent;  // by aggregator, sum over repetitions
  Seconds opened_s = 0;                           // when the last rank so far has opened the file
  Inside inside;
};

class IoRun {
 public:
  IoRun(const IoPoint& point, const Machine& machine, Placement placement,
        runtime::Observer* watcher = nullptr)
      : point_(point),
        machine_(machine),
        watcher_(watcher),
        placement_(std::move(placement)),
        plan_(*point.access, placement_, point.plan) {}

  Result<IoAnswer> run() {
    if (is_sequence(point_)) return run_calls();
    auto choice = TUTTI_TRY(first_choice());
    auto simulated = TUTTI_TRY(simulate(choice));
    if (!simulated.times) {  // simulate more cycles, or all
      choice = TUTTI_TRY(other_choice());
      simulated = TUTTI_TRY(simulate(choice));
      TUTTI_CHECK(simulated.times, "a sample has times");
    }
    return answer(choice, std::move(simulated));
  }

  IoAnswer model() const {
    IoAnswer answer;
    describe(answer.record);
    add_model(answer.record);
    return answer;
  }

  IoRecord describe_point() {
    IoRecord record;
    describe(record);
    if (!point_.engine_is_chosen && !point_.model_only)
      record.engine = engines::engine_name(point_.engine);
    return record;
  }

 private:
  bool may_extrapolate() const {
    return !point_.takes_all_cycles() &&
           (point_.engine_is_chosen || point_.engine == EngineKind::flow);
  }

  io_models::CycleLimits limits() const {
    return {.storage_period = point_.storage.file_targets() * point_.storage.stripe_bytes,
            .runs_ahead_bytes = std::max(machine_.inter.eager_max, machine_.intra.eager_max),
            .empty_ones_count = empty_cycles_take_time(point_)};
  }

  Result<CycleChoice> first_choice() const {
    if (point_.only_cycle) {
      CycleChoice only = io_models::all_cycles(plan_.redistribution());
      only.runs = {{.first = *point_.only_cycle, .count = 1, .simulated = 1}};
      return only;
    }
    if (!may_extrapolate()) return io_models::all_cycles(plan_.redistribution());
    if (point_.storage.has_metadata()) return other_choice();
    CycleChoice choice = io_models::repeated_cycles(plan_.redistribution(), limits());
    if (choice.method == CycleMethod::repeated) return choice;
    return other_choice();
  }

  Result<CycleChoice> other_choice() const {
    CycleChoice choice = io_models::sampled_cycles(plan_.redistribution(), limits());
    if (!choice.runs.empty()) return choice;
    if (limits().empty_ones_count && !choice.covers_all())
      return make_error(ErrorKind::run, "",
                        fmt::format("{} cycles are too many: all cycles of a file with holes must "
                                    "be simulated if ranks exchange sizes in each",
                                    choice.all_cycles),
                        "use --setup off, which omits this exchange, or a larger --buffer-size");
    return make_error(
        ErrorKind::run, "",
        fmt::format("{} cycles with about {} messages are too many, and cannot be sampled",
                    choice.all_cycles, io_models::estimated_messages(plan_.redistribution())),
        fmt::format("sampling requires messages above the eager limit ({}), and two cycles of at "
                    "most {} messages: try --set mpi/eager_limit=SIZE, or another --buffer-size; "
                    "--extrapolate off simulates all cycles",
                    format_bytes(limits().runs_ahead_bytes), limits().most_messages));
  }

  // `choice` selects calls.
  Result<IoAnswer> run_calls() {
    const std::int64_t count = point_.calls ? point_.calls->count() : 1;
    const std::int64_t messages = messages_of_call(point_, plan_.redistribution());
    CycleChoice choice{CycleMethod::all, {{0, count, count}}, count};
    if (may_extrapolate() && count > 1)
      choice = io_models::chosen_calls(count, messages, {.most_messages = most_messages_of_calls});
    if (choice.runs.empty())
      return make_error(
          ErrorKind::run, "",
          fmt::format("{} calls with about {} messages each are too many, and too few of them "
                      "make a sample",
                      count, messages),
          "use a larger --buffer-size, or --extrapolate off");
    auto simulated = TUTTI_TRY(simulate(choice));
    return answer(choice, std::move(simulated));
  }

  // Times of an aggregator count from its own arrival; one without data ends at once.
  runtime::Task call(runtime::Rank& me, Calls& calls) const {
    const auto run =
        point_.writes ? point_.plan.implementation->write : point_.plan.implementation->read;
    const io_models::ShuffleJob& first = calls.planned.front()->job;
    const std::int32_t number = first.number_of[me.id()];
    const bool is_aggregator = number != io_models::ShuffleJob::none;
    if (is_aggregator) (*first.times)[number].now = {};
    const Seconds arrival_s = me.now();
    if (opens(is_aggregator)) {
      co_await io_models::open_file(me, *first.storage);
      calls.opened_s = std::max(calls.opened_s, me.now());
    }
    if (is_aggregator) {
      io_models::AggregatorTimes& times = (*first.times)[number];
      times.now.open_s = me.now() - arrival_s;
      times.before = times.now;
      times.before.end_s = me.now();
    }
    for (std::size_t i = 0; i < calls.planned.size(); ++i) {
      const auto& [merged, job] = std::tie(calls.planned[i]->merged, calls.planned[i]->job);
      if (merged && point_.writes) co_await io_models::collect_on_nodes(me, job, *merged);
      co_await run(me, job);
      if (merged && !point_.writes) co_await io_models::distribute_on_nodes(me, job, *merged);
      calls.end_s[i] = std::max(calls.end_s[i], me.now());
    }
    if (!is_aggregator) co_return;
    io_models::AggregatorSpent& spent = (*first.times)[number].now;
    if (spent.end_s > 0) spent.end_s -= arrival_s;
    io_models::add_spent(calls.spent[number], 1, spent);
  }

  // Whether a rank opens the file on a metadata server.
  bool opens(bool is_aggregator) const {
    return point_.storage.has_metadata() && (is_aggregator || !point_.only_aggregators_open);
  }

  // The ranks' clocks are read before the storage is closed, which is not part of the call.
  runtime::Task rank_program(runtime::Rank& me, Calls& calls) {
    const runtime::Program once = [&](runtime::Rank& rank) { return call(rank, calls); };
    co_await workloads::measure(me, once, point_.benchmark, calls.measured);
    last_end_s_ = std::max(last_end_s_, me.now());
    calls.inside.end_path_at(me.id());
    const auto& job = calls.planned.front()->job;
    const std::int32_t number = job.number_of[me.id()];
    const bool is_aggregator = number != io_models::ShuffleJob::none;
    if (opens(false))
      co_await io_models::close_storage(me, *job.storage, runtime::Group(0, point_.placement.procs),
                                        me.id());
    else if (is_aggregator)
      co_await io_models::close_storage(me, *job.storage, runtime::Group(job.aggregators), number);
  }

  // Gives each call access to what all calls share.
  void connect(Calls& calls, const CycleChoice& choice,
               std::vector<io_models::AggregatorTimes>& times, io_models::Storage& storage) const {
    for (const auto& call : calls.planned) {
      call->job.times = &times;
      call->job.storage = &storage;
      call->job.opened_s = &calls.opened_s;
      call->job.dates_steps = !is_sequence(point_) && choice.method != CycleMethod::all;
    }
  }

  Result<Simulated> simulate(const CycleChoice& choice) {
    io_models::Storage storage(point_.storage, point_.placement.procs);
    const auto with_servers = machine_of(point_, machine_);
    std::optional<Placement> with_ranks;
    if (with_servers)
      with_ranks = platforms::with_server_ranks(placement_, *with_servers, storage.rank_servers());
    const Machine& machine = with_servers ? *with_servers : machine_;
    const Placement& placement = with_ranks ? *with_ranks : placement_;
    std::vector<io_models::AggregatorTimes> times(plan_.aggregators().size());
    Calls calls{.planned = planned_calls(point_, placement_, choice),
                .end_s = {},
                .measured = {point_.placement.procs, point_.benchmark.repetitions_run()},
                .spent = std::vector<io_models::AggregatorSpent>(times.size()),
                .inside = Inside(inside_request(), machine, placement, point_.contention)};
    calls.end_s.resize(calls.planned.size());
    connect(calls, choice, times, storage);
    const io_models::ShuffleJob& job = calls.planned.front()->job;
    UserTraffic traffic;
    engines::Job all{.machine = machine,
                     .placement = placement,
                     .program =
                         [&](runtime::Rank& me) {
                           return storage.is_server(me.id())
                                      ? io_models::storage_server(me, storage)
                                      : rank_program(me, calls);
                         },
                     .observers = calls.inside.observers(),
                     .contention = point_.contention,
                     .noise = point_.benchmark.noise};
    if (point_.want_traffic) all.observers.push_back(&traffic);
    if (watcher_ != nullptr) all.observers.push_back(watcher_);
    std::optional<io_models::MessageTimes> dates;
    if (choice.method == CycleMethod::repeated) all.observers.push_back(&dates.emplace(job));
    if (may_merge_io_events(point_))
      all.event_window_s = io_event_window_s(choice, *job.schedule, machine_, placement_);
    last_end_s_ = 0;
    const auto outcome = engines::run(point_.engine, all);
    if (!outcome.problems.empty()) return errors_of(outcome.problems);
    Simulated simulated;
    simulated.times = io_models::extrapolate(
        {.choice = choice,
         .job = job,
         .dates = dates ? &*dates : nullptr,
         .end_s = last_end_s_,
         .merges_events = all.event_window_s > 0,
         .of_calls = is_sequence(point_) ? std::span(calls.end_s) : std::span<Seconds>()});
    if (!point_.benchmark.is_plain()) add_measured(calls, simulated);
    add_load(point_, choice, calls.planned, machine_, placement_, simulated.load);
    simulated.traffic = traffic.rows();
    auto seen = calls.inside.answer();
    if (!seen)
      return make_error(ErrorKind::run, "",
                        "too many messages in flight to determine the critical path");
    simulated.inside = *std::move(seen);
    if (point_.inside.any()) simulated.host_of = placement.host_of;
    return simulated;
  }

  // The request, with the storage targets added to traced ranks.
  InsideRequest inside_request() const {
    InsideRequest request = point_.inside;
    const auto procs = static_cast<runtime::RankId>(point_.placement.procs);
    if (!request.trace.empty() && point_.storage.exists())
      request.trace.push_back({procs, procs + point_.storage.ranks() - 1});
    return request;
  }

  void add_measured(const Calls& calls, Simulated& simulated) const {
    simulated.latency_s = calls.measured.latencies();
    simulated.after_last_arrival_s = median_of(calls.measured.after_last_arrival());
    io_models::IoTimes& times = *simulated.times;
    times.end_s = median_of(simulated.latency_s);
    for (std::size_t i = 0; i < times.spent.size(); ++i) {
      times.spent[i] = {};
      io_models::add_spent(times.spent[i], 1.0 / point_.benchmark.repetitions_run(),
                           calls.spent[i]);
    }
  }

  IoAnswer answer(const CycleChoice& choice, Simulated simulated) {
    IoAnswer answer{.record = std::move(simulated.load),
                    .traffic = std::move(simulated.traffic),
                    .aggregators = {},
                    .host_of = std::move(simulated.host_of),
                    .inside = std::move(simulated.inside)};
    IoRecord& record = answer.record;
    describe(record);
    record.engine = engines::engine_name(point_.engine);
    record.extrapolation = choice.method == CycleMethod::all        ? "none"
                           : choice.method == CycleMethod::repeated ? "repeated"
                                                                    : "sampled";
    record.sampling_error = simulated.times->sampling_error;
    if (point_.engine != EngineKind::ideal) add_times(*simulated.times, record);
    if (!simulated.latency_s.empty()) add_latencies(simulated, record);
    add_model(record);
    if (point_.want_aggregators) add_aggregators(simulated.times->spent, answer);
    return answer;
  }

  static void add_latencies(const Simulated& simulated, IoRecord& record) {
    if (!record.skew.empty()) record.after_last_arrival_s = simulated.after_last_arrival_s;
    add_repetitions(simulated.latency_s, record);
  }

  void add_aggregators(const std::vector<io_models::AggregatorSpent>& spent,
                       IoAnswer& answer) const {
    for (std::size_t i = 0; i < spent.size(); ++i) {
      const auto rank = plan_.aggregators()[i];
      answer.aggregators.push_back(
          {.rank = rank, .host = placement_.host_of[rank], .spent = spent[i]});
    }
  }

  void describe(IoRecord& record) const {
    const auto optional = [](std::int64_t value) {
      return value > 0 ? std::optional(value) : std::nullopt;
    };
    const auto& access = *point_.access;
    record.operation = point_.writes ? "write" : "read";
    record.implementation = point_.plan.implementation->name;
    const bool is_static = plan_.deals_out_units();
    if (point_.plan.implementation->is_collective)
      record.partitioning = point_.plan.by_groups() ? "groups" : is_static ? "static" : "even";
    if (is_static) record.stripe_bytes = plan_.redistribution().unit();
    record.decomposition = point_.decomposition;
    record.grid_rows = optional(point_.grid_rows);
    record.grid_columns = optional(point_.grid_columns);
    record.rows = optional(point_.rows);
    record.columns = optional(point_.columns);
    record.procs = point_.placement.procs;
    record.nodes = placement_.nodes;
    record.ppn = placement_.ppn;
    record.map = map_name(point_.placement);
    if (point_.calls) {
      record.calls = point_.calls->count();
      record.logged_s = point_.logged_s;
      record.file_bytes = point_.calls->bytes();
    } else {
      for (int rank = 0; rank < access.procs(); ++rank) record.file_bytes += access.bytes(rank);
    }
    record.bytes_per_proc = record.file_bytes / access.procs();
    record.aggregators = static_cast<std::int64_t>(plan_.aggregators().size());
    record.aggregators_are_chosen = point_.aggregators_are_chosen;
    record.aggregator_placement = point_.aggregator_placement;
    if (point_.node_leaders > 0) record.node_leaders = point_.node_leaders;
    record.buffer_bytes = point_.plan.buffer_bytes;
    if (point_.storage.exists()) record.storage = io_models::format_storage(point_.storage);
    if (point_.plan.implementation->has_setup) record.setup = point_.with_setup ? "on" : "off";
    describe_benchmark(point_.benchmark, record);
    record.engine_is_chosen = point_.engine_is_chosen;
    if (point_.engine != EngineKind::ideal)
      record.contention = engines::contention_name(point_.contention);
    if (point_.model_only) describe_as_model(record);
  }

  void add_times(const io_models::IoTimes& times, IoRecord& record) const {
    record.time_s = times.end_s;
    if (times.spent.empty()) return;
    io_models::AggregatorSpent most, sum;
    Seconds first_s = times.spent.front().end_s;
    for (const auto& spent : times.spent) {
      for (const auto part : io_models::parts_of_spent)
        most.*part = std::max(most.*part, spent.*part);
      io_models::add_spent(sum, 1, spent);
      first_s = std::min(first_s, spent.end_s);
    }
    if (point_.storage.has_metadata()) record.open_s = most.open_s;
    if (most.setup_s > 0) record.setup_s = most.setup_s;
    record.shuffle_s = most.shuffle_s;
    if (point_.storage.exists()) record.storage_s = most.storage_s;
    if (sum.storage_s > 0) record.overlap_fraction = 1 - sum.waited_s / sum.storage_s;
    record.aggregator_min_s = first_s;
    record.aggregator_max_s = most.end_s;
    record.aggregator_mean_s =
        std::clamp(sum.end_s / static_cast<double>(times.spent.size()), first_s, most.end_s);
  }

  // Bandwidth of the first link of the route from one host to another, in bytes/s.
  static double cable_Bps(const platforms::Topology& topology, platforms::HostId from,
                          platforms::HostId to) {
    std::vector<platforms::LinkId> route;
    topology.route(from, to, route);
    return topology.link(route.front()).bandwidth_Bps;
  }

  int most_aggregators_of_node() const {
    std::map<platforms::HostId, int> of_host;
    for (const auto rank : plan_.aggregators()) ++of_host[placement_.host_of[rank]];
    return std::ranges::max_element(of_host, {}, [](const auto& entry) { return entry.second; })
        ->second;
  }

  std::optional<Seconds> model_storage_s(io_models::Direction direction) const {
    io_models::StorageSpec storage = point_.storage;
    const auto host = placement_.host_of[plan_.aggregators().front()];
    const platforms::HostId server = machine_.topology->host_count();
    const Machine with = *machine_of(point_, machine_);
    storage.network_Bps = cable_Bps(*with.topology, server, host);
    return io_models::storage_time(*point_.model, io_models::io_loggp(machine_).G_s_per_B, storage,
                                   direction,
                                   {.aggregators = most_aggregators_of_node(),
                                    .nic_Bps = cable_Bps(*with.topology, host, server)});
  }

  void add_model(IoRecord& record) const {
    if (!point_.model) return;
    const auto parameters = io_models::parameters_of(*point_.model);
    if (!parameters) return;
    const auto direction = point_.writes ? io_models::Direction::write : io_models::Direction::read;
    const auto& loggp = io_models::io_loggp(machine_);
    const auto cost = io_models::shuffle_cost(*parameters, loggp, direction);
    record.n_s = parameters->n_s;
    record.n_as = parameters->n_as;
    record.n_r = parameters->n_r;
    record.n_ar = parameters->n_ar;
    record.m_s_bytes = parameters->m_s;
    record.model_send_s = cost.send_s;
    record.model_recv_s = cost.recv_s;
    record.model_loggp_s = cost.total_s();
    record.model_loggp_set = loggp.set;
    if (!point_.storage.exists()) return;
    if (const auto storage_s = model_storage_s(direction))
      record.model_total_s = cost.total_s() + *storage_s;
  }

  const IoPoint& point_;
  const Machine& machine_;
  runtime::Observer* watcher_;
  Placement placement_;
  io_models::Plan plan_;
  Seconds last_end_s_ = 0;
};

}  // namespace

std::optional<Machine> machine_of(const IoPoint& point, const Machine& machine) {
  if (!point.storage.exists()) return std::nullopt;
  return platforms::with_servers(
      machine, io_models::Storage(point.storage, point.placement.procs).servers());
}

Result<IoAnswer> run_point(const IoPoint& point, const Machine& machine,
                           runtime::Observer* watcher) {
  auto placement = TUTTI_TRY(platforms::place(machine, point.placement));
  IoRun run(point, machine, std::move(placement), watcher);
  if (point.model_only) return run.model();
  auto answer = TUTTI_TRY(run.run());
  if (auto error = verify(point, answer.record,
                          [&](const IoPoint& same) { return run_point(same, machine); }))
    return *std::move(error);
  return answer;
}

Result<IoRecord> describe_point(const IoPoint& point, const Machine& machine) {
  return IoRun(point, machine, TUTTI_TRY(platforms::place(machine, point.placement)))
      .describe_point();
}

}  // namespace tutti::jobs

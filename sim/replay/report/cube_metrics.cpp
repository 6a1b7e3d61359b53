// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/cube_metrics.hpp"

#include <deque>

namespace tutti::reports {
namespace {

using studies::replay::Cause;
using studies::replay::CauseTime;
using studies::replay::Metric;
using studies::replay::wait_kind_count;
using studies::replay::WaitKind;
using workloads::traces::MpiCall;

template <class... Kind>
constexpr std::uint64_t bits(Kind... kind) {
  return ((std::uint64_t{1} << static_cast<unsigned>(kind)) | ...);
}

constexpr std::uint64_t management =
    bits(MpiCall::init_exit, MpiCall::communicator, MpiCall::window_management);
constexpr std::uint64_t collectives =
    bits(MpiCall::one_to_all, MpiCall::all_to_one, MpiCall::all_to_all);
constexpr std::uint64_t communication =
    collectives | bits(MpiCall::point_to_point) | bits(MpiCall::one_sided);
constexpr std::uint64_t every_call = ~std::uint64_t{0};

// The tree of Scalasca's patterns, then the metrics that only Tutti has.
constexpr CubeMetric metric_tree[] = {
    {"visits", "", "Visits", "Number of visits", bits(Metric::visits), 0, true},
    {"time", "", "Time", "Total time of all ranks", bits(Metric::time)},
    {"mpi", "time", "MPI", "Time in MPI calls", 0, every_call},
    {"mpi_management", "mpi", "Management", "Time in MPI management calls", 0, management},
    {"mpi_init_exit", "mpi_management", "Init/Exit", "Time in MPI_Init and MPI_Finalize", 0,
     bits(MpiCall::init_exit)},
    {"mpi_mgmt_comm", "mpi_management", "Communicator",
     "Time in the management of communicators, groups and topologies", 0,
     bits(MpiCall::communicator)},
    {"mpi_mgmt_win", "mpi_management", "One-sided", "Time in the management of windows", 0,
     bits(MpiCall::window_management)},
    {"mpi_rma_wait_at_create", "mpi_mgmt_win", "Wait at Window Create",
     "Waiting time in the creation of a window until the last rank enters",
     bits(Metric::wait_at_window_create)},
    {"mpi_rma_wait_at_free", "mpi_mgmt_win", "Wait at Window Free",
     "Waiting time in MPI_Win_free until the last rank enters", bits(Metric::wait_at_window_free)},
    {"mpi_synchronization", "mpi", "Synchronization", "Time in MPI synchronization", 0,
     bits(MpiCall::barrier, MpiCall::window)},
    {"mpi_sync_collective", "mpi_synchronization", "Collective", "Time in MPI barriers", 0,
     bits(MpiCall::barrier)},
    {"mpi_barrier_wait", "mpi_sync_collective", "Wait at Barrier",
     "Waiting time in front of barriers: until the last rank enters",
     bits(Metric::wait_at_barrier)},
    {"mpi_barrier_completion", "mpi_sync_collective", "Barrier Completion",
     "Time in a barrier after the first rank has left it", bits(Metric::barrier_completion)},
    {"mpi_rma_synchronization", "mpi_synchronization", "One-sided",
     "Time in one-sided synchronization", 0, bits(MpiCall::window)},
    {"mpi_rma_wait_at_fence", "mpi_rma_synchronization", "Wait at Fence",
     "Waiting time in MPI_Win_fence until the last rank enters", bits(Metric::wait_at_fence)},
    {"mpi_rma_sync_late_post", "mpi_rma_synchronization", "Late Post",
     "Waiting time of an origin until its targets expose their windows", bits(Metric::late_post)},
    {"mpi_rma_early_wait", "mpi_rma_synchronization", "Early Wait",
     "Waiting time of a target until the accesses of its origins are complete",
     bits(Metric::early_wait)},
    {"mpi_rma_late_complete", "mpi_rma_early_wait", "Late Complete",
     "Waiting time in MPI_Win_wait after the last access of an origin",
     bits(Metric::late_complete)},
    {"mpi_rma_sync_lock_competition", "mpi_rma_synchronization", "Lock Contention",
     "Waiting time for a lock that another rank has", bits(Metric::lock_contention)},
    {"mpi_communication", "mpi", "Communication", "Time in MPI communication", 0, communication},
    {"mpi_point2point", "mpi_communication", "Point-to-point",
     "Time in point-to-point communication", 0, bits(MpiCall::point_to_point)},
    {"mpi_latesender", "mpi_point2point", "Late Sender",
     "Waiting time of a receiver until the send begins", bits(Metric::late_sender)},
    {"mpi_latesender_wo", "mpi_latesender", "Messages in Wrong Order",
     "Late senders due to messages that are received in the wrong order",
     bits(Metric::wrong_order_same_source, Metric::wrong_order_other_source)},
    {"mpi_lswo_different", "mpi_latesender_wo", "From different sources",
     "Wrong order of messages from different sources", bits(Metric::wrong_order_other_source)},
    {"mpi_lswo_same", "mpi_latesender_wo", "From same source",
     "Wrong order of messages from the same source", bits(Metric::wrong_order_same_source)},
    {"mpi_latereceiver", "mpi_point2point", "Late Receiver",
     "Waiting time of a sender until the receive is posted", bits(Metric::late_receiver)},
    {"mpi_collective", "mpi_communication", "Collective", "Time in collective communication", 0,
     collectives},
    {"mpi_earlyreduce", "mpi_collective", "Early Reduce",
     "Waiting time of the root of an n-to-1 operation until the first sender enters",
     bits(Metric::early_reduce)},
    {"mpi_earlyscan", "mpi_collective", "Early Scan",
     "Waiting time in a prefix reduction until all lower ranks have entered",
     bits(Metric::early_scan)},
    {"mpi_latebroadcast", "mpi_collective", "Late Broadcast",
     "Waiting time in a 1-to-n operation until the root enters", bits(Metric::late_broadcast)},
    {"mpi_wait_nxn", "mpi_collective", "Wait at N x N",
     "Waiting time in an n-to-n operation until the last rank enters", bits(Metric::wait_at_nxn)},
    {"mpi_nxn_completion", "mpi_collective", "N x N Completion",
     "Time in an n-to-n operation after the first rank has left it", bits(Metric::nxn_completion)},
    {"mpi_rma_communication", "mpi_communication", "One-sided", "Time in one-sided communication",
     0, bits(MpiCall::one_sided)},
    {"mpi_io", "mpi", "File I/O", "Time in MPI file I/O", 0, bits(MpiCall::file)},
    {"omp_barrier_wait", "time", "Wait at OpenMP Barrier",
     "Waiting time in barriers of threads until the last thread enters", bits(Metric::omp_barrier)},
    {"omp_lock_contention_critical", "time", "OpenMP Critical Lock Contention",
     "Waiting time for a critical section in which another thread is",
     bits(Metric::critical_contention)},
    {"thread_lock_contention", "time", "Thread Lock Contention",
     "Waiting time for a mutex that another thread has, or for a condition",
     bits(Metric::mutex_contention)},
    {"device_wait", "time", "Wait for Accelerator",
     "Waiting time of the host until operations of an accelerator end", bits(Metric::late_kernel)},
    {"omp_idle_threads", "", "OpenMP Idle Threads", "Time of threads outside parallel regions",
     bits(Metric::idle_threads)},
    {"blocked", "", "Blocked",
     "Time in calls until everything that they depend on had happened; it overlaps with the wait "
     "states",
     bits(Metric::blocked)},
    {"wait_and_transfer", "", "Wait and transfer",
     "Time in calls until everything that they depend on had happened and arrived; only in a "
     "replayed run",
     bits(Metric::wait_and_transfer)},
    {"critical_path", "", "Critical path", "Time on the critical path",
     bits(Metric::critical_path)},
    {"delay", "", "Delay costs", "Waits of other ranks that the call path causes",
     bits(Metric::delay_direct, Metric::delay_indirect)}};

// ---- the causes of waits ----

// The kinds of waits, with Scalasca's names, and the metric of the delays that such a kind is in.
struct NamedWait {
  WaitKind kind;
  std::string_view name, short_name, delays, shown;
};
constexpr NamedWait named_waits[] = {
    {WaitKind::late_sender, "latesender", "ls", "delay_p2p", "Late Sender"},
    {WaitKind::late_receiver, "latereceiver", "lr", "delay_p2p", "Late Receiver"},
    {WaitKind::barrier, "barrier", "barrier", "delay_collective", "Barrier"},
    {WaitKind::n_to_n, "n2n", "n2n", "delay_collective", "N x N"},
    {WaitKind::one_to_n, "12n", "12n", "delay_collective", "Late Broadcast"},
    {WaitKind::n_to_one, "n21", "n21", "delay_collective", "Early Reduce"},
    {WaitKind::scan, "scan", "scan", "delay_collective", "Early Scan"},
    {WaitKind::window, "rma", "rma", "delay_mpi", "One-sided"},
    {WaitKind::omp_barrier, "ompbarrier", "ompbarrier", "delay_omp", "OpenMP Barrier"},
    {WaitKind::idle_threads, "ompidle", "ompidle", "delay_omp", "OpenMP Idle Threads"},
    {WaitKind::device, "device", "device", "delay", "Accelerator"},
    {WaitKind::other, "other", "other", "delay", "Other"}};

constexpr std::uint64_t point_to_point_waits = bits(WaitKind::late_sender, WaitKind::late_receiver);
constexpr std::uint64_t collective_waits = bits(
    WaitKind::barrier, WaitKind::n_to_n, WaitKind::one_to_n, WaitKind::n_to_one, WaitKind::scan);
constexpr std::uint64_t mpi_waits =
    point_to_point_waits | collective_waits | bits(WaitKind::window);
constexpr std::uint64_t thread_waits = bits(WaitKind::omp_barrier, WaitKind::idle_threads);
constexpr std::uint64_t all_waits = (std::uint64_t{1} << wait_kind_count) - 1;

// The metrics of Cause, behind those that always exist.
class CauseMetrics {
 public:
  static std::vector<CubeMetric> behind(std::span<const CubeMetric> first) {
    CauseMetrics made;
    made.all_.assign(first.begin(), first.end());
    made.add_delays();
    made.add_waits({"waitstates_direct_vs_indirect",
                    "Direct and Indirect Waits",
                    {{Cause::wait_direct, "direct", "Direct",
                      "Waits that the work of the awaited rank causes"},
                     {Cause::wait_indirect, "indirect", "Indirect",
                      "Waits that waits of the awaited rank cause"}}},
                   &NamedWait::name);
    made.add_waits({"waitstates_propagating_vs_terminal",
                    "Propagating and Terminal Waits",
                    {{Cause::wait_propagating, "propagating", "Propagating",
                      "Waits that cause waits of other ranks"},
                     {Cause::wait_terminal, "terminal", "Terminal",
                      "Waits that cause no waits of other ranks"}}},
                   &NamedWait::short_name);
    made.add_impact();
    return std::move(made.all_);
  }

 private:
  struct Part {
    Cause cause;
    std::string_view name, shown, description;
  };
  struct Split {
    std::string_view name, shown;
    std::vector<Part> parts;
  };

  // The texts are kept until the program ends.
  static std::string_view keep(std::string text) {
    static std::deque<std::string> kept;
    return kept.emplace_back(std::move(text));
  }
  void add(std::string name, std::string_view parent, std::string shown, std::string description,
           std::uint64_t causes, std::uint64_t kinds) {
    all_.push_back({.name = keep(std::move(name)),
                    .parent = parent,
                    .shown = keep(std::move(shown)),
                    .description = keep(std::move(description)),
                    .causes = static_cast<std::uint32_t>(causes),
                    .kinds = static_cast<std::uint32_t>(kinds)});
  }

  // The root `delay` is the last metric before.
  void add_delays() {
    constexpr auto both = bits(Cause::delay, Cause::delay_longterm);
    add("delay_mpi", "delay", "MPI", "Waits in MPI calls", both, mpi_waits);
    add("delay_p2p", "delay_mpi", "Point-to-point", "Waits in point-to-point communication", both,
        point_to_point_waits);
    for (const NamedWait& wait : named_waits) {
      if (wait.kind == WaitKind::barrier)
        add("delay_collective", "delay_mpi", "Collective", "Waits in collectives", both,
            collective_waits);
      if (wait.kind == WaitKind::omp_barrier)
        add("delay_omp", "delay", "Threads", "Waits of threads", both, thread_waits);
      const auto name = fmt::format("delay_{}", wait.name);
      const auto kind = bits(wait.kind);
      add(name + "_aggregate", wait.delays, std::string(wait.shown),
          fmt::format("Waits of the kind {}", wait.shown), both, kind);
      const std::string_view parent = all_.back().name;
      add(name, parent, "Short-term", "Waits that the excess time of the call path causes",
          bits(Cause::delay), kind);
      add(name + "_longterm", parent, "Long-term",
          "The same, propagated through the waits of the awaited ranks",
          bits(Cause::delay_longterm), kind);
    }
  }

  void add_waits(const Split& split, std::string_view NamedWait::*name) {
    const auto both = bits(split.parts[0].cause, split.parts[1].cause);
    add(std::string(split.name), "", std::string(split.shown), "All waits", both, all_waits);
    for (const Part& part : split.parts) {
      const auto stem = fmt::format("mpi_wait_{}", part.name);
      add(stem, split.name, std::string(part.shown), std::string(part.description),
          bits(part.cause), mpi_waits);
      const std::string_view parent = all_.back().name;
      for (const NamedWait& wait : named_waits)
        if ((mpi_waits & bits(wait.kind)) != 0)
          add(fmt::format("{}_{}", stem, wait.*name), parent, std::string(wait.shown),
              std::string(part.description), bits(part.cause), bits(wait.kind));
    }
    for (const Part& part : split.parts)
      for (const NamedWait& wait : named_waits)
        if ((mpi_waits & bits(wait.kind)) == 0)
          add(fmt::format("wait_{}_{}", part.name, wait.*name), split.name,
              fmt::format("{}, {}", part.shown, wait.shown), std::string(part.description),
              bits(part.cause), bits(wait.kind));
  }

  void add_impact() {
    constexpr auto imbalance = bits(Cause::imbalance_within, Cause::imbalance_between);
    const auto put = [&](const char* name, const char* parent, const char* shown,
                         const char* description, std::uint64_t causes) {
      add(name, parent, shown, description, causes, all_waits);
    };
    put("performance_impact", "", "Performance impact",
        "Use of all ranks by call paths, with the waits that they cause",
        imbalance | bits(Cause::critical_activity, Cause::other_activity));
    put("performance_impact_criticalpath", "performance_impact", "Critical-path activities",
        "Use of all ranks by call paths on the critical path",
        imbalance | bits(Cause::critical_activity));
    put("critical_path_activities", "performance_impact_criticalpath", "Activity impact",
        "Time in call paths, at most that on the critical path", bits(Cause::critical_activity));
    put("critical_imbalance_impact", "performance_impact_criticalpath",
        "Critical-path imbalance impact",
        "Waits that imbalance of call paths on the critical path causes", imbalance);
    put("intra_partition_imbalance", "critical_imbalance_impact", "Intra-partition imbalance",
        "The same, of ranks that enter the call path", bits(Cause::imbalance_within));
    put("inter_partition_imbalance", "critical_imbalance_impact", "Inter-partition imbalance",
        "The same, of ranks that do not enter the call path", bits(Cause::imbalance_between));
    put("non_critical_path_activities", "performance_impact", "Non-critical-path activities",
        "Time in call paths beyond that on the critical path", bits(Cause::other_activity));
  }

  std::vector<CubeMetric> all_;
};

}  // namespace

std::span<const CubeMetric> cube_metrics(bool has_causes) {
  static const auto all = CauseMetrics::behind(metric_tree);
  return has_causes ? std::span(all) : metric_tree;
}

std::uint64_t cube_call(const workloads::traces::TraceRegion& region) {
  return region.is_mpi ? bits(workloads::traces::mpi_call(region.name)) : 0;
}

std::int64_t cube_value(const CubeMetric& metric, const studies::replay::Metrics& values,
                        std::span<const CauseTime> causes, std::uint64_t call) {
  if (metric.causes != 0) {
    std::int64_t sum = 0;
    for (const CauseTime& time : causes)
      if ((metric.causes & bits(time.cause)) != 0 && (metric.kinds & bits(time.kind)) != 0)
        sum += time.ticks;
    return sum;
  }
  if (metric.sums == 0) return (metric.calls & call) != 0 ? values[Metric::time] : 0;
  std::int64_t sum = 0;
  for (std::uint64_t left = metric.sums; left != 0; left &= left - 1)
    sum += values[static_cast<std::size_t>(std::countr_zero(left))];
  return sum;
}

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/report/cube_metrics.hpp"

namespace tutti::reports {
namespace {

using studies::replay::Metric;
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
    {"omp_barrier_wait", "time", "Wait at OpenMP Barrier",
     "Waiting time in barriers of threads until the last thread enters", bits(Metric::omp_barrier)},
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
     bits(Metric::delay_direct, Metric::delay_indirect)},
    {"delay_direct", "delay", "Direct", "Waits that the excess time of the call path causes",
     bits(Metric::delay_direct)},
    {"delay_indirect", "delay", "Indirect",
     "The same, propagated through the waits of the awaited ranks", bits(Metric::delay_indirect)}};

}  // namespace

std::span<const CubeMetric> cube_metrics() { return metric_tree; }

std::uint64_t cube_call(const workloads::traces::TraceRegion& region) {
  return region.is_mpi ? bits(workloads::traces::mpi_call(region.name)) : 0;
}

std::int64_t cube_value(const CubeMetric& metric, const studies::replay::Metrics& values,
                        std::uint64_t call) {
  if (metric.sums == 0) return (metric.calls & call) != 0 ? values[Metric::time] : 0;
  std::int64_t sum = 0;
  for (std::uint64_t left = metric.sums; left != 0; left &= left - 1)
    sum += values[static_cast<std::size_t>(std::countr_zero(left))];
  return sum;
}

}  // namespace tutti::reports

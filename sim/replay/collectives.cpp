// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/collectives.hpp"

#include <cerrno>
#include <system_error>

namespace tutti::studies::replay {
namespace {

constexpr Ticks never = std::numeric_limits<Ticks>::min();
constexpr Ticks end_of_time = std::numeric_limits<Ticks>::max();

// The wait states by one of the two times of all members.
class WaitStates {
 public:
  WaitStates(const CollectiveInstance& instance, Ticks Times::*which, MetricTable& metrics)
      : instance_(instance), which_(which), metrics_(metrics) {}

  void add() {
    if (instance_.members.size() < 2) return;
    switch (instance_.op) {
      case CollectiveOp::barrier:
        add_common(Metric::wait_at_barrier, Metric::barrier_completion, false);
        break;
      case CollectiveOp::allreduce:
      case CollectiveOp::allgather:
      case CollectiveOp::allgatherv:
      case CollectiveOp::alltoall:
      case CollectiveOp::reduce_scatter:
      case CollectiveOp::reduce_scatter_block:
        add_common(Metric::wait_at_nxn, Metric::nxn_completion, true);
        break;
      case CollectiveOp::bcast:
      case CollectiveOp::scatter:
      case CollectiveOp::scatterv:
        add_late_broadcast();
        break;
      case CollectiveOp::reduce:
      case CollectiveOp::gather:
      case CollectiveOp::gatherv:
        add_early_reduce();
        break;
      case CollectiveOp::scan:
      case CollectiveOp::exscan:
        add_early_scan();
        break;
      default:
        break;
    }
  }

 private:
  Ticks enter(const CollectiveMember& member) const { return member.enter.*which_; }
  Ticks leave(const CollectiveMember& member) const { return member.leave.*which_; }

  void wait(const CollectiveMember& member, Metric metric, Ticks until) {
    const Ticks waited = std::min(until, leave(member)) - enter(member);
    if (waited > 0) metrics_.add(member.rank, member.path, metric, waited);
  }

  void add_common(Metric waiting, Metric completion, bool looks_at_bytes) {
    Ticks last_enter = never, first_leave = end_of_time, last_of_all = never;
    for (const auto& member : instance_.members) {
      if (!looks_at_bytes || member.sent_bytes > 0)
        last_enter = std::max(last_enter, enter(member));
      last_of_all = std::max(last_of_all, enter(member));
      first_leave = std::min(first_leave, leave(member));
    }
    const Ticks begin = std::max(first_leave, last_of_all);
    for (const auto& member : instance_.members) {
      if (last_enter != never && (!looks_at_bytes || member.received_bytes > 0))
        wait(member, waiting, last_enter);
      if (leave(member) > begin)
        metrics_.add(member.rank, member.path, completion, leave(member) - begin);
    }
  }

  void add_late_broadcast() {
    if (instance_.root >= instance_.members.size()) return;
    const auto& root = instance_.members[instance_.root];
    for (const auto& member : instance_.members)
      if (&member != &root && member.received_bytes > 0)
        wait(member, Metric::late_broadcast, enter(root));
  }

  // Relative to the earliest sender.
  void add_early_reduce() {
    if (instance_.root >= instance_.members.size()) return;
    const auto& root = instance_.members[instance_.root];
    Ticks first = end_of_time;
    for (const auto& member : instance_.members)
      if (&member != &root && member.sent_bytes > 0) first = std::min(first, enter(member));
    if (first != end_of_time) wait(root, Metric::early_reduce, first);
  }

  void add_early_scan() {
    Ticks last = never;
    for (const auto& member : instance_.members) {
      last = std::max(last, enter(member));
      wait(member, Metric::early_scan, last);
    }
  }

  const CollectiveInstance& instance_;
  Ticks Times::*which_;
  MetricTable& metrics_;
};

}  // namespace

WaitsFor waits_for(CollectiveOp op, bool is_root) {
  switch (op) {
    case CollectiveOp::bcast:
    case CollectiveOp::scatter:
    case CollectiveOp::scatterv:
      return is_root ? WaitsFor::nobody : WaitsFor::root;
    case CollectiveOp::reduce:
    case CollectiveOp::gather:
    case CollectiveOp::gatherv:
      return is_root ? WaitsFor::all : WaitsFor::nobody;
    case CollectiveOp::scan:
      return WaitsFor::lower_ranks_and_itself;
    case CollectiveOp::exscan:
      return WaitsFor::lower_ranks;
    default:
      return WaitsFor::all;
  }
}

// An empty range if the member does not wait.
std::pair<std::uint32_t, std::uint32_t> CollectiveInstance::awaited(std::uint32_t member) const {
  const auto all = static_cast<std::uint32_t>(members.size());
  switch (waits_for(op, member == root)) {
    case WaitsFor::root:
      return root < all ? std::pair(root, root + 1) : std::pair(0U, 0U);
    case WaitsFor::all:
      return {0, all};
    case WaitsFor::lower_ranks:
      return {0, member};
    case WaitsFor::lower_ranks_and_itself:
      return {0, member + 1};
    case WaitsFor::nobody:
      break;
  }
  return {0, 0};
}

std::optional<Times> CollectiveInstance::latest_cause(std::uint32_t member) const {
  if (waits_for(op, member == root) == WaitsFor::all)
    return entered < members.size() ? std::nullopt : std::optional(last_enter);
  Times latest{never, never};
  const auto [begin, end] = awaited(member);
  for (std::uint32_t i = begin; i < end; ++i) {
    if (!members[i].has_entered) return std::nullopt;
    latest.before = std::max(latest.before, members[i].enter.before);
    latest.after = std::max(latest.after, members[i].enter.after);
  }
  return latest;
}

std::optional<std::uint32_t> CollectiveInstance::latest_member(std::uint32_t member,
                                                               Ticks Times::*which) const {
  if (waits_for(op, member == root) == WaitsFor::all)
    return which == &Times::before ? last_before : last_after;
  const auto [begin, end] = awaited(member);
  if (begin == end) return std::nullopt;
  std::uint32_t latest = begin;
  for (std::uint32_t i = begin; i < end; ++i)
    if (members[i].enter.*which > members[latest].enter.*which) latest = i;
  return latest;
}

void add_wait_states(const CollectiveInstance& instance, MetricTable& before, MetricTable& after) {
  WaitStates(instance, &Times::before, before).add();
  WaitStates(instance, &Times::after, after).add();
}

std::uint32_t MemberNumbers::of(std::uint32_t comm, TraceRank rank) {
  const auto& members = definitions_.communicators[comm].members;
  if (members.empty()) return 0;
  if (rank < members.size() && members[rank] == rank) return rank;
  auto& numbers = numbers_[comm];
  if (numbers.empty())
    for (std::size_t i = 0; i < members.size(); ++i)
      numbers[members[i]] = static_cast<std::uint32_t>(i);
  const auto found = numbers.find(rank);
  if (found == numbers.end())  // readers check this, so the stored events are damaged
    throw std::system_error(EIO, std::generic_category(), "a temporary file is damaged");
  return found->second;
}

CollectiveInstance MemberNumbers::instance(TraceRank rank, const Event& event) {
  CollectiveInstance made;
  const auto& members = definitions_.communicators[event.comm].members;
  made.op = event.op;
  made.first_rank = rank;
  made.members.resize(std::max<std::size_t>(1, members.size()));
  for (std::size_t i = 0; i < members.size(); ++i) made.members[i].rank = members[i];
  if (members.empty()) made.members.front().rank = rank;
  made.root = event.id == workloads::traces::none ? event.id : of(event.comm, event.id);
  return made;
}

}  // namespace tutti::studies::replay

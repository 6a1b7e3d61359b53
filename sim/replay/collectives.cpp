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
    if (instance_.members.front().kind.is_neighborhood) return add_neighbors();
    if (instance_.of == Kind::window) return add_window();
    switch (instance_.op) {
      case CollectiveOp::barrier:
        add_barrier();
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
  using Kind = workloads::traces::TraceCommunicator::Kind;

  Ticks begin(const CollectiveMember& member) const { return member.begin.*which_; }
  Ticks enter(const CollectiveMember& member) const { return member.enter.*which_; }
  Ticks leave(const CollectiveMember& member) const { return member.leave.*which_; }

  void add(const CollectiveMember& member, Metric metric, Ticks begin, Ticks ticks) {
    metrics_.add_wait(metric,
                      {.begin = begin, .ticks = ticks, .rank = member.rank, .path = member.path});
  }
  void wait(const CollectiveMember& member, Metric metric, Ticks until) {
    if (member.is_tested) return;
    const Ticks waited = std::min(until, leave(member)) - enter(member);
    if (waited > 0) add(member, metric, enter(member), waited);
  }

  void add_common(Metric waiting, Metric completion, bool looks_at_bytes) {
    Ticks last_begin = never, first_leave = end_of_time, last_of_all = never;
    for (const auto& member : instance_.members) {
      if (!looks_at_bytes || member.sent_bytes > 0)
        last_begin = std::max(last_begin, begin(member));
      last_of_all = std::max(last_of_all, begin(member));
      first_leave = std::min(first_leave, leave(member));
    }
    const Ticks all_begun = std::max(first_leave, last_of_all);
    for (const auto& member : instance_.members) {
      if (last_begin != never && (!looks_at_bytes || member.received_bytes > 0))
        wait(member, waiting, last_begin);
      const Ticks from = std::max(all_begun, enter(member));
      if (leave(member) > from) add(member, completion, from, leave(member) - from);
    }
  }

  void add_barrier() {
    if (instance_.of == Kind::mpi)
      return add_common(Metric::wait_at_barrier, Metric::barrier_completion, false);
    for (const auto& member : instance_.members)
      wait(member, Metric::omp_barrier, instance_.last_begin.*which_);
  }

  // Calls that do not all overlap are not synchronized.
  void add_window() {
    const Metric waiting = instance_.op == CollectiveOp::barrier ? Metric::wait_at_fence
                           : instance_.frees                     ? Metric::wait_at_window_free
                                                                 : Metric::wait_at_window_create;
    const Ticks last = instance_.last_begin.*which_;
    if (std::ranges::all_of(instance_.members, [&](auto& each) { return leave(each) > last; }))
      for (const auto& member : instance_.members) wait(member, waiting, last);
  }

  // As N x N, but each member waits for its neighbors.
  void add_neighbors() {
    for (std::uint32_t i = 0; i < instance_.members.size(); ++i)
      if (const auto last = instance_.latest_member(i, which_))
        wait(instance_.members[i], Metric::wait_at_nxn, begin(instance_.members[*last]));
  }

  void add_late_broadcast() {
    if (instance_.root >= instance_.members.size()) return;
    const auto& root = instance_.members[instance_.root];
    for (const auto& member : instance_.members)
      if (&member != &root && member.received_bytes > 0)
        wait(member, Metric::late_broadcast, begin(root));
  }

  // Relative to the earliest sender.
  void add_early_reduce() {
    if (instance_.root >= instance_.members.size()) return;
    const auto& root = instance_.members[instance_.root];
    Ticks first = end_of_time;
    for (const auto& member : instance_.members)
      if (&member != &root && member.sent_bytes > 0) first = std::min(first, begin(member));
    if (first != end_of_time) wait(root, Metric::early_reduce, first);
  }

  void add_early_scan() {
    Ticks last = never;
    for (const auto& member : instance_.members) {
      last = std::max(last, begin(member));
      wait(member, Metric::early_scan, last);
    }
  }

  const CollectiveInstance& instance_;
  Ticks Times::*which_;
  MetricTable& metrics_;
};

}  // namespace

template <class Visit>
void CollectiveInstance::each_awaited(WaitsFor waits, std::uint32_t member,
                                      const Visit& visit) const {
  const auto all = static_cast<std::uint32_t>(members.size());
  const auto range = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end && visit(i); ++i) {
    }
  };
  switch (waits) {
    case WaitsFor::nobody:
      return;
    case WaitsFor::root:
      return range(root, root < all ? root + 1 : root);
    case WaitsFor::all:
      return range(0, all);
    case WaitsFor::lower_ranks:
      return range(0, member);
    case WaitsFor::lower_ranks_and_itself:
      return range(0, member + 1);
    case WaitsFor::some:
      if (some == nullptr || member >= some->size()) return range(0, all);
      for (const std::uint32_t other : (*some)[member])
        if (other < all && !visit(other)) return;
  }
}

std::optional<Times> CollectiveInstance::latest_cause_of(WaitsFor waits,
                                                         std::uint32_t member) const {
  if (waits == WaitsFor::all)
    return entered < members.size() ? std::nullopt : std::optional(last_begin);
  Times latest{never, never};
  bool is_complete = true;
  each_awaited(waits, member, [&](std::uint32_t i) {
    is_complete = members[i].has_entered;
    latest.before = std::max(latest.before, members[i].begin.before);
    latest.after = std::max(latest.after, members[i].begin.after);
    return is_complete;
  });
  return is_complete ? std::optional(latest) : std::nullopt;
}

// Threads that take the next part when they are idle begin the barrier at most one part after the
// mean.
std::optional<std::pair<Ticks, Ticks>> CollectiveInstance::range_of_last() const {
  SharedWork shared;
  Ticks least_shift = end_of_time, most_shift = never;
  __int128 sum = 0;
  for (const auto& member : members) {
    shared.has_any |= member.shared_work.has_any;
    shared.largest = std::max(shared.largest, member.shared_work.largest);
    least_shift = std::min(least_shift, member.begin.after - member.begin.before);
    most_shift = std::max(most_shift, member.begin.after - member.begin.before);
    sum += member.begin.after;
  }
  constexpr Ticks rounding = 1000;  // the inverse of its effect
  if (!shared.has_any || (most_shift - least_shift - 2) * rounding <= shared.largest)
    return std::nullopt;
  const auto mean = static_cast<Ticks>(sum / static_cast<__int128>(members.size()));
  return std::pair(mean, std::max(last_begin.after, mean + shared.largest));
}

CollectiveGroup CollectiveInstance::group(std::uint32_t comm) const {
  const CollectiveKind& kind = members.front().kind;
  return {.comm = comm,
          .op = op,
          .root = root,
          .is_nonblocking = kind.is_nonblocking,
          .is_neighborhood = kind.is_neighborhood};
}

WaitKind CollectiveInstance::kind_of_wait() const {
  using Kind = workloads::traces::TraceCommunicator::Kind;
  if (of == Kind::window) return WaitKind::window;
  if (of == Kind::team) return WaitKind::omp_barrier;
  switch (op) {
    case CollectiveOp::barrier:
      return WaitKind::barrier;
    case CollectiveOp::bcast:
    case CollectiveOp::scatter:
    case CollectiveOp::scatterv:
      return WaitKind::one_to_n;
    case CollectiveOp::reduce:
    case CollectiveOp::gather:
    case CollectiveOp::gatherv:
      return WaitKind::n_to_one;
    case CollectiveOp::scan:
    case CollectiveOp::exscan:
      return WaitKind::scan;
    case CollectiveOp::other:
      return WaitKind::other;
    default:
      return WaitKind::n_to_n;
  }
}

void CollectiveInstance::enter(std::uint32_t member, const Times& begin) {
  auto& mine = members[member];
  mine.has_entered = true;
  mine.begin = begin;
  if (begin.before > last_begin.before) last_before = member;
  if (begin.after > last_begin.after) last_after = member;
  last_begin.before = std::max(last_begin.before, begin.before);
  last_begin.after = std::max(last_begin.after, begin.after);
  ++entered;
}

std::optional<std::uint32_t> CollectiveInstance::latest_member(std::uint32_t member,
                                                               Ticks Times::*which) const {
  if (members[member].waits == WaitsFor::all)
    return which == &Times::before ? last_before : last_after;
  std::optional<std::uint32_t> latest;
  each_awaited(members[member].waits, member, [&](std::uint32_t i) {
    if (!latest || members[i].begin.*which > members[*latest].begin.*which) latest = i;
    return true;
  });
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
  const auto entry = numbers.find(rank);
  if (entry == numbers.end())  // readers check this, so the stored events are damaged
    throw std::system_error(EIO, std::generic_category(), "a temporary file is damaged");
  return entry->second;
}

CollectiveInstance MemberNumbers::instance(TraceRank rank, const Event& event,
                                           const WaitRules& rules, bool is_neighborhood) {
  CollectiveInstance made;
  const auto& [name, members, kind, neighbors] = definitions_.communicators[event.comm];
  made.op = event.op;
  made.of = kind;
  made.first_rank = rank;
  made.is_nonblocking = event.kind == workloads::traces::EventKind::icollective_end;
  made.members.resize(std::max<std::size_t>(1, members.size()));
  for (std::size_t i = 0; i < members.size(); ++i) made.members[i].rank = members[i];
  if (members.empty()) made.members.front().rank = rank;
  made.root = event.id == workloads::traces::none ? event.id : of(event.comm, event.id);
  const CollectiveGroup group{.comm = event.comm,
                              .op = event.op,
                              .root = made.root,
                              .is_nonblocking = event.kind == EventKind::icollective_end,
                              .is_neighborhood = is_neighborhood};
  if (is_neighborhood && !neighbors.empty()) {
    made.some = &neighbors;
  } else if (const auto learned = rules.members.find(group); learned != rules.members.end()) {
    made.some = &learned->second;
  }
  return made;
}

}  // namespace tutti::studies::replay

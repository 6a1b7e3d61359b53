// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_collectives.hpp"

namespace tutti::studies::replay {
namespace {

void count_violations(const CollectiveInstance& instance, Violations& violations) {
  if (instance.is_implicit) return;
  for (std::uint32_t i = 0; i < instance.members.size(); ++i)
    if (const auto cause = instance.latest_cause(i))
      violations.look_at(cause->before, instance.members[i].ended, &Violations::collectives);
}

}  // namespace

CollectiveInstance& CollectiveReplay::instance_of(const CollectiveNumber& number,
                                                  const RankState& me, const Event& event) {
  auto& instance = instances_[number];
  if (instance.members.empty()) {
    const bool is_abandoned = instance.is_abandoned;
    const CollectiveKind kind = kind_of(event, false, region_name(me.call));
    instance = members_.instance(me.rank, event, state_.rules, kind.is_neighborhood);
    instance.is_abandoned = is_abandoned;
    instance.frees = region_name(me.call).starts_with("MPI_Win_free");
  }
  return instance;
}

// The place at which the waiting members of a collective meet; `pair` if not all members are there
// at the same time.
Causes::Place CollectiveReplay::place_of(const CollectiveInstance& instance, std::uint32_t comm,
                                         Causes::Place pair) const {
  if (waits_for(instance.op, false) != WaitsFor::all ||
      waits_for(instance.op, true) != WaitsFor::all ||
      instance.members.front().kind.is_neighborhood || instance.is_nonblocking)
    return pair;
  return instance.members.size() == state_.ranks.size() ? Causes::everybody
                                                        : Causes::communicator(comm);
}

void CollectiveReplay::read_begins(RankState& me) {
  if (!state_.scan->has_nonblocking) return;
  CollectiveProgress& mine = me.collectives;
  for (const Event& event : me.call.events) {
    if (event.kind != EventKind::collective_request) continue;
    if (!mine.ahead) mine.ahead = std::make_unique<CollectivesAhead>(state_.trace, me.rank);
    if (const auto completion = mine.ahead->completion(event.request))
      mine.open[event.request] = {*completion, mine.counts[completion->comm]++};
  }
}

void CollectiveReplay::begin(RankState& me, const Event& request) {
  const auto open = me.collectives.open.find(request.request);
  if (open != me.collectives.open.end()) enter(me, open->second.completion);
}

CollectiveReplay::Member CollectiveReplay::enter(RankState& me, const Event& event) {
  const CollectiveNumber number = me.number_of(event, state_.definitions());
  auto& instance = instance_of(number, me, event);
  const std::uint32_t member = members_.of(event.comm, me.rank);
  auto& mine = instance.members[member];
  if (mine.has_entered) return {number, instance, member};
  const bool is_root = member == instance.root;
  mismatches_.look_at(number, instance, me.rank, event, state_.definitions());
  mine.kind = kind_of(event, is_root, region_name(me.call));
  mine.waits = state_.is_on_platform ? waits_for(event.op, is_root) : state_.rules.of(mine.kind);
  mine.enter = me.call.enter();
  mine.path = me.call.path;
  mine.ended = event.time;
  mine.sent_bytes = event.sent_bytes;
  mine.received_bytes = event.bytes;
  if (instance.of == workloads::traces::TraceCommunicator::Kind::team)
    mine.shared_work = std::exchange(me.shared_work, {});
  if (state_.causes) mine.marks = state_.marks(me, place_of(instance, event.comm, Causes::unknown));
  instance.is_implicit = me.call.implicit.has_value();
  instance.enter(member, mine.enter);
  ++state_.result.collectives;
  if (event.kind == EventKind::collective_end) me.call.collectives.push_back(number);
  // The last member wakes those that wait for all.
  const bool is_complete = instance.entered == instance.members.size();
  std::erase_if(instance.waiting, [&](TraceRank waiting) {
    const auto other = members_.of(event.comm, waiting);
    if (!is_complete && instance.members[other].waits == WaitsFor::all) return false;
    state_.wake(waiting);
    return true;
  });
  return {number, instance, member};
}

bool CollectiveReplay::gather(RankState& me, const Event& event) {
  const auto open = me.collectives.open.find(event.tag);
  if (open == me.collectives.open.end()) return true;
  // The same call may have begun it.
  const auto [number, instance, member] = enter(me, event);
  const auto cause = instance.latest_cause(member);
  if (!cause && !instance.is_abandoned && !me.call.gives_up) {
    instance.waiting.push_back(me.rank);
    return false;
  }
  auto& mine = instance.members[member];
  mine.enter = me.call.enter();
  mine.is_tested = state_.kind_of(me.call).tests;
  mine.path = me.call.path;
  me.call.collectives.push_back(number);
  me.collectives.open.erase(open);
  if (!cause || cause->before == INT64_MIN) return true;
  me.call.received.push_back({.source = me.rank,
                              .enter = *cause,
                              .sent = *cause,
                              .bytes = std::max(event.bytes, event.sent_bytes),
                              .recorded_bytes = std::max(event.bytes, event.sent_bytes),
                              .is_nonblocking = true,
                              .what = Received::What::collective,
                              .op = event.op,
                              .ended = event.time});
  return true;
}

void CollectiveReplay::forget(RankState& me, const Event& event) {
  if (event.kind == EventKind::collective_end) count(me, event);
  if (event.kind == EventKind::icollective_end) me.collectives.open.erase(event.tag);
}

void CollectiveReplay::leave_call(RankState& me) {
  ReplayResult& result = state_.result;
  for (const CollectiveNumber& number : me.call.collectives) {
    const auto entry = instances_.find(number);
    auto& instance = entry->second;
    instance.members[members_.of(number.comm, me.rank)].leave = me.call.leave();
    if (++instance.left < instance.members.size()) continue;
    count_violations(instance, result.violations);
    if (state_.learner != nullptr) state_.learner->collective(instance, number.comm);
    add_wait_states(instance, result.before, result.after);
    instances_.erase(entry);
  }
}

std::optional<CollectiveReplay::Cause> CollectiveReplay::last_cause(const RankState& me,
                                                                    const CollectiveNumber& number,
                                                                    Ticks Times::*time) {
  const auto& instance = instances_.at(number);
  const auto last = instance.latest_member(members_.of(number.comm, me.rank), time);
  if (!last || !instance.members[*last].marks) return std::nullopt;
  const auto& member = instance.members[*last];
  return Cause{member, place_of(instance, number.comm, Causes::pair_of(member.rank)),
               instance.kind_of_wait()};
}

}  // namespace tutti::studies::replay

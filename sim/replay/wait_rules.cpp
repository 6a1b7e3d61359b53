// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/wait_rules.hpp"

#include "sim/replay/collectives.hpp"

namespace tutti::studies::replay {
namespace {

// Four classes per power of two.
int size_class(std::uint64_t bytes) {
  if (bytes < 4) return static_cast<int>(bytes);
  const int power = std::bit_width(bytes) - 1;
  return 4 * power + static_cast<int>((bytes >> (power - 2)) & 3);
}

// Libraries send messages of this size at once.
constexpr std::uint64_t surely_eager_bytes = 4096;
// Members of the largest communicator for which it is learned who waits for whom, and the number of
// collectives that are compared with the result.
constexpr std::size_t most_learned_members = 2048;
constexpr std::size_t most_sampled = 64;

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

CollectiveKind kind_of(const workloads::traces::Event& end, bool is_root, std::string_view region) {
  return {.op = end.op,
          .is_root = is_root,
          .is_nonblocking = end.kind == workloads::traces::EventKind::icollective_end,
          .is_neighborhood =
              region.starts_with("MPI_Neighbor_") || region.starts_with("MPI_Ineighbor_"),
          .size_class = static_cast<int>(std::bit_width(std::max(end.bytes, end.sent_bytes)))};
}

std::string collective_name(const CollectiveKind& kind) {
  std::string name(workloads::traces::collective_op_names[static_cast<std::size_t>(kind.op)]);
  if (!kind.is_nonblocking) name[0] = static_cast<char>(std::toupper(name[0]));
  return fmt::format("MPI_{}{}{}", kind.is_nonblocking ? "I" : "", name,
                     kind.is_root ? " (root)" : "");
}

WaitsFor WaitRules::of(const CollectiveKind& kind) const {
  if (kind.is_neighborhood) return WaitsFor::some;
  const WaitsFor defined = waits_for(kind.op, kind.is_root);
  if (collectives.empty() || defined == WaitsFor::all) return defined;
  const auto entry = collectives.find(kind);
  return entry == collectives.end() ? defined : entry->second;
}

std::optional<WaitRules> WaitRules::with_doubtful() const {
  if (doubtful_bytes >= synchronous_bytes && doubtful_collectives.empty()) return std::nullopt;
  WaitRules all = *this;
  all.synchronous_bytes = std::min(synchronous_bytes, doubtful_bytes);
  all.collectives.insert(doubtful_collectives.begin(), doubtful_collectives.end());
  return all;
}

// ---- evidence ----

void WaitEvidence::add(Ticks begin, Ticks end, Ticks event) {
  if (event > end) {
    ++against_;
    return;
  }
  ++count_;
  const Ticks from_begin = std::max<Ticks>(0, end - begin);
  const Ticks from_event = end - std::max(std::min(begin, end), event);
  waited_ += static_cast<double>(from_begin - from_event);
  after_begin_ += static_cast<double>(from_begin);
  after_event_ += static_cast<double>(from_event);
  least_after_begin_ = std::min(least_after_begin_, from_begin);
  least_after_event_ = std::min(least_after_event_, from_event);
}

// Compares how much the times until the end vary, from the begin and from the event.
bool WaitEvidence::waits(bool if_unclear) const {
  if (count_ == 0 || 20 * against_ > count_) return false;
  const auto calls = static_cast<double>(count_);
  const double from_begin = after_begin_ - calls * static_cast<double>(least_after_begin_);
  const double from_event = after_event_ - calls * static_cast<double>(least_after_event_);
  if (from_begin > 0.05 * after_begin_) return from_event < 0.5 * from_begin;
  return if_unclear ? waited_ > 0 : waited_ > 0.8 * after_begin_;
}

// ---- learning ----

void WaitLearner::send(std::uint64_t bytes, Ticks begin, Ticks end, Ticks posted) {
  auto& of_size = sends_[size_class(bytes)];
  of_size.least_bytes = std::min(of_size.least_bytes, bytes);
  of_size.evidence.add(begin, end, posted);
}

void WaitLearner::collective(const CollectiveInstance& instance, std::uint32_t comm) {
  if (instance.members.size() < 2) return;
  look_at_members(instance, comm);
  if (instance.members.front().kind.is_neighborhood) return;
  Ticks last = INT64_MIN;
  for (const auto& member : instance.members) last = std::max(last, member.begin.before);
  for (std::uint32_t i = 0; i < instance.members.size(); ++i) {
    const auto& me = instance.members[i];
    const WaitsFor defined = waits_for(me.kind.op, me.kind.is_root);
    if (defined == WaitsFor::all) continue;
    Ticks begin = me.enter.before;
    if (defined != WaitsFor::nobody)
      if (const auto cause = instance.latest_cause_of(defined, i))
        begin = std::max(begin, cause->before);
    auto& of_kind = collectives_[me.kind];
    of_kind.all.add(begin, me.leave.before, last);
    if (defined == WaitsFor::nobody && !me.kind.is_root && instance.root < instance.members.size())
      of_kind.root.add(begin, me.leave.before, instance.members[instance.root].begin.before);
  }
}

// A member that leaves before another one begins does not wait for it.
void WaitLearner::look_at_members(const CollectiveInstance& instance, std::uint32_t comm) {
  const std::size_t count = instance.members.size();
  const CollectiveKind& kind = instance.members.front().kind;
  const bool is_rooted = waits_for(kind.op, false) != WaitsFor::all;
  if (instance.some != nullptr || count > most_learned_members ||
      (!kind.is_neighborhood && !is_rooted))
    return;
  auto& group = groups_[instance.group(comm)];
  group.may_wait.resize(count, std::vector<bool>(count, true));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k)
      if (instance.members[k].begin.before > instance.members[i].leave.before)
        group.may_wait[i][k] = false;
  if (group.sample.size() == most_sampled) return;
  auto& calls = group.sample.emplace_back();
  for (const auto& member : instance.members)
    calls.push_back({member.kind, member.begin.before, member.enter.before, member.leave.before});
}

// The size that contradicts the fewest observations.
std::uint64_t WaitLearner::synchronous_bytes() const {
  std::uint64_t best = UINT64_MAX;
  std::int64_t balance = 0, most = 0;  // observations for a limit below minus those against it
  for (auto at = sends_.rbegin(); at != sends_.rend(); ++at) {
    const auto& [least_bytes, evidence] = at->second;
    const bool waits = evidence.waits(least_bytes >= surely_eager_bytes);
    balance += waits ? static_cast<std::int64_t>(evidence.count()) : 0;
    balance -= static_cast<std::int64_t>(evidence.against());
    if (!waits || balance <= most) continue;
    most = balance;
    best = least_bytes;
  }
  return best;
}

std::uint64_t WaitLearner::doubtful_bytes() const {
  std::uint64_t least = UINT64_MAX;
  for (auto at = sends_.rbegin(); at != sends_.rend(); ++at) {
    const auto& [least_bytes, evidence] = at->second;
    if (least_bytes < surely_eager_bytes || evidence.against() > 0) break;
    least = least_bytes;
  }
  return least;
}

WaitRules WaitLearner::rules() const {
  WaitRules learned;
  learned.synchronous_bytes = synchronous_bytes();
  learned.doubtful_bytes = doubtful_bytes();
  learned.start_waits = starts_.waits(false);
  learned.lock_waits = locks_.waits(false);
  for (const auto& [kind, evidence] : collectives_) {
    if (evidence.all.waits(false))
      learned.collectives[kind] = WaitsFor::all;
    else if (evidence.root.waits(false))
      learned.collectives[kind] = WaitsFor::root;
    else if (evidence.all.count() > 0 && evidence.all.against() == 0)
      learned.doubtful_collectives[kind] = WaitsFor::all;
  }
  add_members(learned);
  return learned;
}

// The members that remain explain the times of rooted collectives better than the definition, if
// these times vary with them.
void WaitLearner::add_members(WaitRules& rules) const {
  for (const auto& [key, group] : groups_) {
    std::vector<std::vector<std::uint32_t>> lists;
    for (const auto& row : group.may_wait) {
      lists.emplace_back();
      for (std::uint32_t i = 0; i < row.size(); ++i)
        if (row[i]) lists.back().push_back(i);
    }
    std::map<CollectiveKind, WaitEvidence> evidence;
    for (const auto& calls : group.sample)
      for (std::size_t i = 0; i < calls.size() && !key.is_neighborhood; ++i) {
        const auto& [kind, begin, enter, leave] = calls[i];
        if (waits_for(kind.op, kind.is_root) == WaitsFor::all || rules.collectives.contains(kind))
          continue;
        Ticks known = enter, latest = INT64_MIN;
        if (waits_for(kind.op, kind.is_root) == WaitsFor::root && key.root < calls.size())
          known = std::max(known, calls[key.root].begin);
        for (const std::uint32_t other : lists[i]) latest = std::max(latest, calls[other].begin);
        evidence[kind].add(known, leave, latest);
      }
    bool is_used = key.is_neighborhood;
    for (const auto& [kind, found] : evidence) {
      if (!found.waits(false)) continue;
      rules.collectives[kind] = WaitsFor::some;
      is_used = true;
    }
    if (is_used) rules.members[key] = std::move(lists);
  }
}

}  // namespace tutti::studies::replay

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/collective_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/replay/collective_mismatch.hpp"
#include "sim/replay/event_reading.hpp"
#include "workloads/traces/collective_bytes.hpp"

namespace tutti::studies::replay {
// Rank by rank.
class CollectiveSizes::Gathering {
 public:
  Gathering(const workloads::traces::Trace& trace, CollectiveSizes& sizes)
      : trace_(trace), sizes_(sizes), members_(trace.definitions) {}

  void run() {
    for (TraceRank rank = 0; rank < trace_.definitions.ranks.size(); ++rank) read(rank);
    for (auto& [at, bytes] : blocks_) keep(at, bytes);
  }

 private:
  using At = std::pair<std::uint32_t, std::uint64_t>;  // communicator, number

  void read(TraceRank rank) {
    std::map<std::uint32_t, std::uint64_t> numbers;
    EventReading events(trace_.events, rank);
    for (const Event* event = events.next(); event != nullptr; event = events.next())
      if (event->kind == EventKind::collective_end &&
          !trace_.definitions.communicators[event->comm].members.empty())
        add(rank, *event, numbers[event->comm]++);
  }

  void add(TraceRank rank, const Event& event, std::uint64_t number) {
    auto& of_comm = sizes_.instances_[event.comm];
    if (number >= of_comm.size()) of_comm.resize(number + 1);
    const auto& members = trace_.definitions.communicators[event.comm].members;
    const std::uint64_t block = workloads::traces::bytes_per_rank(
        trace_.definitions, event.op, members.size(), event.sent_bytes, event.bytes);
    Instance& instance = of_comm[number];
    take_call(instance, CollectiveCall::of(event));
    instance.block_bytes = std::max(instance.block_bytes, block);
    if (!workloads::traces::may_be_uneven(event.op)) return;
    auto& blocks = blocks_[{event.comm, number}];
    blocks.resize(members.size());
    blocks[members_.of(event.comm, rank)] = static_cast<Bytes>(block);
  }

  static void take_call(Instance& instance, const CollectiveCall& call) {
    if (instance.calls++ == 0) instance.op = call.op;
    instance.differs |= !call.is_like({instance.op, instance.root});
    if (instance.root == workloads::traces::none) instance.root = call.root;
  }

  void keep(const At& at, const std::vector<Bytes>& blocks) {
    if (std::ranges::all_of(blocks, [&](Bytes each) { return each == blocks.front(); })) return;
    const auto [found, is_new] =
        known_.try_emplace(blocks, static_cast<std::uint32_t>(sizes_.counts_.size()));
    if (is_new) sizes_.counts_.push_back(std::make_unique<const algorithms::Counts>(blocks));
    sizes_.instances_[at.first][at.second].counts = found->second;
  }

  const workloads::traces::Trace& trace_;
  CollectiveSizes& sizes_;
  MemberNumbers members_;
  std::map<At, std::vector<Bytes>> blocks_;
  std::map<std::vector<Bytes>, std::uint32_t> known_;
};

CollectiveSizes::CollectiveSizes(const workloads::traces::Trace& trace, bool has_any)
    : definitions_(trace.definitions), instances_(trace.definitions.communicators.size()) {
  if (has_any) Gathering(trace, *this).run();
}

CollectiveSizes::Size CollectiveSizes::of(const CollectiveNumber& number) const {
  const Instance& instance = instances_[number.comm][number.number];
  return {.block_bytes = static_cast<Bytes>(instance.block_bytes),
          .counts =
              instance.counts == workloads::traces::none ? nullptr : counts_[instance.counts].get(),
          .is_whole = is_whole(number.comm, instance)};
}

std::vector<std::string> CollectiveSizes::incomplete() const {
  std::vector<std::string> told;
  for (std::size_t comm = 0; comm < instances_.size(); ++comm) {
    const auto count = std::ranges::count_if(
        instances_[comm], [&](const Instance& each) { return !is_whole(comm, each); });
    const auto different = std::ranges::count_if(instances_[comm], &Instance::differs);
    if (count == 0) continue;
    told.push_back(fmt::format("{} of {}", count, definitions_.communicators[comm].name));
    if (different > 0)
      told.back() += fmt::format(" ({} where members call different ones)", different);
  }
  return told;
}

}  // namespace tutti::studies::replay

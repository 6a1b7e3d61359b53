// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/imbalance.hpp"

#include <algorithm>

#include "sim/replay/event_reading.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::Trace;

// The n-th instances of all ranks.
struct Nth {
  Ticks sum = 0;
  Ticks most = 0;
  std::uint32_t ranks = 0;
};

struct OfRegion {
  std::vector<Nth> instances;
  std::vector<Ticks> rank_sums;  // of ranks that have it
  std::size_t least_instances = SIZE_MAX;
};

// A rank's way through its regions.
class RankPass {
 public:
  RankPass(const Trace& trace, std::vector<OfRegion>& regions, TraceImbalances& result)
      : trace_(trace), regions_(regions), result_(result), mine_(regions.size()) {}

  void run(TraceRank rank) {
    EventReading events(trace_.events, rank);
    const Event* event = events.next();
    Ticks last = event == nullptr ? 0 : event->time;
    for (; event != nullptr; event = events.next()) {
      (open_.empty() ? result_.outside : open_.back().time) += event->time - last;
      last = event->time;
      take(*event);
    }
    for (std::size_t region = 0; region < mine_.size(); ++region)
      if (mine_[region].instances > 0) add_rank(regions_[region], mine_[region]);
    result_.empty_messages_time = std::max(result_.empty_messages_time, empty_time_);
  }

 private:
  struct Open {
    std::uint32_t region;
    Ticks time;
    bool has_empty_message = false;
  };
  struct Mine {
    std::size_t instances = 0;
    Ticks sum = 0;
  };

  void take(const Event& event) {
    if (event.kind == EventKind::enter) open_.push_back({event.id, 0});
    if (event.kind == EventKind::leave && !open_.empty()) leave();
    const bool sends = event.kind == EventKind::send || event.kind == EventKind::isend;
    const bool receives = event.kind == EventKind::recv || event.kind == EventKind::irecv;
    if (!sends && !receives) return;
    result_.messages += sends;
    result_.empty_messages += sends && event.bytes == 0;
    if (!open_.empty()) open_.back().has_empty_message |= event.bytes == 0;
  }

  void leave() {
    const Open over = open_.back();
    open_.pop_back();
    if (over.has_empty_message) empty_time_ += over.time;
    if (trace_.definitions.regions[over.region].is_mpi) return;
    Mine& mine = mine_[over.region];
    auto& instances = regions_[over.region].instances;
    if (mine.instances == instances.size()) instances.emplace_back();
    Nth& nth = instances[mine.instances++];
    nth.sum += over.time;
    nth.most = std::max(nth.most, over.time);
    ++nth.ranks;
    mine.sum += over.time;
  }

  static void add_rank(OfRegion& region, const Mine& mine) {
    region.rank_sums.push_back(mine.sum);
    region.least_instances = std::min(region.least_instances, mine.instances);
  }

  const Trace& trace_;
  std::vector<OfRegion>& regions_;
  TraceImbalances& result_;
  std::vector<Mine> mine_;
  std::vector<Open> open_;
  Ticks empty_time_ = 0;
};

Imbalance imbalance_of(std::uint32_t number, const OfRegion& region) {
  Imbalance made{.region = number, .ranks = region.rank_sums.size()};
  for (const Ticks sum : region.rank_sums) {
    made.time += sum;
    made.most = std::max(made.most, sum);
  }
  made.is_regular = region.least_instances == region.instances.size();
  for (const Nth& nth : region.instances) {
    made.instances += nth.ranks;
    if (made.is_regular) made.excess += nth.most - nth.sum / nth.ranks;
  }
  if (!made.is_regular) made.excess = made.most - made.time / static_cast<Ticks>(made.ranks);
  return made;
}

}  // namespace

TraceImbalances imbalances(const Trace& trace) {
  TraceImbalances result;
  std::vector<OfRegion> regions(trace.definitions.regions.size());
  for (TraceRank rank = 0; rank < trace.definitions.ranks.size(); ++rank)
    RankPass(trace, regions, result).run(rank);
  for (std::uint32_t region = 0; region < regions.size(); ++region)
    if (!regions[region].rank_sums.empty())
      result.regions.push_back(imbalance_of(region, regions[region]));
  std::ranges::stable_sort(result.regions, std::ranges::greater(), &Imbalance::excess);
  return result;
}

}  // namespace tutti::studies::replay

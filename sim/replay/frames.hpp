// SPDX-License-Identifier: BSD-3-Clause
// The stack of regions of a rank, and the parts of a hypothesis that apply to them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/hypothesis.hpp"
#include "sim/replay/receive_order.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// Call paths of all ranks: a tree of regions in which each path has a number.

using PathId = std::uint32_t;
inline constexpr PathId root_path = 0;  // outside all regions

// Names, in a hypothesis, of computation that no region has: all of it outside of all regions; and
// each piece between two MPI calls without any other event in between.
inline constexpr const char* outside_path = "(outside all regions)";
std::string between_calls(const std::string& from,
                          const std::string& to);  // "(MPI_Recv to MPI_Send)"

class CallPaths {
 public:
  PathId child(PathId parent, std::uint32_t region) {
    const std::uint64_t key = std::uint64_t{parent} << 32 | region;
    auto& recent = recent_[(parent * 7 + region) % recent_.size()];
    if (recent.second != root_path && recent.first == key) return recent.second;
    const auto [entry, is_new] = children_.try_emplace(key, static_cast<PathId>(paths_.size()));
    if (is_new) paths_.push_back({parent, region});
    recent = {key, entry->second};
    return entry->second;
  }
  PathId parent(PathId path) const { return paths_[path].parent; }
  std::uint32_t region(PathId path) const { return paths_[path].region; }
  std::size_t size() const { return paths_.size(); }

  // "main/solve/MPI_Recv"
  std::string name(PathId path, const std::vector<workloads::traces::TraceRegion>& regions) const {
    if (path == root_path) return "";
    const std::string above = name(parent(path), regions);
    return above.empty() ? regions[region(path)].name : above + "/" + regions[region(path)].name;
  }

 private:
  struct Path {
    PathId parent;
    std::uint32_t region;
  };
  std::vector<Path> paths_{{root_path, workloads::traces::none}};
  std::unordered_map<std::uint64_t, PathId> children_;
  std::array<std::pair<std::uint64_t, PathId>, 64> recent_{};  // of children_
};

// A bit for each part: scales first, then balances, then cuts.
using Parts = std::uint64_t;
inline constexpr std::size_t most_parts = 64;

// Whether a name matches a pattern of a hypothesis, with * and ?. An empty pattern matches nothing.
bool matches_pattern(const std::string& pattern, const std::string& name);

// The parts that each region matches, by its name.
class PartsOfRegions {
 public:
  PartsOfRegions(const Hypothesis& hypothesis,
                 const std::vector<workloads::traces::TraceRegion>& regions);

  struct OfRegion {
    Parts is_region = 0;  // parts whose `region` it matches
    Parts is_within = 0;  // parts whose `within` it matches
    Parts is_inner = 0;   // scales whose `inner` it matches
  };
  // `none`: outside all regions.
  const OfRegion& operator[](std::uint32_t region) const {
    return region == workloads::traces::none ? outside_ : regions_[region];
  }
  // The parts for a piece between calls of these regions.
  Parts between(std::uint32_t from, std::uint32_t to) const {
    Parts parts = 0;
    for (const auto& pair : pairs_)
      if (pair.from[from] && pair.to[to]) parts |= pair.bit;
    return parts;
  }
  bool has_pairs() const { return !pairs_.empty(); }
  Parts without_within() const { return without_within_; }
  // The parts of each kind.
  Parts scales() const { return scales_; }
  Parts balances() const { return balances_; }
  Parts cuts() const { return cuts_; }  // of regions
  Parts message_cuts() const { return messages_; }

 private:
  struct Pair {
    Parts bit = 0;
    std::vector<bool> from, to;  // by region
  };
  std::vector<OfRegion> regions_;
  OfRegion outside_;
  std::vector<Pair> pairs_;
  Parts without_within_ = 0;
  Parts scales_ = 0, balances_ = 0, cuts_ = 0, messages_ = 0;
};

template <class Visit>
void each_part(Parts parts, const Visit& visit) {
  for (; parts != 0; parts &= parts - 1) visit(static_cast<std::size_t>(std::countr_zero(parts)));
}

// An instance of a region.
struct Frame {
  std::uint32_t region = workloads::traces::none;
  PathId path = root_path;
  Parts within = 0;      // parts whose `within` encloses it
  Parts parts = 0;       // parts that apply to this instance
  Parts seen = 0;        // scales whose `inner` it has called
  bool is_wait = false;  // its own time is not computation
  // For a balanced instance: its number on the rank in the order of enters, and its exclusive time
  // so far, as recorded and as changed.
  std::size_t instance = 0;
  Ticks recorded = 0;
  Ticks changed = 0;
};

class Frames {
 public:
  explicit Frames(const PartsOfRegions& parts) : parts_(&parts), frames_(1) { begin_outside(); }

  Frame& enter(std::uint32_t region, PathId path) {
    const auto& of_region = (*parts_)[region];
    Frame& around = frames_.back();
    around.seen |= of_region.is_inner;
    const Parts within = around.within | (*parts_)[around.region].is_within;
    Frame& frame = frames_.emplace_back();
    frame.region = region;
    frame.path = path;
    frame.within = within;
    frame.parts = one_balance(of_region.is_region & (parts_->without_within() | within));
    return frame;
  }
  void leave() { frames_.pop_back(); }

  // Whether the rank is outside all regions.
  bool empty() const { return frames_.size() == 1; }
  std::size_t depth() const { return frames_.size() - 1; }
  Frame& top() { return frames_.back(); }
  // Outside all regions, an instance lasts until the next region or MPI call.
  Frame& begin_outside() {
    frames_.front() = {.parts = one_balance((*parts_)[workloads::traces::none].is_region &
                                            parts_->without_within())};
    return frames_.front();
  }
  // The frame of a piece between two MPI calls; without parts if no part is about it.
  Frame between(std::uint32_t from, std::uint32_t to) const {
    const Frame& around = frames_.back();
    return {.region = around.region,
            .path = around.path,
            .parts = one_balance(parts_->between(from, to) & this->around())};
  }
  // Parts without a region whose `within` condition is true inside the top frame.
  Parts around() const {
    const Frame& top = frames_.back();
    return parts_->without_within() | top.within | (*parts_)[top.region].is_within;
  }

 private:
  // The first balance applies.
  Parts one_balance(Parts parts) const {
    const Parts balances = parts & parts_->balances();
    return parts & (~balances | (balances & -balances));
  }

  const PartsOfRegions* parts_;
  std::vector<Frame> frames_;  // the first one is outside all regions
};

}  // namespace tutti::studies::replay

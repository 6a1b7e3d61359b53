// SPDX-License-Identifier: BSD-3-Clause
// Wait states by call path and rank as Scalasca defines them (patterns of versions 1.4 and 2.0; the
// README of this folder has the definitions). Times are in ticks.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/frames.hpp"
#include "sim/replay/receive_order.hpp"

namespace tutti::studies::replay {

enum class Metric : std::uint8_t {
  time,    // exclusive
  visits,  // a count
  late_sender,
  wrong_order_same_source,  // parts of late_sender
  wrong_order_other_source,
  late_receiver,
  wait_at_barrier,
  barrier_completion,
  wait_at_nxn,
  nxn_completion,
  late_broadcast,
  early_reduce,
  early_scan,
  blocked,  // time in all calls until everything that they depend on had happened
  // Only with ReplayArgs::causes (causes.hpp):
  critical_path,
  delay_direct,   // waits of other ranks that the path's own excess time caused
  delay_indirect  // the same, propagated through waits of the awaited ranks
};
inline constexpr std::array<std::string_view, 17> metric_names = {"time",
                                                                  "visits",
                                                                  "late_sender",
                                                                  "wrong_order_same_source",
                                                                  "wrong_order_other_source",
                                                                  "late_receiver",
                                                                  "wait_at_barrier",
                                                                  "barrier_completion",
                                                                  "wait_at_nxn",
                                                                  "nxn_completion",
                                                                  "late_broadcast",
                                                                  "early_reduce",
                                                                  "early_scan",
                                                                  "blocked",
                                                                  "critical_path",
                                                                  "delay_direct",
                                                                  "delay_indirect"};
inline constexpr std::size_t metric_count = metric_names.size();

using Metrics = std::array<Ticks, metric_count>;

class MetricTable {
 public:
  explicit MetricTable(std::size_t ranks) : ranks_(ranks) {}

  void add(TraceRank rank, PathId path, Metric metric, Ticks ticks) {
    if (ticks == 0) return;
    auto& paths = ranks_[rank];
    if (path >= paths.size()) paths.resize(path + 1);
    paths[path][static_cast<std::size_t>(metric)] += ticks;
  }
  // Zeros if nothing was added.
  Metrics of(TraceRank rank, PathId path) const {
    const auto& paths = ranks_[rank];
    return path < paths.size() ? paths[path] : Metrics{};
  }
  Metrics total() const;
  Metrics of_path(PathId path) const;
  std::size_t ranks() const { return ranks_.size(); }

 private:
  std::vector<std::vector<Metrics>> ranks_;  // by path
};

// The latest receives of a rank that waited for late senders. A receive turns out to be in the
// wrong order if a message that was sent earlier is received later.
class LateSenders {
 public:
  // A receive waited for a message that was sent at time `sent`; `waited` is 0 if it did not.
  void receive(TraceRank source, Ticks sent, PathId path, Ticks waited, TraceRank rank,
               MetricTable& metrics);

 private:
  static constexpr std::size_t window = 100;
  struct Waited {
    TraceRank source;
    Ticks sent;
    PathId path;
    Ticks waited;
  };
  std::deque<Waited> waited_;
};

}  // namespace tutti::studies::replay

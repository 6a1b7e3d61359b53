// SPDX-License-Identifier: BSD-3-Clause
// What a fit to messages between two ranks leaves open, as numbers that can be moved: the times of
// single messages stay as they are. For machines whose costs begin at sizes (a registration, a
// bandwidth by size): a curve of extra latencies has its points elsewhere, and no steps.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

struct MovedMessages {
  ProtocolFit inter;
  std::optional<double> bus_Bps = {};  // unset: it is not moved
};

class MessageMoves {
 public:
  // `bus_Bps`: the memory bus, where it is moved, too. `with_gap`: the gap may be moved.
  MessageMoves(const ProtocolFit& inter, std::optional<double> bus_Bps, bool with_gap);

  const Eigen::VectorXd& start() const { return start_; }  // empty: nothing is open
  MovedMessages at(const Eigen::VectorXd& numbers) const;

 private:
  enum class Open : std::uint8_t {
    latency,     // logit of the latency's part of the most that it may be
    send_share,  // logits: of the overheads, of the copies, of the registration
    copies,      // logit of what eager bytes take beyond the wire: the cores' part
    send_copies,
    send_registration,
    gap,  // logarithms
    bus
  };

  void add(Open open, double start);

  ProtocolFit inter_;
  std::vector<Open> open_;
  Eigen::VectorXd start_;
  Seconds most_latency_s_ = 0;
};

}  // namespace tutti::studies

// SPDX-License-Identifier: BSD-3-Clause
// Times of messages between two nodes as rows of a joint fit, together with those of collectives.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/jobs/point_to_point.hpp"

namespace tutti::studies {

// The machines of measured jobs, in which a torus has the dimensions of the job, if these are
// known. It builds each machine on first use and owns it; pointers stay valid.
class JobMachines {
 public:
  // Returns the machine with a job's torus, "4x4x4", or with its own torus if that is empty.
  using Make = std::function<Result<platforms::Machine>(const std::string& torus)>;

  explicit JobMachines(Make make) : make_(std::move(make)) {}

  Result<const platforms::Machine*> of(const std::string& torus) {
    const auto known = made_.find(torus);
    if (known != made_.end()) return &known->second;
    return &made_.emplace(torus, TUTTI_TRY(make_(torus))).first->second;
  }

 private:
  Make make_;
  std::map<std::string, platforms::Machine> made_;
};

// Returns one row for each measured size, with its median: one-way times, overheads and intervals.
// Streams count only for the smallest and the largest messages, because in between a stream depends
// on how far the library overlaps copies and the wire.
std::vector<MeasuredCollective> message_rows(const std::vector<PairMeasurement>& measured);

// Returns the messages of a ping-pong, or of a stream if the measurement has a window.
PingPongSizes ping_pong_of(const PairMeasurement& measured);

// Returns the time that the benchmark reports on a machine, between the first two nodes of an idle
// network: half of the round trip, a stream's time per message, or Netgauge's values; at least 1
// ps. Errors: a machine of one node.
Result<Seconds> message_time(const PairMeasurement& measured, const platforms::Machine& machine);

}  // namespace tutti::studies

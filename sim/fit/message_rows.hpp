// SPDX-License-Identifier: BSD-3-Clause
// Times of messages between two nodes as rows of a fit by simulation, next to those of collectives.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// The machines of measured jobs: a torus has the dimensions of the job, where these are known.

// Each is made once, when it is first asked for, and stays where it is.
class JobMachines {
 public:
  // The machine with a job's torus, "4x4x4"; empty: with its own.
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

// A row for each size that was measured, of its median: one-way times, overheads and intervals. Of
// streams the smallest messages, and the largest: between these a stream depends on how far the
// library overlaps copies and the wire.
std::vector<MeasuredCollective> message_rows(const std::vector<PairMeasurement>& measured);

// What its benchmark shows of a machine, between the first two nodes, on an idle network: half of
// the round trip, a stream's time of a message, or what Netgauge finds. At least 1 ps. Errors:
// there is one node only.
Result<Seconds> message_time(const PairMeasurement& measured, const platforms::Machine& machine);

}  // namespace tutti::studies

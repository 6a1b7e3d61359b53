// SPDX-License-Identifier: BSD-3-Clause
// Checks before its start whether a point of collective I/O can be simulated.
#pragma once

#include "io_models/implementations/plan.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::jobs {

// The size of a point's job: its plan and the pieces of a call, each determined once, when first
// needed.
class IoSize {
 public:
  // Both must outlive this object.
  IoSize(const IoPoint& point, const platforms::Machine& machine)
      : point_(point), machine_(machine) {}

  const IoPoint& point() const { return point_; }
  const platforms::Machine& machine() const { return machine_; }
  // Number of pieces that all processes access in a call.
  std::int64_t pieces() const;
  // The redistribution of a call. Error: the job cannot be placed.
  Result<const io_models::Redistribution*> redistribution() const;
  // Frees the memory of the plan; the next use makes it again.
  void drop_plan() const { plan_.reset(); }

 private:
  const IoPoint& point_;
  const platforms::Machine& machine_;
  mutable std::optional<std::int64_t> pieces_;
  mutable std::shared_ptr<const io_models::Plan> plan_;
};

// An error of kind usage, whose place is the option that would help, if the collectives of the
// set-up among this many processes take too long, or if the memory of a job whose cycles are all
// simulated exceeds `free_bytes` (if known).
std::optional<Error> check_io_limits(const IoSize& size, std::optional<Bytes> free_bytes);

// Estimated number of messages of one of the job's calls, including the set-up and the accesses to
// the storage. `one` is the redistribution of a call.
std::int64_t messages_of_call(const IoPoint& point, const io_models::Redistribution& one);

// Estimated number of simulated messages, an upper bound for repeating cycles; 0 if the job cannot
// be simulated.
double io_messages_estimate(const IoSize& size);

// Estimates the time of the point's simulations on one core, in seconds; 0 if none is run.
Seconds estimated_seconds(const IoSize& size);

// "up to 12.9 million messages are simulated, which takes about 0.5 minutes"; unset for points that
// take less than half a minute.
std::optional<std::string> long_run_warning(const IoSize& size);

}  // namespace tutti::jobs

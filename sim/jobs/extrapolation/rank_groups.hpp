// SPDX-License-Identifier: BSD-3-Clause
// Represents groups of consecutive ranks of a node by one rank each, in calls in which every rank
// sends a message to every other one.
//
// A group of k ranks on one socket sends k messages at about the same time, over the same links,
// and its n-th k messages go where those of the next k steps go. So the first ranks of all groups
// are simulated, as a job of P/k ranks: every link that ranks share has 1/k of its bandwidth, and
// everything that a rank has for itself (overheads, limits of its flows) is unchanged. The job
// takes 1/k of the time, with 1/k^2 of the messages, and loads all links of the machine in the same
// proportion and in the same order.
//
// Not represented: differences between the ranks of a group, which start together, and messages of
// a group that go to two nodes. A rank's waits for latencies are represented as often as they occur
// (GroupedJob). The error is estimated from groups of different sizes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/smaller_job.hpp"
#include "sim/jobs/extrapolation/step_job.hpp"

namespace tutti::jobs::extrapolation {

// When a rank of such a call waits for messages.
enum class ExchangeKind : std::uint8_t {
  none,      // the call is another one, or its blocks differ
  steps,     // after each message (pairwise exchange)
  at_once,   // at the end: all messages are posted at once
  requests,  // as soon as a number of requests is pending, CollectiveArgs::max_requests
};
ExchangeKind exchange_kind(const Point& point);

// A job of one rank per group of `group` ranks, in 1/group of the time.
class GroupedJob {
 public:
  // `group` is one of group_sizes().
  GroupedJob(const StepJob& whole, int group);
  GroupedJob(const GroupedJob&) = delete;
  GroupedJob& operator=(const GroupedJob&) = delete;

  StepJob job() const;

 private:
  const StepJob& whole_;
  platforms::Placement placement_;
  Point point_;
  platforms::Machine machine_;
};

// The sizes of groups, ascending from 1, that divide the ranks of all nodes and sockets; empty if
// groups do not represent the call.
std::vector<int> group_sizes(const StepJob& job);

// How much is simulated.
struct GroupLimits {
  std::int64_t most_messages = 0;  // of one run; a call of many nodes may have five times as many
  runtime::RankId smaller_procs = most_procs_in_full;  // processes of the job of fewer nodes
};
GroupLimits usual_limits(const StepJob& job);

// The number of messages of the groups that of_rank_groups() simulates; unset if groups do not
// represent the call, or if it has too many nodes.
std::optional<std::int64_t> grouped_messages(const StepJob& job, const GroupLimits& limits);

// Extrapolates the call from the smallest groups that the limits allow, and multiplies its times by
// the ratio of smaller groups or all ranks to these groups in a job of fewer nodes. The error
// estimate is a multiple of the larger one of this change and the difference of the next larger
// groups. Unset if grouped_messages() is.
Result<std::optional<Extrapolated>> of_rank_groups(const StepJob& job, const GroupLimits& limits);

}  // namespace tutti::jobs::extrapolation

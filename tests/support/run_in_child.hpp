// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's engine runs once per process, so tests run each job in a child.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/engines/flow/flow_engine.hpp"
#include "sim/engines/simgrid/simgrid_engine.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/jobs/study_point.hpp"
#include "tests/support/forked.hpp"

namespace tutti::tests {

struct ChildOutcome {
  std::vector<Seconds> end_s;  // by rank; empty if there are problems
  std::string problems;        // joined by newlines
};

inline ChildOutcome run_simgrid_in_child(const engines::Job& job) {
  REQUIRE_FALSE(engines::load_simgrid());  // once, instead of in each child
  auto child = jobs::Forked::start([&]() -> Result<jobs::Answer> {
    engines::Outcome outcome = engines::run_simgrid(job);
    jobs::Answer answer;
    answer.end_s = std::move(outcome.end_s);
    if (outcome.problems.empty()) return answer;
    std::vector<Error> errors;
    for (const std::string& each : outcome.problems)
      errors.push_back(make_error(ErrorKind::run, "", each));
    return errors;
  });
  REQUIRE(child);
  auto answer = child->collect();
  if (answer) return {std::move(answer->end_s), ""};
  ChildOutcome outcome;
  for (const Error& error : answer.errors()) {
    REQUIRE_MESSAGE(error.kind == ErrorKind::run, error.message << "\n" << child->output());
    outcome.problems += error.message + "\n";
  }
  return outcome;
}

// The largest relative difference of any rank's end.
inline double largest_difference(const std::vector<Seconds>& a, const std::vector<Seconds>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < a.size(); ++rank)
    if (a[rank] != b[rank])
      largest = std::max(largest, std::abs(a[rank] - b[rank]) / std::max(a[rank], b[rank]));
  return largest;
}

inline std::vector<Seconds> flow_ends(const engines::Job& job) {
  engines::Outcome outcome = engines::run_flow(job);
  REQUIRE(outcome.problems == std::vector<std::string>{});
  return std::move(outcome.end_s);
}

// The end of the last rank in the flow engine.
inline Seconds flow_end_of(const engines::Job& job) { return std::ranges::max(flow_ends(job)); }

// A machine whose network differs only in the bandwidths of its links.
class Scaled : public platforms::Topology {
 public:
  Scaled(const platforms::Topology& original, double factor)
      : original_(original), factor_(factor) {}
  std::string kind() const override { return original_.kind(); }
  platforms::HostId host_count() const override { return original_.host_count(); }
  platforms::LinkId link_count() const override { return original_.link_count(); }
  platforms::Link link(platforms::LinkId id) const override {
    platforms::Link link = original_.link(id);
    link.bandwidth_Bps *= factor_;
    return link;
  }
  std::string host_name(platforms::HostId id) const override { return original_.host_name(id); }
  std::string link_name(platforms::LinkId id) const override { return original_.link_name(id); }
  void route(platforms::HostId source, platforms::HostId destination,
             std::vector<platforms::LinkId>& links) const override {
    original_.route(source, destination, links);
  }
  platforms::Graph graph() const override { return original_.graph(); }

 private:
  const platforms::Topology& original_;
  double factor_;
};

// How far the ends of a job move if bandwidths differ in their last digits. Some jobs amplify such
// differences by a factor of a million (a ring whose blocks share the ranks' cores, on crill). The
// engines round differently at thousands of events, and cannot agree better on those jobs.
inline double sensitivity(const engines::Job& job, const std::vector<Seconds>& end_s) {
  constexpr double factor = 1 + 2e-14;
  const platforms::Machine& machine = job.machine;
  platforms::Machine changed;
  changed.topology = std::make_unique<Scaled>(*machine.topology, factor);
  changed.intra_node = machine.intra_node;
  changed.bus = machine.bus;
  if (machine.rank_Bps) changed.rank_Bps = *machine.rank_Bps * factor;
  if (machine.rank_send_Bps) changed.rank_send_Bps = *machine.rank_send_Bps * factor;
  if (machine.rank_receive_Bps) changed.rank_receive_Bps = *machine.rank_receive_Bps * factor;
  changed.server_count = machine.server_count;
  changed.inter = machine.inter;
  changed.intra = machine.intra;
  changed.combine_Bps = machine.combine_Bps;
  changed.local_copy_Bps = machine.local_copy_Bps;
  return largest_difference(
      flow_ends({.machine = changed, .placement = job.placement, .program = job.program}), end_s);
}

// The end of the last rank. Requires that the job has no problems, and that both timed engines
// agree on every rank.
inline Seconds end_of(const engines::Job& job) {
  const ChildOutcome outcome = run_simgrid_in_child(job);
  REQUIRE(outcome.problems == "");
  const std::vector<Seconds> flow_s = flow_ends(job);
  const double difference = largest_difference(flow_s, outcome.end_s);
  if (difference > 1e-9) REQUIRE(difference <= 100 * sensitivity(job, flow_s));
  return *std::max_element(outcome.end_s.begin(), outcome.end_s.end());
}

}  // namespace tutti::tests

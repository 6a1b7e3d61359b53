// SPDX-License-Identifier: BSD-3-Clause
// A call with some of its steps for extrapolation, and the complete call for comparison.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "platforms/reader.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/extrapolation/step_job.hpp"
#include "sim/jobs/run_point.hpp"
#include "tests/support/covering.hpp"

namespace tutti::tests {

struct CallOf {
  std::string platform;
  std::string collective;
  std::string algorithm;
  int procs = 0;
  int ppn = 1;
  Bytes message_bytes = 0;
};

// A point of the flow engine on a machine of the catalog.
class WholeCall {
 public:
  explicit WholeCall(const CallOf& call)
      : name_(fmt::format("{} {} on {}, {} processes, {} a node, {} B", call.collective,
                          call.algorithm, call.platform, call.procs, call.ppn, call.message_bytes)),
        machine_(*platforms::load_machine(call.platform)),
        placement_request_{.procs = call.procs, .ppn = call.ppn, .file = {}},
        placement_(*platforms::place(machine_, placement_request_)) {
    point_.placement = placement_request_;
    point_.requested_algorithm = call.algorithm;
    point_.engine = engines::EngineKind::flow;
    point_.starts.runs = 0;
    auto resolved = workloads::resolve({.collective = call.collective,
                                        .algorithm = call.algorithm,
                                        .procs = call.procs,
                                        .message_bytes = call.message_bytes},
                                       machine_, placement_request_);
    REQUIRE(resolved);
    point_.call = *std::move(resolved);
  }

  const std::string& name() const { return name_; }
  const jobs::Point& point() const { return point_; }
  jobs::extrapolation::StepJob job() const {
    return {point_, machine_, placement_, jobs::extrapolation::phases_of(point_)};
  }
  jobs::Record simulated() const { return jobs::run_point(point_, machine_)->record; }

 private:
  std::string name_;
  platforms::Machine machine_;
  platforms::PlacementRequest placement_request_;
  platforms::Placement placement_;
  jobs::Point point_;
};

inline void check_counts(const runtime::MessageCounts& reported, const jobs::Record& all) {
  CHECK(reported.messages == all.messages);
  CHECK(reported.wire_bytes == all.wire_bytes);
  CHECK(reported.eager_messages == all.eager_messages);
  CHECK(reported.detached_messages == all.detached_messages);
  CHECK(reported.rendezvous_messages == all.rendezvous_messages);
  CHECK(reported.intra_node_messages == all.intra_node_messages);
  CHECK(reported.intra_node_bytes == all.intra_node_bytes);
}

// Relative error of the extrapolated times against the simulated ones.
inline double error_of(const jobs::extrapolation::Extrapolated& reported, const jobs::Record& all) {
  return std::max({std::abs(reported.time_s - *all.time_s),
                   std::abs(reported.time_mean_s - *all.time_mean_s),
                   std::abs(reported.time_min_s - *all.time_min_s)}) /
         *all.time_s;
}

// Algorithms with repeated steps, one of each loop.
inline constexpr std::pair<const char*, const char*> repeated_algorithms[] = {
    {"allgather", "ring"},
    {"allgather", "neighbor"},
    {"allreduce", "ring"},
    {"allreduce", "ring_mpich"},
    {"allgatherv", "ring_mpich"},
    {"reduce_scatter", "ring"},
    {"bcast", "scatter_allgather_ring"}};

// A call in which every rank's block, or part of the vector, has this many bytes.
inline CallOf of_equal_blocks(const std::string& platform, const std::string& collective,
                              const std::string& algorithm, int procs, int ppn, Bytes bytes) {
  const bool in_blocks = algorithms::find_collective(collective)->in_blocks;
  return {.platform = platform,
          .collective = collective,
          .algorithm = algorithm,
          .procs = procs,
          .ppn = ppn,
          .message_bytes = in_blocks ? bytes : bytes * procs};
}

// Checks the extrapolated time of repeated steps, if there is one.
inline bool is_exactly_reported(const WholeCall& call) {
  const auto reported = jobs::extrapolation::of_repeated_steps(
      call.job(), {.most_messages = 16'000'000, .must_extrapolate = false});
  REQUIRE(reported);
  if (!*reported) return false;
  const auto all = call.simulated();
  CHECK(error_of(**reported, all) <= 1e-9);
  CHECK((*reported)->simulated_steps < (*reported)->steps);
  check_counts((*reported)->counts, all);
  return true;
}

// A fat tree and a torus.
inline constexpr const char* extrapolated_machines[] = {"fat-tree-262144", "bgq-262144"};

// Checks the algorithms on both machines, with one and 16 processes per node, short and long
// blocks: all 40 calls, unless `coverage` chooses some. Returns the number of extrapolated calls.
inline int reported_exactly(int procs, const Coverage& coverage = {.strength = 4}) {
  int reported = 0;
  const auto check = [&](const auto& levels) {
    const auto [machine, node, size, each] = levels;
    const auto [collective, algorithm] = repeated_algorithms[each];
    const WholeCall call(of_equal_blocks(extrapolated_machines[machine], collective, algorithm,
                                         procs, node == 0 ? 1 : 16, size == 0 ? 64 : 65536));
    CAPTURE(call.name());
    reported += is_exactly_reported(call);
  };
  for_each_case<4>({std::size(extrapolated_machines), 2, 2, std::size(repeated_algorithms)},
                   coverage, check);
  return reported;
}

}  // namespace tutti::tests

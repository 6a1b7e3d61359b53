// SPDX-License-Identifier: BSD-3-Clause
// Runs every algorithm of every collective on both timed engines.
#pragma once

#include "tests/support/agreement.hpp"
#include "tests/support/plain_algorithms.hpp"

namespace tutti::tests {

inline constexpr double engines_tolerance = 1e-9;

// How far the ends move when the starts of ranks shift by ten times the time resolution of the
// engines (1e-15 s). Some jobs are chaotic (rings of many steps inside nodes, where each rank's
// core is shared by its incoming and its outgoing message), and no two engines agree on them beyond
// that.
inline constexpr Seconds nudge_s = 1e-14;

inline double response_to_nudges(const engines::Job& job) {
  engines::Job moved = job;
  moved.program = [&job](runtime::Rank& me) {
    me.sleep(nudge_s * (1 + me.id() % 7));
    return job.program(me);
  };
  return largest_difference(flow_ends(job), flow_ends(moved));
}

inline void check_agreement(const engines::Job& job) {
  const double difference = disagreement(job);
  if (difference <= engines_tolerance) return;
  const double response = response_to_nudges(job);
  CAPTURE(response);
  CHECK(difference <= 10 * response);
}

// A job of one algorithm: its placement and message.
struct AgreementCase {
  const platforms::Machine& machine;
  int procs = 1;
  int ppn = 1;
  Bytes bytes = 0;
};

inline void check_algorithm(const algorithms::Algorithm& algorithm, const AgreementCase& of) {
  const auto placement =
      platforms::place(of.machine, {.procs = of.procs, .ppn = of.ppn, .file = {}});
  REQUIRE(placement);
  const bool is_barrier = algorithm.collective == "barrier";
  const algorithms::CollectiveArgs call{.message_bytes = is_barrier ? 0 : of.bytes,
                                        .segment_bytes = algorithm.segmented ? of.bytes / 3 : 0,
                                        .fanout = algorithm.default_fanout,
                                        .max_requests = algorithm.limits_requests ? 4 : 0};
  if (algorithm.runs != nullptr && !algorithm.runs({of.procs, call})) return;
  CAPTURE(algorithm.collective);
  CAPTURE(algorithm.name);
  CAPTURE(of.procs);
  CAPTURE(of.bytes);
  check_agreement({.machine = of.machine,
                   .placement = *placement,
                   .program = [&](runtime::Rank& me) { return algorithm.program(me, call); }});
}

inline void check_all_algorithms(const platforms::Machine& machine, int procs, int ppn,
                                 Bytes bytes) {
  for (const auto* algorithm : plain_algorithms())
    check_algorithm(*algorithm, {.machine = machine, .procs = procs, .ppn = ppn, .bytes = bytes});
}

}  // namespace tutti::tests

// SPDX-License-Identifier: BSD-3-Clause
// Makes the points of collectives of the Cartesian product of axes (lists of values of each
// parameter): of the options of one `sim run`, or of one combination of a study.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"
#include "workloads/profiles.hpp"

namespace tutti::studies {

// Whether rules decide the algorithm, its segments and its fan-out.
inline bool is_by_rules(std::string_view algorithm) {
  return workloads::is_automatic(algorithm) && !workloads::is_best(algorithm);
}

// Empty axes of segment_bytes, fanouts and ppn mean the default.
struct Sweep {
  std::string collective;
  std::vector<std::string> algorithms;
  std::vector<std::int64_t> procs;
  std::vector<std::int64_t> ppn;
  std::vector<std::int64_t> roots = {0};
  std::vector<std::int64_t> fanouts;
  std::vector<std::int64_t> segment_bytes;
  std::vector<std::int64_t> message_bytes;
  std::vector<std::int64_t> max_requests = {0};
  Bytes element_bytes = 1;
  workloads::CountsSpec counts;
  bool commutative = true;
  // Contents of the files of auto:rules=FILE, by path.
  std::map<std::string, std::shared_ptr<const algorithms::selection::DynamicRules>, std::less<>>
      rules;
  // Profiles that replace calls decided by rules; null: none.
  std::shared_ptr<const workloads::profiles::Profiles> profiles = {};
  // Impossible combinations (a root beyond the ranks, more processes than cores) are skipped and
  // counted if true, else they are errors.
  bool skips_impossible = false;
  // Everything else that the points have in common; procs, ppn and the call are filled in, and the
  // engine if it is to be chosen.
  Point common;
};

struct Points {
  std::vector<Point> all;  // those that can run
  // Algorithms that `all` and `auto:best` omit because they cannot run here: "two_proc (needs P =
  // 2)".
  std::vector<std::string> omitted;
  Skipped skipped;  // `all` may be empty if all were skipped
};

// Segment sizes and fan-outs that auto:best tries if none are given: those of `sim select rules`,
// and other radices of knomial.
inline constexpr std::int64_t searched_segments[] = {0, 1 << 10, 4 << 10, 16 << 10, 64 << 10};
inline constexpr std::int64_t searched_fanouts[] = {2, 4, 8};

// Makes the points of a sweep on a machine. The message size varies fastest, then segment, fan-out,
// root, procs, ppn; the algorithm varies slowest. Equal points (an algorithm without fan-out under
// two fan-outs) are included once. Errors: an impossible combination (one error of each kind), or
// more than max_points. auto:best represents all algorithms of the collective that can run, with
// the segments and fan-outs above; its points compete, on the flow engine if it is to be chosen.
// Lists of segments and fan-outs do not apply to algorithms chosen by rules, which decide these.
Result<Points> make_points(const Sweep& sweep, const platforms::Machine& machine);

}  // namespace tutti::studies

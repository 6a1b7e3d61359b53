// SPDX-License-Identifier: BSD-3-Clause
// From axes (lists of values of each parameter) to the points of their product.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/profiles.hpp"

namespace tutti::studies {

// Empty axes of segment_bytes, fanouts and ppn mean: whatever is the default.
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
  // What the files of auto:rules=FILE say, by path.
  std::map<std::string, std::shared_ptr<const algorithms::selection::DynamicRules>, std::less<>>
      rules;
  // What replaces calls that rules decide; null: nothing.
  std::shared_ptr<const guidelines::Profiles> profiles = {};
  // What cannot be for some members of the lists (a root beyond the ranks, more processes than
  // cores) is left out and counted; else it is an error.
  bool skips_impossible = false;
  // All else that the points have in common; procs, ppn and the call are filled in, and the engine
  // if it is to be chosen.
  Point common;
};

struct Points {
  std::vector<Point> all;
  // What `all` and `auto:best` leave out, since it does not run somewhere: "two_proc (needs P =
  // 2)".
  std::vector<std::string> omitted;
  Skipped skipped;  // `all` may be empty, if all were
};

// What auto:best tries of algorithms with segments or a fan-out where none are asked for: what
// `sim select rules` tries for a file of rules, and other radices of knomial.
inline constexpr std::int64_t searched_segments[] = {0, 1 << 10, 4 << 10, 16 << 10, 64 << 10};
inline constexpr std::int64_t searched_fanouts[] = {2, 4, 8};

// The message size varies fastest, then segment, fan-out, root, procs, ppn; the algorithm slowest.
// Points that come out the same (an algorithm without fan-out under two fan-outs) are taken once.
// Errors: a combination that cannot be (each sort once), or more than max_points.
// auto:best stands for all algorithms of the collective that run, with the segments and fan-outs
// above; its points compete, on the flow engine if it is to be chosen. Lists of segments and
// fan-outs are for the algorithms beside those that rules choose, which have their own.
Result<Points> points_of(const Sweep& sweep, const platforms::Machine& machine);

}  // namespace tutti::studies

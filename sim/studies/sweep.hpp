// SPDX-License-Identifier: BSD-3-Clause
// From axes (lists of values of each parameter) to the points of their product.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/studies/guidelines/profiles.hpp"
#include "sim/studies/point.hpp"

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
  // All else that the points have in common; procs, ppn and the call are filled in, and the engine
  // if it is to be chosen.
  Point common;
};

struct Points {
  std::vector<Point> all;
  // What `all` and `auto:best` leave out, since it does not run somewhere: "two_proc (needs P =
  // 2)".
  std::vector<std::string> left_out;
};

// The message size varies fastest, then segment, fan-out, root, procs, ppn; the algorithm slowest.
// Points that come out the same (an algorithm without fan-out under two fan-outs) are taken once.
// Errors: a combination that cannot be (each sort once), or more than max_points.
// auto:best stands for all algorithms of the collective that run; its points compete.
Result<Points> points_of(const Sweep& sweep, const platforms::Machine& machine);

}  // namespace tutti::studies

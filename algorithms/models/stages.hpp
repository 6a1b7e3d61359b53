// SPDX-License-Identifier: BSD-3-Clause
// Implementation-derived models (Nuriyev, Lastovetsky, section 3): a call is a sequence of stages,
// and its time a sum over them in which latency and bandwidth are unknowns, to be fitted for each
// algorithm. README.md beside this file says which stages an algorithm has, and why.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/segments.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::models {

// gamma(P), equation 3: how many times longer than one message the linear broadcast by non-blocking
// sends to P - 1 ranks takes. gamma(2) = 1.
class Gamma {
 public:
  // `measured`: of P = 2, 3, ...; at least one. Beyond them the straight line through them (section
  // 4.1) holds, but no less than the last of them.
  Gamma(std::vector<double> measured, double intercept, double slope);
  double of_procs(double procs) const;
  double of_children(double children) const { return of_procs(children + 1); }

  const std::vector<double>& measured() const { return measured_; }
  double intercept() const { return intercept_; }
  double slope() const { return slope_; }

 private:
  std::vector<double> measured_;
  double intercept_;
  double slope_;
};

// Messages of a size, one after the other:
//   count * (alpha + beta * bytes) + hops * (lambda + mu * bytes)
struct StageMessages {
  Bytes bytes = 0;
  double count = 0;
  double hops = 0;  // of these, how many wait for the one before to arrive: the way to the end
};

// The time is the sum over `messages`.
struct StageForm {
  std::vector<StageMessages> messages;  // each size once, ascending
};

// `messages` keeps each size once, ascending.
void add(StageForm& form, const StageMessages& messages);

// So many levels of a tree in a row, each of whose ranks has at most so many children; the root's
// comes first.
struct TreeLevels {
  std::int64_t levels = 0;
  double children = 0;
};

// A broadcast down a tree whose levels have no more children than those above: equation 6 without
// its misplaced brackets, for any tree. A stage lasts as long as its widest linear broadcast. While
// the root sends, that is the root's: (ns - 1) gamma(c_0 + 1); then the last segment goes down, a
// level a stage: the sum of gamma(c_l + 1) over the levels l.
StageForm tree_stages(std::span<const TreeLevels> levels, const Segments& segments,
                      const Gamma& gamma);

// Of a call of at least two processes: Algorithm::stages; else the messages of Algorithm::cost, one
// by one.
StageForm stage_form(const Algorithm& algorithm, const ModelArgs& args, const Gamma& gamma);

}  // namespace tutti::algorithms::models

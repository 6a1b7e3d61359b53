// SPDX-License-Identifier: BSD-3-Clause
// Implementation-derived models (Nuriyev and Lastovetsky, section 3): a call is a sequence of
// stages, and its time is a sum over the stages in which latency and bandwidth are fitted for each
// algorithm. README.md in this folder lists the stages of the algorithms.
#pragma once

#include "algorithms/segments.hpp"

namespace tutti::algorithms::models {

// gamma(P), equation 3: the time of the linear broadcast with non-blocking sends to P - 1 ranks,
// relative to the time of one message. gamma(2) = 1.
class Gamma {
 public:
  // `measured`: values for P = 2, 3, ...; at least one. For larger P, gamma is the fitted straight
  // line (section 4.1), but not less than the last measured value.
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

// Messages of one size, one after the other:
//   count * (alpha + beta * bytes) + hops * (lambda + mu * bytes)
struct StageMessages {
  Bytes bytes = 0;
  double count = 0;
  double hops = 0;  // number of messages that wait for the previous one to arrive
};

// The predicted time is the sum over `messages`.
struct StageForm {
  std::vector<StageMessages> messages;  // each size once, in ascending order
};

// Adds messages to `form`, so that each size occurs once, in ascending order.
void add(StageForm& form, const StageMessages& messages);

// A sequence of `levels` adjacent levels of a tree whose ranks have at most `children` children.
// The root's level comes first.
struct TreeLevels {
  std::int64_t levels = 0;
  double children = 0;
};

// A broadcast down a tree in which no level has more children than the levels above: equation 6
// with corrected brackets, for any tree. A stage takes as long as its widest linear broadcast.
// While the root sends, this is the root's: (ns - 1) gamma(c_0 + 1). Then the last segment descends
// one level per stage: the sum of gamma(c_l + 1) over the levels l.
StageForm tree_stages(std::span<const TreeLevels> levels, const Segments& segments,
                      const Gamma& gamma);

// The stages of a call with at least two processes: Algorithm::stages or, if that is null, the
// individual messages of Algorithm::cost.
StageForm stage_form(const Algorithm& algorithm, const ModelArgs& args, const Gamma& gamma);

}  // namespace tutti::algorithms::models

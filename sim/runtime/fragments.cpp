// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/fragments.hpp"

namespace tutti::runtime {
namespace {

// The longest chain of dependencies through equal fragments 1 to n. It advances fragment by
// fragment through preparations or transfers, or by `depth` fragments with one whole turn
// (transfer, preparation, round trip). As its length is linear in the number of turns, the maximum
// has either no turns or as many as possible.
class EqualFragments {
 public:
  explicit EqualFragments(const FragmentPipeline& pipeline)
      : prepare_s_(pipeline.full.prepare_s),
        turn_s_(pipeline.full.prepare_s + pipeline.round_trip_s + pipeline.full.move_s),
        step_s_(std::max(pipeline.full.prepare_s, pipeline.full.move_s)),
        depth_(pipeline.depth > 0 ? pipeline.depth : pipeline.fragments) {}

  Seconds arrived_s(std::int64_t n) const {
    if (n < 1) return 0;
    return turn_s_ + std::max(after_turns(n, 0), after_turns(n, (n - 1) / depth_));
  }
  // Before its first turn, a chain that ends with a preparation consists only of preparations.
  Seconds prepared_s(std::int64_t n) const {
    if (n < 1) return 0;
    const std::int64_t turns = (n - 1) / depth_;
    const Seconds at_once_s = static_cast<double>(n) * prepare_s_;
    if (turns == 0) return at_once_s;
    return std::max(
        {at_once_s, prepare_s_ + after_turns(n, 1), prepare_s_ + after_turns(n, turns)});
  }

 private:
  // Length of a chain from the first fragment to the n-th with a given number of turns.
  Seconds after_turns(std::int64_t n, std::int64_t turns) const {
    return static_cast<double>(turns) * turn_s_ +
           static_cast<double>(n - 1 - turns * depth_) * step_s_;
  }

  Seconds prepare_s_;
  Seconds turn_s_;
  Seconds step_s_;
  std::int64_t depth_;
};

}  // namespace

Seconds FragmentPipeline::duration_s() const {
  const EqualFragments before(*this);
  const std::int64_t waited_for = depth > 0 ? fragments - depth : 0;
  const Seconds prepared_s =
      std::max(before.prepared_s(fragments - 1), before.arrived_s(waited_for)) + last.prepare_s;
  return std::max(prepared_s + round_trip_s, before.arrived_s(fragments - 1)) + last.move_s;
}

}  // namespace tutti::runtime

// SPDX-License-Identifier: BSD-3-Clause
// Values of combinations, each determined once: the interface of searches, with the cost so far.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/tune/space.hpp"

namespace tutti::studies::tuning {

// Memory of buffers that the MPI library of a process needs for a point with these parameters:
//   eager messages     credits * eager limit of the path, for each other process
//   long messages      pipeline depth * fragment size
//   collective I/O     the buffer of an aggregator
// This is the memory of Open MPI's eager RDMA and pipelines, without its free lists and the
// temporary buffers of the algorithms.

struct BufferMemory {
  Bytes bytes = 0;  // of the process that needs most
  // Key that must be set to limit the memory: "mpi/eager_credits"; empty: limited.
  std::string unlimited;
};

BufferMemory buffer_memory(const StudyPoint& point);

// Levels of an objective: small problems first, the whole problem last. The cost of a level is
// relative to the whole problem.
struct Levels {
  std::vector<double> costs = {1};
  std::size_t whole() const { return costs.size() - 1; }
};

struct Evaluated {
  Combination combination;
  std::optional<double> value;  // less is better; empty: it failed, or violates a constraint
  bool has_failed = false;      // it has no value because a simulation failed
};

// Values with a smaller relative difference are equal: sums of the same times in another order.
inline constexpr double equal_values = 1e-9;

// The smallest value; of equals the one with the fewest changes from the defaults, then the first.
std::optional<Evaluated> find_best(const Space& space, const std::vector<Evaluated>& all);

class Evaluations {
 public:
  // Returns the values of combinations on a level, in their order. An error ends the search.
  using Evaluate = std::function<Result<std::vector<std::optional<double>>>(
      const std::vector<Combination>&, std::size_t level)>;

  // Whether a combination lacks its value because a simulation failed.
  using HasFailed = std::function<bool(const Combination&, std::size_t level)>;

  // Space and levels must outlive this object.
  Evaluations(
      const Space& space, const Levels& levels, Evaluate evaluate,
      HasFailed has_failed = [](const auto&, auto) { return false; })
      : space_(space),
        levels_(levels),
        evaluate_(std::move(evaluate)),
        has_failed_(std::move(has_failed)),
        known_(levels.costs.size()) {}

  const Space& space() const { return space_; }
  const Levels& levels() const { return levels_; }

  // Evaluates the combinations together, so that they can be simulated in parallel. Known
  // combinations are not evaluated again.
  Result<std::vector<Evaluated>> evaluate(const std::vector<Combination>& combinations,
                                          std::size_t level);
  Result<std::vector<Evaluated>> evaluate(const std::vector<Combination>& combinations) {
    return evaluate(combinations, levels_.whole());
  }

  // Whether the combination is evaluated on the whole problem.
  bool knows(const Combination& combination) const {
    return known_[levels_.whole()].contains(combination);
  }
  // The best combination on the whole problem; of equals the one nearest to the defaults, since
  // users should not change parameters without effect. Empty before any is known.
  std::optional<Evaluated> best() const { return find_best(space_, history_); }
  // Evaluations of the whole problem, in the order in which they were made.
  const std::vector<Evaluated>& history() const { return history_; }
  // Number of evaluations, and their cost in evaluations of the whole problem.
  std::size_t count() const { return count_; }
  double cost() const { return cost_; }

 private:
  const Space& space_;
  const Levels& levels_;
  Evaluate evaluate_;
  HasFailed has_failed_;
  std::vector<std::map<Combination, Evaluated>> known_;  // by level
  std::vector<Evaluated> history_;
  std::size_t count_ = 0;
  double cost_ = 0;
};

// Combinations with a value first, in ascending order of it; equals keep their order.
void sort_by_value(std::vector<Evaluated>& all);

// Sensitivity to each parameter, from all evaluated combinations.

// Effect of one value of a parameter, over the combinations with that value.
struct ValueEffect {
  std::uint32_t value = 0;
  std::size_t evaluations = 0;  // with a value
  std::size_t failed = 0;
  std::optional<double> mean;  // empty: some failed
  std::optional<double> best;  // least value of a combination
};

struct Sensitivity {
  std::size_t parameter = 0;
  std::vector<ValueEffect> values;  // evaluated values only
  // (largest - least) / least of the best times of the values: the cost of a wrong choice of this
  // parameter alone if the others are chosen well. It is set only if all combinations were
  // evaluated and none failed: the best times of samples depend on where a search sampled.
  std::optional<double> spread;
  // Number of pairs of combinations that differ only in this parameter, and whether the values of
  // any pair differ.
  std::size_t compared = 0;
  bool differs = false;

  bool is_without_effect() const { return compared > 0 && !differs; }
};

// The sensitivities by parameter. Only the first evaluation of each combination counts.
std::vector<Sensitivity> sensitivities(const Space& space, const std::vector<Evaluated>& all);

}  // namespace tutti::studies::tuning

// SPDX-License-Identifier: BSD-3-Clause
// Values of combinations, each found once: what searches ask, and what they have cost.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/study_point.hpp"
#include "sim/tune/space.hpp"

namespace tutti::studies::tuning {

// Memory of buffers that a process' MPI library needs for a point with these parameters:
//   eager messages     credits * eager limit, of each other process (between nodes, and inside one)
//   long messages      pipeline depth * fragment size
//   collective I/O     the buffer of an aggregator
// As Open MPI's eager RDMA and pipelines have them; its free lists and the algorithms' own
// temporary buffers are left out.

struct BufferMemory {
  Bytes bytes = 0;        // of the process that needs most
  std::string unlimited;  // the key without which there is no limit: "mpi/eager_credits"; or empty
};

BufferMemory buffer_memory(const StudyPoint& point);

// Levels of an objective: small problems first, the last one is the whole. Each has its cost as a
// part of the whole's.
struct Levels {
  std::vector<double> costs = {1};
  std::size_t whole() const { return costs.size() - 1; }
};

struct Evaluated {
  Combination combination;
  std::optional<double> value;  // less is better; nothing: it failed, or exceeds a constraint
};

// Values that differ by less are equal: sums of the same times in another order.
inline constexpr double equal_values = 1e-9;

// The least value; of equals the fewest changes from the defaults, then the first.
std::optional<Evaluated> best_of(const Space& space, const std::vector<Evaluated>& all);

class Evaluations {
 public:
  // Values of combinations on a level, in their order. An error ends the search.
  using Evaluate = std::function<Result<std::vector<std::optional<double>>>(
      const std::vector<Combination>&, std::size_t level)>;

  // Both outlive it.
  Evaluations(const Space& space, const Levels& levels, Evaluate evaluate)
      : space_(space),
        levels_(levels),
        evaluate_(std::move(evaluate)),
        known_(levels.costs.size()) {}

  const Space& space() const { return space_; }
  const Levels& levels() const { return levels_; }

  // All at once, so that they can be simulated side by side; those known are not asked again.
  Result<std::vector<Evaluated>> of(const std::vector<Combination>& combinations,
                                    std::size_t level);
  Result<std::vector<Evaluated>> of(const std::vector<Combination>& combinations) {
    return of(combinations, levels_.whole());
  }

  // On the whole problem.
  bool knows(const Combination& combination) const {
    return known_[levels_.whole()].contains(combination);
  }
  // On the whole problem; of equals the one nearest to the defaults: nobody shall change what does
  // not matter. Nothing before one is known.
  std::optional<Evaluated> best() const { return best_of(space_, history_); }
  // The whole problem's, in the order in which they were found.
  const std::vector<Evaluated>& history() const { return history_; }
  // Evaluations, and what they cost in evaluations of the whole problem.
  std::size_t count() const { return count_; }
  double cost() const { return cost_; }
  // What the best one was, and after how many evaluations.
  struct Improvement {
    std::size_t evaluations = 0;
    double cost = 0;
    double value = 0;
  };
  const std::vector<Improvement>& improvements() const { return improvements_; }

 private:
  void take(const Combination& combination, std::size_t level, std::optional<double> value);

  const Space& space_;
  const Levels& levels_;
  Evaluate evaluate_;
  std::vector<std::map<Combination, std::optional<double>>> known_;  // by level
  std::vector<Evaluated> history_;
  std::vector<Improvement> improvements_;
  std::size_t count_ = 0;
  double cost_ = 0;
};

// Those with a value first, by it; equals in the order given.
void sort_by_value(std::vector<Evaluated>& all);

// How much each parameter matters, from all combinations that were evaluated.

// Of one value of a parameter: over the combinations that have it.
struct ValueEffect {
  std::uint32_t value = 0;
  std::size_t evaluations = 0;
  double mean = 0;
  double best = 0;
};

struct Sensitivity {
  std::size_t parameter = 0;
  std::vector<ValueEffect> values;  // those that were evaluated
  // (largest - least) / least of the values' bests: what a wrong choice of this parameter alone
  // costs where the others are chosen well. Only where all combinations were evaluated: bests of
  // samples depend on where a search looked.
  std::optional<double> spread;
  // Pairs of combinations that differ in this parameter alone, and whether any differ in value.
  std::size_t compared = 0;
  bool differs = false;

  bool is_without_effect() const { return compared > 0 && !differs; }
};

// By parameter. The first evaluation of a combination counts; each is there once.
std::vector<Sensitivity> sensitivities(const Space& space, const std::vector<Evaluated>& all);

}  // namespace tutti::studies::tuning

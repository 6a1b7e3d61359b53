// SPDX-License-Identifier: BSD-3-Clause
// Methods to find a combination with a short time. The first three are methods of ADCL, as OTPO
// uses it (M. Chaarawi, J. Squyres, E. Gabriel, S. Feki, EuroPVM/MPI 2008; OTPO's repository at
// 0fb5652); the others need fewer evaluations. The same seed gives the same search.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/random.hpp"
#include "sim/tune/evaluations.hpp"

namespace tutti::studies::tuning {

enum class Method : unsigned char { brute_force, attribute, factorial, halving, model };

std::optional<Method> parse_method(std::string_view name);
std::string_view method_name(Method method);
std::vector<std::string> method_names();

struct SearchOptions {
  Method method = Method::model;
  std::uint64_t seed = 1;
  // Maximum number of evaluations of method model, or of the first level of halving. Unset: a tenth
  // of the allowed combinations, at least 5, at most 200, as the number of evaluations of model, or
  // the cost of all levels of halving. Model stops earlier if all remaining combinations are likely
  // to repeat known ones.
  std::optional<std::size_t> budget{};
  // attribute: a value is fixed after it wins this number of comparisons more than it loses.
  int confidence = 2;
  // factorial: parameters are frozen if the square of their main effect is below this fraction of
  // the square of the largest effect, interactions included.
  double threshold = 0.5;
  // halving: one of this number of combinations reaches the next level.
  int keep_one_of = 3;
  // model: maximum number of proposals evaluated in parallel; fewer if the budget is small.
  std::size_t batch = 4;
};

// A main effect of the 2^k factorial: half of the mean change from a parameter's first value to its
// last; for several names the deviation of their means. Only corners whose counterparts with the
// other values have a time count.
struct MainEffect {
  std::size_t parameter = 0;
  std::optional<double> effect = {};  // unset: no corner counts
  std::optional<double> part = {};    // its square relative to the largest effect's
  bool is_frozen = false;
  std::uint32_t frozen_at = 0;
};

struct SearchOutcome {
  std::vector<MainEffect> effects;   // of the factorial search
  std::vector<std::string> remarks;  // actions of the search: "eager_limit is fixed at 24KiB"
};

// Searches with the method of the options; `evaluations` then contains the best combination.
// Errors: an evaluation failed, or the space is too large for the method.
Result<SearchOutcome> search(Evaluations& evaluations, const SearchOptions& options);

// The number of evaluations that the factorial search's rule predicts once its effects are known:
// the corners, and the product of the parameters that are not frozen, without its corners.
// Combinations that differ only in parameters with a false condition count once.
std::size_t predicted_evaluations(const Space& space, const std::vector<MainEffect>& effects);

// The methods other than brute force, each in its own file.

Result<SearchOutcome> attribute_search(Evaluations& evaluations, const SearchOptions& options);
Result<SearchOutcome> factorial_search(Evaluations& evaluations, const SearchOptions& options);
Result<SearchOutcome> halving_search(Evaluations& evaluations, const SearchOptions& options);
Result<SearchOutcome> model_guided_search(Evaluations& evaluations, const SearchOptions& options);

// Combinations of the values that are not fixed yet; parameters that do not apply have their
// defaults.
class Box {
 public:
  explicit Box(const Space& space);
  void fix(std::size_t parameter, std::uint32_t value) { values_[parameter] = {value}; }
  bool is_fixed(std::size_t parameter) const { return values_[parameter].size() == 1; }
  const std::vector<std::uint32_t>& values(std::size_t parameter) const {
    return values_[parameter];
  }
  // Saturates like Space::size.
  std::size_t size() const;
  std::vector<Combination> all() const;

 private:
  const Space& space_;
  std::vector<std::vector<std::uint32_t>> values_;  // by parameter
};

// "eager_limit is fixed at 24KiB".
std::string fixed_text(const Space& space, std::size_t parameter, std::uint32_t value,
                       std::string_view how);
// Returns an error if brute force would evaluate more than a million combinations. `purpose`
// follows their number in the message: "for the corners".
std::optional<Error> check_brute_force(std::size_t combinations, std::string_view purpose);

// Evaluates all combinations of a box that a search has left.
std::optional<Error> evaluate_all(Evaluations& evaluations, const Box& box);

// Draws random numbers in sequence.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  // A number from [0, 1).
  double uniform() { return random_uniform(seed_, 0, index_++); }
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(count));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

// The defaults and distinct random combinations, such that each value of each parameter occurs
// about equally often; fewer if there are not enough.
std::vector<Combination> first_sample(const Space& space, std::size_t count, Draws& draws);

// Combinations that differ in one parameter, and in the consequences of its condition.
std::vector<Combination> neighbours(const Space& space, const Combination& combination);

// SearchOptions::budget, or its default.
std::size_t evaluation_budget(const Space& space, const SearchOptions& options);

}  // namespace tutti::studies::tuning

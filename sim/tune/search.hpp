// SPDX-License-Identifier: BSD-3-Clause
// Ways to find a combination that takes little time. The first three are those of ADCL, as OTPO
// uses it (M. Chaarawi, J. Squyres, E. Gabriel, S. Feki, EuroPVM/MPI 2008; OTPO's repository at
// 0fb5652); the others need fewer evaluations. The same seed gives the same search.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/random.hpp"
#include "sim/tune/evaluations.hpp"

namespace tutti::studies::tuning {

enum class Method : unsigned char { brute_force, attribute, factorial, halving, model };

std::optional<Method> method_of(std::string_view name);
std::string_view method_name(Method method);
std::vector<std::string> method_names();

struct SearchOptions {
  Method method = Method::model;
  std::uint64_t seed = 1;
  // Most evaluations of the methods that choose their own: model's all, halving's on its first
  // level. Unset: a tenth of the allowed combinations, at least 5, at most 200: so many of model,
  // so much cost of all levels of halving. Model stops before where all that is left is likely to
  // repeat what is known.
  std::optional<std::size_t> budget{};
  // attribute: a value that wins so many comparisons is fixed.
  int confidence = 2;
  // factorial: main effects below this part of the largest are frozen.
  double threshold = 0.5;
  // halving: one of so many goes on to the next level.
  int keep_one_of = 3;
  // model: at most so many proposals are evaluated side by side; fewer where the budget is small.
  std::size_t batch = 4;
};

// A main effect of the 2^k factorial: half of the mean change from a parameter's first value to its
// last; of several names the deviation of their means.
struct MainEffect {
  std::size_t parameter = 0;
  double effect = 0;
  double part = 0;  // its square over the largest one's
  bool is_frozen = false;
  std::uint32_t frozen_at = 0;
};

struct SearchOutcome {
  std::vector<MainEffect> effects;   // of the factorial search
  std::vector<std::string> remarks;  // what it did: "eager_limit is fixed at 24KiB"
};

// Finds; `evaluations` then has the best. Errors are those of the evaluations, and a space that is
// too large for the method.
Result<SearchOutcome> search(Evaluations& evaluations, const SearchOptions& options);

// How many evaluations the factorial search's rule predicts, once its effects are known: the
// corners, and the product of what is not frozen, without the corners among it. Combinations that
// mean the same, as a condition does not hold, are one.
std::size_t predicted_evaluations(const Space& space, const std::vector<MainEffect>& effects);

// The methods of search.hpp, each in a file of its own.

Result<SearchOutcome> brute_force_search(Evaluations& evaluations);
Result<SearchOutcome> attribute_search(Evaluations& evaluations, const SearchOptions& options);
Result<SearchOutcome> factorial_search(Evaluations& evaluations, const SearchOptions& options);
Result<SearchOutcome> halving_search(Evaluations& evaluations, const SearchOptions& options);
Result<SearchOutcome> model_guided_search(Evaluations& evaluations, const SearchOptions& options);

// Combinations of what is not fixed yet; what does not apply is at its default.
class Box {
 public:
  explicit Box(const Space& space);
  void fix(std::size_t parameter, std::uint32_t value) { values_[parameter] = {value}; }
  bool is_fixed(std::size_t parameter) const { return values_[parameter].size() == 1; }
  const std::vector<std::uint32_t>& values(std::size_t parameter) const {
    return values_[parameter];
  }
  // Saturates as Space::size does.
  std::size_t size() const;
  std::vector<Combination> all() const;

 private:
  const Space& space_;
  std::vector<std::vector<std::uint32_t>> values_;  // by parameter
};

// "eager_limit is fixed at 24KiB".
std::string fixed_text(const Space& space, std::size_t parameter, std::uint32_t value,
                       std::string_view how);
// More than anyone waits for.
inline constexpr std::size_t most_brute_force = 1'000'000;
std::optional<Error> check_brute_force(std::size_t combinations, std::string_view of);

// Draws numbers one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  // From [0, 1).
  double uniform() { return random_uniform(seed_, 0, index_++); }
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(count));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

// The defaults and others at random, each once, such that each value of each parameter is taken
// about as often; fewer where there are no more.
std::vector<Combination> first_sample(const Space& space, std::size_t count, Draws& draws);

// Those that differ in one parameter, and what follows from its condition.
std::vector<Combination> neighbours(const Space& space, const Combination& combination);

// SearchOptions::budget, or what holds without it.
std::size_t budget_of(const Space& space, const SearchOptions& options);

}  // namespace tutti::studies::tuning

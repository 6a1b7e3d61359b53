// SPDX-License-Identifier: BSD-3-Clause
// The methods of search.hpp, each in a file of its own.
#pragma once

#include "sim/base/random.hpp"
#include "sim/tune/search.hpp"

namespace tutti::studies::tuning {

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

// SPDX-License-Identifier: BSD-3-Clause
// What the programs of programs_*.hpp have in common: a program, the change that a hypothesis
// supposes, and noise.
#pragma once

#include <random>

#include "tests/support/truth/change.hpp"

namespace tutti::tests::truth {

struct Case {
  Program program;
  Change change = {.balance = "foo"};
  // The program shows all that the model needs, so the predicted end is exact; otherwise it is
  // within 1 %.
  bool is_exact = true;
};

// Additional computation: 0 without a seed, else up to 192 us. Means of up to 16 are whole.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : is_on_(seed != 0), random_(seed) {}
  Time operator()() { return is_on_ ? static_cast<Time>(random_() % 4000) * 48 : 0; }

 private:
  bool is_on_;
  std::mt19937_64 random_;
};

// Calls `body(script, rank)` for each iteration and rank.
template <class Body>
void iterate(Program& program, int iterations, const Body& body) {
  for (int i = 0; i < iterations; ++i)
    for (int rank = 0; rank < program.rank_count; ++rank) body(program.at(rank), rank, i);
}

}  // namespace tutti::tests::truth

// SPDX-License-Identifier: BSD-3-Clause
// Noise on what ranks do locally (overheads of sends and receives, copies, operations, computing):
// a function of seed, rank and how much the rank has done, so that all engines see the same.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/random.hpp"

namespace tutti::runtime {

struct Noise {
  enum class Kind : std::uint8_t {
    none,
    multiplicative,  // a piece of work takes 1 + amount * E times as long
    additive         // it takes amount * E seconds longer; E is exponential with mean 1
  } kind = Kind::none;
  double amount = 0;
  std::uint64_t seed = 0;

  Seconds prolonged(Seconds duration_s, std::uint64_t rank, std::uint64_t index) const {
    if (kind == Kind::none) return duration_s;
    const double drawn = amount * random_exponential(seed, rank, index);
    return kind == Kind::additive ? duration_s + drawn : duration_s * (1 + drawn);
  }
};

}  // namespace tutti::runtime

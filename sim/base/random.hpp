// SPDX-License-Identifier: BSD-3-Clause
// Stateless random numbers: the i-th draw of a stream is a function of seed, stream and i, the same
// on every machine. A stream per rank needs no memory.
#pragma once

#include <cmath>
#include <cstdint>

namespace tutti {

// SplitMix64's finalizer (Steele, Lea, Flood, OOPSLA 2014): each input bit affects all output bits.
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return mixed(mixed(mixed(seed) ^ stream) ^ index);
}

// Uniformly distributed in [0, 1).
inline double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, stream, index) >> 11) * 0x1p-53;
}

// Exponentially distributed, mean 1.
inline double random_exponential(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return -std::log1p(-random_uniform(seed, stream, index));
}

}  // namespace tutti

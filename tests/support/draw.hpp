// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are the same on every system for one seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace tutti::tests {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  std::uint64_t below(std::uint64_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ >> 11) % limit;
  }
  // Both ends included.
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(below(std::uint64_t{high} - low + 1));
  }
  bool chance(int percent) { return below(100) < static_cast<std::uint64_t>(percent); }

  template <class T>
  T pick(std::initializer_list<T> of) {
    return of.begin()[below(of.size())];
  }
  template <class Container>
  const typename Container::value_type& one_of(const Container& of) {
    return of[below(of.size())];
  }
  template <class Container>
  void shuffle(Container& of) {
    for (auto left = std::size(of); left > 1; --left) std::swap(of[left - 1], of[below(left)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tutti::tests

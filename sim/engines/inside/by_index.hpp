// SPDX-License-Identifier: BSD-3-Clause
// Values beside records of the core that are numbered from 0: messages, requests.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::engines {

template <class T>
class ByIndex {
 public:
  T& operator[](std::uint32_t index) {
    if (index >= values_.size()) values_.resize(index + 1);
    return values_[index];
  }

 private:
  std::vector<T> values_;
};

}  // namespace tutti::engines

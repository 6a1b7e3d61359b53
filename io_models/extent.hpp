// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/units.hpp"

namespace tutti::io_models {

// The file's bytes from `begin` to before `end`.
struct Extent {
  Bytes begin = 0;
  Bytes end = 0;

  Bytes bytes() const { return end - begin; }
  bool empty() const { return end <= begin; }
  bool operator==(const Extent&) const = default;
};

}  // namespace tutti::io_models

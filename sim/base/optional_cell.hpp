// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "sim/base/cell.hpp"

namespace tutti {

// No value where there is none.
template <class T>
Cell cell_of(const std::optional<T>& value) {
  return value ? Cell{*value} : Cell{};
}

}  // namespace tutti

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/check.hpp"

#include <fmt/format.h>

namespace tutti {

void broken_invariant(const char* condition, const char* file, int line,
                      const std::string& message) {
  throw BrokenInvariant(fmt::format("{}:{}: {} ({})", file, line, message, condition));
}

}  // namespace tutti

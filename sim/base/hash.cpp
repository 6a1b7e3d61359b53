// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/hash.hpp"

#include <fmt/format.h>

namespace tutti {

std::string hex16(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace tutti

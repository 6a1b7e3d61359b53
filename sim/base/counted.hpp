// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace tutti {

// "1 call", "2 calls", "0 calls"; "2 processes", "2 switches".
template <std::integral Count>
std::string counted(Count count, std::string_view what) {
  const bool hisses = what.ends_with("s") || what.ends_with("ch");
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : hisses ? "es" : "s");
}

}  // namespace tutti

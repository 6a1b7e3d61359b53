// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti::reports {

inline constexpr std::size_t terminal_width = 80;

// Breaks `text` at spaces into lines of at most `width` bytes; a longer word keeps its own line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace tutti::reports

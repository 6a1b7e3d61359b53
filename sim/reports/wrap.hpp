// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Help and comment lines are wrapped here, wherever they are shown.
inline constexpr std::size_t page_width = 80;

// Breaks `text` at spaces into lines of at most `width` bytes; a longer word keeps its own line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);
// Lines of a page, `label` before the first and the others below its text.
std::string paragraph(std::string_view text, std::size_t indent, std::string_view label = {});

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Text of unknown origin for a picture: UTF-8 (what is not becomes U+FFFD) without control
// characters.
std::string clean_text(std::string_view text);

// The same of a text that stands in a picture, which would be as wide as its longest one.
std::string picture_text(std::string_view text);

// Help and comment lines are wrapped here, wherever they are shown.
inline constexpr std::size_t page_width = 80;

// Breaks `text` at spaces into lines of at most `width` bytes; a longer word keeps its own line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);
// Lines of a page, `label` before the first and the others below its text.
std::string paragraph(std::string_view text, std::size_t indent, std::string_view label = {});

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Text of unknown origin as UTF-8 without control characters. Invalid bytes become U+FFFD.
std::string clean_text(std::string_view text);

// "1.5 µs" of "1.5 us", as at the ticks of axes.
std::string with_micro_signs(std::string text);

// The text with its first letter, if it is an ASCII letter, in upper case.
std::string capitalized(std::string text);

// Clean text for a picture, shortened to 200 characters: a picture is as wide as its longest text.
// Times have the unit "µs".
std::string picture_text(std::string_view text);

// Width in characters to which help and comment lines are wrapped.
inline constexpr std::size_t page_width = 80;

// Breaks `text` at spaces into lines of at most `width` bytes; a longer word gets its own line.
// A number and its percent sign stay together.
std::vector<std::string> wrap(std::string_view text, std::size_t width);
// Lines of `page_width`, indented by `indent`, with `label` before the text of the first line.
std::string paragraph(std::string_view text, std::size_t indent, std::string_view label = {});

}  // namespace tutti::reports

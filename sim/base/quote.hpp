// SPDX-License-Identifier: BSD-3-Clause
// Text of unknown origin, made fit for a terminal. Control characters are the bytes below 0x20,
// DEL, and U+0080 to U+009F in UTF-8, which some terminals obey as well.
#pragma once

#include <string>
#include <string_view>

namespace tutti {

// The text with its control characters as \xNN: names in messages.
std::string printable(std::string_view text);
// 'text' in quotes: printable, cut after 80 bytes.
std::string in_quotes(std::string_view text);
// A line of a file as it stands under an error: a blank for each byte of a control character and
// each that is not UTF-8, so that columns keep their numbers. Nothing of a line above 64 KiB.
std::string source_line(std::string_view line);

}  // namespace tutti

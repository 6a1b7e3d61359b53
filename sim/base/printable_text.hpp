// SPDX-License-Identifier: BSD-3-Clause
// Sanitizes whole outputs for a terminal. `printable` (text.hpp) is for names. Both replace control
// characters (bytes below 0x20, DEL, U+0080 to U+009F), line separators and characters that change
// the direction of writing (U+2028 to U+202E, U+2066 to U+2069), and bytes that are not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace tutti {

// The text with these characters as \xNN, except line breaks and tabs.
std::string printable_lines(std::string_view text);
// A JSON document, whose strings show them as \uNNNN.
std::string printable_json(std::string_view json);

}  // namespace tutti

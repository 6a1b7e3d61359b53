// SPDX-License-Identifier: BSD-3-Clause
// Sanitizes whole outputs for a terminal; `printable` in text.hpp is for names. The characters are
// listed there.
#pragma once

#include <string>
#include <string_view>

namespace tutti {

// The text with control characters as \xNN, except line breaks and tabs.
std::string printable_lines(std::string_view text);
// The JSON document with control characters in strings as \uNNNN.
std::string printable_json(std::string_view json);

}  // namespace tutti

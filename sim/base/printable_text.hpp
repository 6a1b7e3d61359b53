// SPDX-License-Identifier: BSD-3-Clause
// Sanitizes whole outputs for a terminal; `printable` (text.hpp, which lists the characters) is for
// names.
#pragma once

#include <string>
#include <string_view>

namespace tutti {

// The text with control characters as \xNN, except line breaks and tabs.
std::string printable_lines(std::string_view text);
// A JSON document, whose strings show them as \uNNNN.
std::string printable_json(std::string_view json);

}  // namespace tutti

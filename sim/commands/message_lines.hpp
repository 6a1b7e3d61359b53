// SPDX-License-Identifier: BSD-3-Clause
// Messages and quoted lines, made to fit the terminal that they are told on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tutti::commands {

// Of a terminal in columns; none: a file or a pipe.
using Width = std::optional<std::size_t>;

// The lines of `message` broken at spaces, what follows indented; without a width as they are. Ends
// with a newline.
std::string fitted(std::string_view message, Width width);

// A line of a file, indented, and under it a caret below the byte `column` (from 1; 0: no caret).
// Of a line that is wider than the terminal, or than 200 characters, the part around the caret:
// "..." stands for the rest. A tab stays a tab above the caret and before it.
std::string pointed_line(std::string_view line, int column, Width width);

}  // namespace tutti::commands

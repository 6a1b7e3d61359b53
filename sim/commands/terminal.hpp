// SPDX-License-Identifier: BSD-3-Clause
// How wide the terminal is that a person looks at.
#pragma once

#include <cstddef>
#include <optional>

namespace tutti::commands {

// Columns of the terminal behind `fd`: COLUMNS if it is a number above 0, else what the terminal
// says, else 80. Nothing where `fd` is no terminal: a file or a pipe has no width.
std::optional<std::size_t> terminal_width(int fd);

}  // namespace tutti::commands

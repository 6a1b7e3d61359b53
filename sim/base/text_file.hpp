// SPDX-License-Identifier: BSD-3-Clause
// Whole text files into memory, with a limit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti {

inline constexpr std::size_t longest_text_file = 64 * 1024 * 1024;

// The bytes of `path`. A missing or unreadable file, a directory and a file longer than `limit` are
// errors of kind `input` whose place is `path`. The file is an input of this command from here on.
Result<std::string> read_text_file(const std::string& path, std::size_t limit = longest_text_file);

// What standard input has, up to its end; the place of errors is "standard input".
Result<std::string> read_standard_input(std::size_t limit = longest_text_file);
inline constexpr std::string_view standard_input = "standard input";

}  // namespace tutti

// SPDX-License-Identifier: BSD-3-Clause
// The words of a command line in a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

// Splits a text into words like a shell, with quotes and backslashes but without any expansion.
// Unset if a quote is not closed.
std::optional<std::vector<std::string>> shell_words(std::string_view text);

// The word in single quotes; shell_words and shells read them as the same word.
std::string in_shell_quotes(std::string_view word);

}  // namespace tutti

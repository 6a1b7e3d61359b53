// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/shell_words.hpp"

namespace tutti {

std::optional<std::vector<std::string>> shell_words(std::string_view text) {
  std::vector<std::string> words;
  char quote = '\0';
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_plain = quote == '\0';
    if (is_plain && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (is_plain && (c == '\'' || c == '"'))
      quote = c;
    else if (!is_plain && c == quote)
      quote = '\0';
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote != '\0') return std::nullopt;
  return words;
}

std::string in_shell_quotes(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

}  // namespace tutti

// SPDX-License-Identifier: BSD-3-Clause
// The parts of a text between separators.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

// "1 call", "2 calls", "0 calls"; "2 processes", "2 switches".
template <std::integral Count>
std::string counted(Count count, std::string_view what) {
  const bool hisses = what.ends_with("s") || what.ends_with("ch");
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : hisses ? "es" : "s");
}

// Always at least one part: an empty text has one empty part. Views of `text`.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.

// Bytes of the character that begins at `i` of `text`, 1 to 4; 0: none begins there.
std::size_t utf8_length(std::string_view text, std::size_t i);
// Where the first byte stands that is no part of a character.
std::optional<std::size_t> first_not_utf8(std::string_view text);
// Without the byte order mark (EF BB BF) that some editors put before a text.
std::string_view without_byte_order_mark(std::string_view text);
// How many characters there are; a byte that is no part of one counts as one.
std::size_t count_characters(std::string_view text);

// Text of unknown origin, made fit for a terminal. Control characters are the bytes below 0x20,
// DEL, and U+0080 to U+009F in UTF-8, which some terminals obey as well.

// The text with its control characters as \xNN: names in messages.
std::string printable(std::string_view text);
// 'text' in quotes: printable, cut after 80 bytes.
std::string in_quotes(std::string_view text);
// A line of a file as it stands under an error: a blank for each byte of a control character and
// each that is not UTF-8, so that columns keep their numbers. Nothing of a line above 64 KiB.
std::string source_line(std::string_view line);

// "Did you mean ...?"

// The candidate nearest to `word` by edit distance (insert, delete, replace, swap of neighbours;
// case does not count), the first of several; empty if all are farther than a third of the word's
// length.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean 'x'?", or `otherwise` where nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         const std::string& otherwise = "");

// Whether two names have a word in common, between '_' and '-', of which one letter of five may be
// another: "neighbour_exchange" and "neighbor".
bool share_word(std::string_view a, std::string_view b);

}  // namespace tutti

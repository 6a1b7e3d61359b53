// SPDX-License-Identifier: BSD-3-Clause
// Text utilities: counting nouns, splitting, UTF-8, printable text, suggestions for misspelled
// words.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <functional>
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

// ASCII letters in lower case.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Splits `text`; the parts are views of it. An empty text has one empty part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The same parts as strings.
inline std::vector<std::string> split_words(std::string_view text, char separator) {
  const auto parts = split(text, separator);
  return {parts.begin(), parts.end()};
}

// The names of the elements of a list; `name` is a member or a function of an element.
template <class List, class Name>
std::vector<std::string> collect_names(const List& list, Name name) {
  std::vector<std::string> names;
  for (const auto& element : list) names.emplace_back(std::invoke(name, element));
  return names;
}

// UTF-8 according to RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.

// Length in bytes of the character that begins at `i` of `text`, 1 to 4; 0 if none begins there.
std::size_t utf8_length(std::string_view text, std::size_t i);
// Offset of the first byte that is not part of a character.
std::optional<std::size_t> first_not_utf8(std::string_view text);
// Removes the byte order mark (EF BB BF) that some editors insert at the beginning.
std::string_view without_byte_order_mark(std::string_view text);
// Number of characters; an invalid byte counts as one.
std::size_t count_characters(std::string_view text);

// Sanitizing text of unknown origin for a terminal. Control characters are the bytes below 0x20,
// DEL, U+0080 to U+009F (some terminals interpret them, too), line separators and characters that
// change the direction of writing (U+2028 to U+202E, U+2066 to U+2069), and bytes that are not
// UTF-8. For whole outputs: printable_text.hpp.

// The text with control characters as \xNN, for names in messages.
std::string printable(std::string_view text);
// 'text' in quotes: printable, truncated to 80 bytes of whole characters.
std::string in_quotes(std::string_view text);
// A line of a file as it is shown below an error. Bytes of control characters become blanks, so
// that columns keep their numbers. Empty for a line longer than 64 KiB.
std::string source_line(std::string_view line);

// Suggestions for misspelled words.

// The candidate nearest to `word` by edit distance (insertion, deletion, replacement,
// transposition; ignoring case), the first one of equals; empty if the distance of all exceeds a
// third of the word's length.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean 'x'?", or `otherwise` if no candidate is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         const std::string& otherwise = "");

// The same for the words that are valid in a place: otherwise "expected one of: a, b, c".
std::string suggest_valid(std::string_view word, const std::vector<std::string>& valid);

// Whether two names have a word in common. Words are separated by '_' and '-', and one in five
// letters may differ: "neighbour_exchange" and "neighbor".
bool share_word(std::string_view a, std::string_view b);

}  // namespace tutti

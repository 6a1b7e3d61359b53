// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sim/base/printable_text.hpp"

namespace tutti {
namespace {

// RFC 3629, section 4: the valid second bytes for each first byte. Later bytes are 80 to bf.
struct Form {
  unsigned char first_from, first_to, second_from, second_to;
  std::size_t bytes;
};
constexpr std::array forms = {Form{0xc2, 0xdf, 0x80, 0xbf, 2}, Form{0xe0, 0xe0, 0xa0, 0xbf, 3},
                              Form{0xe1, 0xec, 0x80, 0xbf, 3}, Form{0xed, 0xed, 0x80, 0x9f, 3},
                              Form{0xee, 0xef, 0x80, 0xbf, 3}, Form{0xf0, 0xf0, 0x90, 0xbf, 4},
                              Form{0xf1, 0xf3, 0x80, 0xbf, 4}, Form{0xf4, 0xf4, 0x80, 0x8f, 4}};

bool is_within(char byte, unsigned char from, unsigned char to) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= from && value <= to;
}

bool has_form(std::string_view text, const Form& form) {
  if (text.size() < form.bytes || !is_within(text[0], form.first_from, form.first_to) ||
      !is_within(text[1], form.second_from, form.second_to))
    return false;
  const auto later = text.substr(2, form.bytes - 2);
  return std::all_of(later.begin(), later.end(), [](char c) { return is_within(c, 0x80, 0xbf); });
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t i) {
  if (i >= text.size()) return 0;
  if (is_within(text[i], 0, 0x7f)) return 1;
  for (const Form& form : forms)
    if (has_form(text.substr(i, form.bytes), form)) return form.bytes;
  return 0;
}

std::optional<std::size_t> first_not_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto length = utf8_length(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count)
    i += std::max<std::size_t>(1, utf8_length(text, i));
  return count;
}

namespace {

// Length in bytes of the character at `i` that a terminal may interpret; 0 for any other.
std::size_t control_length(std::string_view text, std::size_t i) {
  const auto first = static_cast<unsigned char>(text[i]);
  if (first < 0x20 || first == 0x7f) return 1;
  if (first < 0x80) return 0;
  const std::size_t length = utf8_length(text, i);
  if (length == 0) return 1;
  const std::string_view character = text.substr(i, length);
  const auto is_in = [&](std::string_view from, std::string_view to) {
    return length == from.size() && character >= from && character <= to;
  };
  const bool is_control = is_in("\xc2\x80", "\xc2\x9f") ||          // U+0080 to U+009F
                          is_in("\xe2\x80\xa8", "\xe2\x80\xae") ||  // U+2028 to U+202E
                          is_in("\xe2\x81\xa6", "\xe2\x81\xa9");    // U+2066 to U+2069
  return is_control ? length : 0;
}

// Replaces each such character, except those in `kept`, by `write(its bytes)`.
template <class Write>
std::string replace_controls(std::string_view text, std::string_view kept, Write write) {
  std::string out;
  std::size_t copied = 0;  // end of the part that is in `out`
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = control_length(text, i);
    if (length > 0 && kept.find(text[i]) == std::string_view::npos) {
      out += text.substr(copied, i - copied);
      out += write(text.substr(i, length));
      copied = i + length;
    }
    i += std::max({std::size_t{1}, length, utf8_length(text, i)});
  }
  out += text.substr(copied);
  return out;
}

std::string as_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return text;
}

// The code point of a valid character below U+10000.
unsigned code_point(std::string_view character) {
  unsigned code = static_cast<unsigned char>(character[0]);
  if (character.size() > 1) code &= character.size() == 2 ? 0x1fU : 0x0fU;
  for (const char byte : character.substr(1))
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  return code;
}

}  // namespace

std::string printable(std::string_view text) { return replace_controls(text, "", as_hex); }

std::string printable_lines(std::string_view text) {
  return replace_controls(text, "\n\t", as_hex);
}

std::string printable_json(std::string_view json) {
  return replace_controls(json, "\n\t", [](std::string_view character) {
    return utf8_length(character, 0) == 0 ? std::string("\\ufffd")
                                          : fmt::format("\\u{:04x}", code_point(character));
  });
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::size_t shown = 0;  // whole characters
  while (shown < text.size()) {
    const auto next = shown + std::max<std::size_t>(1, utf8_length(text, shown));
    if (next > longest) break;
    shown = next;
  }
  return "'" + printable(text.substr(0, shown)) + (shown < text.size() ? "...'" : "'");
}

std::string source_line(std::string_view line) {
  constexpr std::size_t longest = 1 << 16;
  if (line.size() > longest) return {};
  return replace_controls(line, "",
                          [](std::string_view bytes) { return std::string(bytes.size(), ' '); });
}

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance (restricted Damerau-Levenshtein), with three rows in memory.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool equal = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (equal ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string_view> name_words(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const auto end = std::min(name.find_first_of("_-"), name.size());
    words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(name.size(), end + 1));
  }
  return words;
}

}  // namespace

std::string suggest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_word = 100;  // limits the cost; no option is as long
  if (word.empty() || word.size() > longest_word) return "";
  const std::size_t farthest = std::max<std::size_t>(1, word.size() / 3);
  std::string best;
  std::size_t best_distance = farthest + 1;
  for (const auto& candidate : candidates) {
    if (candidate == word) return "";
    if (candidate.size() > word.size() + farthest) continue;
    const auto distance = edit_distance(word, candidate);
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

bool share_word(std::string_view a, std::string_view b) {
  constexpr std::size_t least_letters = 4;  // ignores "of", "to"
  for (const auto& word : name_words(a))
    for (const auto& other_word : name_words(b))
      if (std::min(word.size(), other_word.size()) >= least_letters &&
          edit_distance(word, other_word) <= std::min(word.size(), other_word.size()) / 5)
        return true;
  return false;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const auto near = suggest(word, candidates);
  return near.empty() ? otherwise : "did you mean '" + printable(near) + "'?";
}

std::string suggest_valid(std::string_view word, const std::vector<std::string>& valid) {
  return did_you_mean(word, valid, fmt::format("expected one of: {}", fmt::join(valid, ", ")));
}

}  // namespace tutti

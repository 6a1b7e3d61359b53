// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/utf8.hpp"

#include <algorithm>
#include <array>

namespace tutti {
namespace {

// RFC 3629, section 4: which second byte may follow a first one. Later ones are 80 to bf.
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

}  // namespace tutti

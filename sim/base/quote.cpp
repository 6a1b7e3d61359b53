// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/utf8.hpp"

namespace tutti {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// Bytes of the control character that begins at `i`; 0: another one begins there.
std::size_t control_length(std::string_view text, std::size_t i) {
  const auto first = byte_at(text, i);
  if (first < 0x20 || first == 0x7f) return 1;
  const auto second = byte_at(text, i + 1);
  return first == 0xc2 && second >= 0x80 && second <= 0x9f ? 2 : 0;
}

// `text` with `write(byte)` in place of every byte of a control character.
template <class Write>
std::string rewritten(std::string_view text, Write write) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto end = i + control_length(text, i);
    if (end == i) out += text[i++];
    for (; i < end; ++i) out += write(byte_at(text, i));
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return rewritten(text, [](unsigned char byte) { return fmt::format("\\x{:02x}", byte); });
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  const char* end = text.size() > longest ? "...'" : "'";
  return "'" + printable(text.substr(0, longest)) + end;
}

std::string source_line(std::string_view line) {
  constexpr std::size_t longest = 1 << 16;
  if (line.size() > longest) return {};
  std::string text = rewritten(line, [](unsigned char) { return std::string(" "); });
  for (std::size_t i = 0; i < text.size();) {
    const auto length = utf8_length(text, i);
    if (length == 0) text[i] = ' ';
    i += std::max<std::size_t>(1, length);
  }
  return text;
}

}  // namespace tutti

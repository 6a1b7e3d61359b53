// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/message_lines.hpp"

#include <algorithm>
#include <vector>

#include "sim/base/split.hpp"
#include "sim/base/utf8.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view message_indent = "    ";
constexpr std::string_view dots = "...";
constexpr std::size_t least_width = 20;  // a narrower terminal breaks the lines itself
constexpr std::size_t longest_line = 200;

std::size_t room_in(std::size_t width) {
  return std::max(width, least_width) - message_indent.size();
}

// Where the characters of `text` begin, and its end.
std::vector<std::size_t> characters_of(std::string_view text) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < text.size(); i += std::max<std::size_t>(1, utf8_length(text, i)))
    begins.push_back(i);
  begins.push_back(text.size());
  return begins;
}

// Which characters of a line are shown.
struct Window {
  std::size_t from = 0;
  std::size_t to = 0;
};

Window window_around(std::size_t caret, std::size_t characters, std::size_t room) {
  if (characters <= room) return {0, characters};
  const std::size_t shown = room - 2 * dots.size();
  const std::size_t from = std::min(caret - std::min(caret, shown / 2), characters - shown);
  return {from, from + shown};
}

}  // namespace

std::string fitted(std::string_view message, Width width) {
  if (message.ends_with('\n')) message.remove_suffix(1);
  std::string text;
  for (const auto& line : split(message, '\n')) {
    if (!width || count_characters(line) <= std::max(*width, least_width)) {
      text += std::string(line) + '\n';
      continue;
    }
    std::string_view start;
    for (const auto& part : reports::wrap(line, room_in(*width))) {
      text += std::string(start) + part + '\n';
      start = message_indent;
    }
  }
  return text;
}

std::string pointed_line(std::string_view line, int column, Width width) {
  const auto begins = characters_of(line);
  const std::size_t characters = begins.size() - 1;
  const auto byte = static_cast<std::size_t>(std::max(column, 1) - 1);
  const auto caret = static_cast<std::size_t>(
      std::lower_bound(begins.begin(), begins.end() - 1, byte) - begins.begin());
  const std::size_t room = width ? std::min(room_in(*width), longest_line) : longest_line;
  const auto [from, to] = window_around(caret, characters, room);
  const std::string_view start = from > 0 ? dots : "";
  std::string text(message_indent);
  text += start;
  text += line.substr(begins[from], begins[to] - begins[from]);
  text += to < characters ? dots : "";
  if (column == 0) return text + '\n';
  std::string under(message_indent.size() + start.size(), ' ');
  for (std::size_t i = from; i < caret; ++i) under += line[begins[i]] == '\t' ? '\t' : ' ';
  return text + '\n' + under + "^\n";
}

}  // namespace tutti::commands

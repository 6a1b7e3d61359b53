// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/wrap.hpp"

#include <cctype>

#include "sim/reports/svg.hpp"
#include "sim/reports/text_table.hpp"

namespace tutti::reports {

std::string clean_text(std::string_view text) {
  std::string clean;
  for (std::size_t i = 0; i < text.size();) {
    const auto length = utf8_length(text, i);
    if (length == 0)
      clean += "\xef\xbf\xbd";
    else
      clean += text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return printable(clean);
}

std::string with_micro_signs(std::string text) {
  constexpr std::string_view unit = " us";
  for (std::size_t at = 0; (at = text.find(unit, at)) != std::string::npos; at += unit.size()) {
    const std::size_t after = at + unit.size();
    const bool is_time =
        at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) &&
        (after == text.size() || !std::isalnum(static_cast<unsigned char>(text[after])));
    if (is_time) text.replace(at, unit.size(), " µs");
  }
  return text;
}

namespace {

using Entity = std::pair<char, std::string_view>;
constexpr Entity entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

std::string escaped(std::string_view text, std::span<const Entity> replaced) {
  std::string safe;
  for (const char c : text) {
    const auto entity = std::ranges::find(replaced, c, &Entity::first);
    safe += entity == replaced.end() ? std::string_view(&c, 1) : entity->second;
  }
  return safe;
}

}  // namespace

std::string xml_escaped(const std::string& text) { return escaped(printable(text), entities); }
std::string html_escaped(std::string_view text) {
  return escaped(text, std::span(entities).first<3>());
}

std::string picture_text(std::string_view text) {
  constexpr std::size_t longest = 200;
  return with_micro_signs(shortened(clean_text(text), longest));
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) {
      end = text.rfind(' ', width);
      // "5 %" stays on one line.
      if (end != std::string_view::npos && text.substr(end).starts_with(" %"))
        end = text.rfind(' ', end - 1);
      // A list without blanks is divided after a comma.
      if (end == std::string_view::npos || end == 0) {
        const auto comma = text.rfind(',', width - 1);
        end = comma == std::string_view::npos ? text.find(' ', 1) : comma + 1;
      }
      if (end == std::string_view::npos) end = text.size();
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end < text.size() && text[end] == ' ' ? end + 1 : end);
  }
  return lines;
}

std::string paragraph(std::string_view text, std::size_t indent, std::string_view label) {
  std::string lines;
  for (const auto& line : wrap(text, page_width - indent)) {
    lines += fmt::format("{:<{}}{}\n", label, indent, line);
    label = {};
  }
  return lines;
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] -= 'a' - 'A';
  return text;
}

}  // namespace tutti::reports

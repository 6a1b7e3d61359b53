// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/wrap.hpp"

namespace tutti::reports {

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width) {
      end = text.rfind(' ', width);
      if (end == std::string_view::npos || end == 0) end = text.find(' ', 1);
      if (end == std::string_view::npos) end = text.size();
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end < text.size() ? end + 1 : end);
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

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/clean_text.hpp"

#include "sim/reports/people_table.hpp"

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

std::string picture_text(std::string_view text) {
  constexpr std::size_t longest = 200;
  return shortened(clean_text(text), longest);
}

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
// The parts of a text between separators.
#pragma once

#include <string_view>
#include <vector>

namespace tutti {

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

}  // namespace tutti

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/text_position.hpp"

#include <algorithm>

#include "sim/base/text.hpp"

namespace tutti {

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
    starts_.push_back(end + 1);
}

TextSpot LineIndex::spot(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::size_t start = *(next - 1);
  return {static_cast<int>(next - starts_.begin()), static_cast<int>(offset - start + 1)};
}

TextPosition LineIndex::at(std::size_t offset) const {
  const TextSpot start = spot(offset);
  TextPosition position{start.line, start.column, ""};
  auto line = this->line(position.line);
  if (line.ends_with('\r')) line.remove_suffix(1);
  position.source = source_line(line);
  return position;
}

std::string_view LineIndex::line(int number) const {
  const auto index = static_cast<std::size_t>(number);
  if (number < 1 || index > starts_.size()) return {};
  const std::size_t start = starts_[index - 1];
  const std::size_t end = index < starts_.size() ? starts_[index] - 1 : text_.size();
  return text_.substr(start, end - start);
}

}  // namespace tutti

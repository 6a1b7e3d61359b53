// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/line_reader.hpp"

#include <algorithm>

#include "sim/base/quote.hpp"
#include "sim/base/utf8.hpp"

namespace tutti {

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

LineReader::LineReader(std::string_view text, std::string_view file)
    : rest_(without_byte_order_mark(text)), file_(file) {}

std::optional<std::string_view> LineReader::next() {
  while (!rest_.empty() && !errors_.full()) {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    ++number_;
    line_ = trim(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!line_.empty() && line_.front() != '#') return line_;
  }
  line_ = {};
  return std::nullopt;
}

void LineReader::refuse(std::string message, std::string hint) {
  auto error =
      make_error(ErrorKind::input, std::string(file_), std::move(message), std::move(hint));
  error.line = number();
  error.source = source_line(line_);
  errors_.add(std::move(error));
}

void LineReader::refuse_line(int line, std::string message, std::string hint) {
  auto error =
      make_error(ErrorKind::input, std::string(file_), std::move(message), std::move(hint));
  error.line = line;
  errors_.add(std::move(error));
}

}  // namespace tutti

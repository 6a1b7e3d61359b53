// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/toml_reading.hpp"

#include <algorithm>
#include <string_view>

#include "sim/base/quote.hpp"
#include "sim/base/utf8.hpp"

namespace tutti::studies {
namespace {

// The reader of TOML calls itself for each part of a dotted key and each bracket.
constexpr std::ptrdiff_t most_dots = 1000;

// toml++ counts characters, everything else here bytes.
int byte_column(std::string_view line, int characters) {
  std::size_t at = 0;
  for (int i = 1; i < characters && at < line.size(); ++i)
    at += std::max<std::size_t>(1, utf8_length(line, at));
  return static_cast<int>(at) + 1;
}

}  // namespace

TomlText::TomlText(const std::string& text, const std::string& path, std::size_t source)
    : text_(text),
      path_(path),
      source_(source),
      lines_(text),
      is_ascii_(std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; })) {}

Result<toml::table> TomlText::parse() const {
  if (auto error = unreadable()) return *error;
  try {
    return toml::table(toml::parse(text_));
  } catch (const toml::parse_error& error) {
    return error_at(spot_of(error.source()), std::string(error.description()),
                    "the file is TOML: see `man sim`");
  }
}

TextSpot TomlText::spot_of(const toml::source_region& source) const {
  const int line = static_cast<int>(source.begin.line);
  const int column = static_cast<int>(source.begin.column);
  return {line, is_ascii_ ? column : byte_column(lines_.line(line), column), source_};
}

Error TomlText::error_at(TextSpot spot, std::string message, std::string hint) const {
  return {ErrorKind::input,
          path_,
          spot.line,
          spot.column,
          std::move(message),
          std::move(hint),
          source_line(lines_.line(spot.line))};
}

std::optional<Error> TomlText::unreadable() const {
  if (text_.size() > longest_toml)
    return error_at({1, 0}, "such a file is at most 1 MiB long", "is it the right file?");
  if (const auto at = first_not_utf8(text_)) return at_byte(*at, "is not UTF-8");
  std::size_t start = 0;
  while (start < text_.size()) {
    const auto end = std::min(text_.find('\n', start), text_.size());
    const std::string_view line(text_.data() + start, end - start);
    const auto first = line.find_first_not_of(" \t");
    if (std::ranges::count(line, '.') > most_dots)
      return at_byte(start, "too many dots in a line", "break the line");
    if (first != line.npos && line.substr(first).starts_with("[[") &&
        line.find("]]", first + 3) == line.npos)
      return at_byte(start + first, "a header without its ]]", "as in [[zip]]");
    start = end + 1;
  }
  return std::nullopt;
}

Error TomlText::at_byte(std::size_t byte, std::string message, std::string hint) const {
  const auto at = lines_.at(byte);
  return error_at({at.line, at.column}, std::move(message), std::move(hint));
}

}  // namespace tutti::studies

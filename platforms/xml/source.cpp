// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/xml/source.hpp"

namespace tutti::platforms {

XmlSource::XmlSource(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), lines_(text) {}

Error XmlSource::at(std::size_t offset) const {
  auto position = lines_.at(offset);
  Error error = make_error(ErrorKind::input, file_, "");
  error.line = position.line;
  error.column = position.column;
  error.source = std::move(position.source);
  return error;
}

Error XmlSource::at(pugi::xml_node element) const {
  // offset_debug points at the name, after the '<'.
  const auto name = std::max<std::ptrdiff_t>(element.offset_debug(), 1);
  return at(static_cast<std::size_t>(name - 1));
}

Error XmlSource::at_name(pugi::xml_node element, const char* attribute) const {
  const auto found = find(element, attribute);
  return found.name == std::string_view::npos ? at(element) : at(found.name);
}

Error XmlSource::at_value(pugi::xml_node element, const char* attribute) const {
  const auto found = find(element, attribute);
  return found.value == std::string_view::npos ? at(element) : at(found.value);
}

XmlSource::Span XmlSource::find(pugi::xml_node element, std::string_view attribute) const {
  Span found;
  const auto start = element.offset_debug();
  if (start < 0) return found;
  auto at = text_.find_first_of(" \t\r\n/>", static_cast<std::size_t>(start));
  while (at != std::string_view::npos) {
    const auto name = text_.find_first_not_of(xml_blanks, at);
    if (name == std::string_view::npos || text_[name] == '/' || text_[name] == '>') break;
    const auto equals = text_.find('=', name);
    const auto quote = text_.find_first_of("\"'", std::min(equals, text_.size()));
    if (quote == std::string_view::npos) break;
    const auto before = text_.substr(name, equals - name);  // "lat" or "lat "
    if (before.substr(0, before.find_first_of(xml_blanks)) == attribute) found = {name, quote + 1};
    const auto end = text_.find(text_[quote], quote + 1);
    at = end == std::string_view::npos ? end : end + 1;
  }
  return found;
}

}  // namespace tutti::platforms

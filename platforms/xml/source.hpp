// SPDX-License-Identifier: BSD-3-Clause
// The text of a platform file beside its parsed tree: from an element or attribute back to its
// place.
#pragma once

#include <pugixml.hpp>

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"

namespace tutti::platforms {

inline constexpr std::string_view xml_blanks = " \t\r\n";

// Keeps a view of the text, which must be UTF-8 and outlive it.
class XmlSource {
 public:
  XmlSource(std::string_view text, std::string file);

  std::string_view text() const { return text_; }

  // An error without message yet, placed at a byte, at an element's '<', at an attribute's name or
  // at its value. An attribute that the element lacks is placed at the element.
  Error at(std::size_t offset) const;
  Error at(pugi::xml_node element) const;
  Error at_name(pugi::xml_node element, const char* attribute) const;
  Error at_value(pugi::xml_node element, const char* attribute) const;

 private:
  struct Span {
    std::size_t name = std::string_view::npos;
    std::size_t value = std::string_view::npos;
  };
  // pugixml knows where an element is, not its attributes: they are looked up in its start tag. Of
  // an attribute given twice this is the last.
  Span find(pugi::xml_node element, std::string_view attribute) const;

  std::string_view text_;
  std::string file_;
  LineIndex lines_;
};

}  // namespace tutti::platforms

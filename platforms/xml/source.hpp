// SPDX-License-Identifier: BSD-3-Clause
// The text of a platform file, which maps elements and attributes of its parsed tree to their
// places.
#pragma once

#include <pugixml.hpp>

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"

namespace tutti::platforms {

inline constexpr std::string_view xml_blanks = " \t\r\n";

// Keeps a view of the text, which must be UTF-8 and must outlive the object.
class XmlSource {
 public:
  XmlSource(std::string_view text, std::string file);

  std::string_view text() const { return text_; }

  // Return an error without a message, placed at a byte, at the '<' of an element, or at the name
  // or value of an attribute. An attribute that the element lacks is placed at the element.
  Error at(std::size_t offset) const;
  Error at(pugi::xml_node element) const;
  Error at_name(pugi::xml_node element, const char* attribute) const;
  Error at_value(pugi::xml_node element, const char* attribute) const;

 private:
  struct Span {
    std::size_t name = std::string_view::npos;
    std::size_t value = std::string_view::npos;
  };
  // pugixml records the place of an element but not of its attributes, which are searched in its
  // start tag. If an attribute is repeated, the last one is found.
  Span find(pugi::xml_node element, std::string_view attribute) const;

  std::string_view text_;
  std::string file_;
  LineIndex lines_;
};

}  // namespace tutti::platforms

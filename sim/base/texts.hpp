// SPDX-License-Identifier: BSD-3-Clause
// The long texts of a C++ file, which stand in a file NAME.help next to it. The build makes the
// object texts::NAME of it, in the header NAME.help.hpp (tutti_help_texts in CMakeLists.txt).
#pragma once

#include <cstddef>
#include <string_view>

namespace tutti {

struct HelpText {
  std::string_view key;
  std::string_view text;
};

template <std::size_t count>
struct HelpTexts {
  HelpText all[count];

  // The text below the heading "# KEY" of the file; does not compile if there is none.
  consteval std::string_view operator[](std::string_view key) const {
    for (const HelpText& text : all)
      if (text.key == key) return text.text;
    throw "the file has no such text";
  }
};

template <class... Texts>
HelpTexts(Texts...) -> HelpTexts<sizeof...(Texts)>;

}  // namespace tutti

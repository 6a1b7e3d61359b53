// SPDX-License-Identifier: BSD-3-Clause
// Texts that the build reads from files (CMakeLists.txt): tutti_help_texts makes the object
// texts::NAME in the header NAME.help.hpp from the file NAME.help, the long texts of a C++ file
// next to it; tutti_embed_texts makes it in NAME.texts.hpp from whole files.
#pragma once

#include <cstddef>
#include <string_view>

namespace tutti {

struct HelpText {
  // The heading "# KEY" in a .help file; of a whole file, its name without extension.
  std::string_view key;
  std::string_view text;
};

template <std::size_t count>
struct HelpTexts {
  HelpText all[count];

  // The text of a key; does not compile if there is none.
  consteval std::string_view operator[](std::string_view key) const {
    for (const HelpText& text : all)
      if (text.key == key) return text.text;
    throw "there is no such text";
  }
};

template <class... Texts>
HelpTexts(Texts...) -> HelpTexts<sizeof...(Texts)>;

}  // namespace tutti

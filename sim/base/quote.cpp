// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quote.hpp"

#include <fmt/format.h>

namespace tutti {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string out = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + (text.size() > longest ? "...'" : "'");
}

}  // namespace tutti

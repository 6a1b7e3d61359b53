// SPDX-License-Identifier: BSD-3-Clause
// Checksums as they are stored: what `hex16` writes.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti::store {

// Nothing where the text is not 16 lower-case hex digits.
inline std::optional<std::uint64_t> read_hex16(std::string_view text) {
  if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

}  // namespace tutti::store

// SPDX-License-Identifier: BSD-3-Clause
// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tutti {

// Bytes of the character that begins at `i` of `text`, 1 to 4; 0: none begins there.
std::size_t utf8_length(std::string_view text, std::size_t i);
// Where the first byte stands that is no part of a character.
std::optional<std::size_t> first_not_utf8(std::string_view text);
// Without the byte order mark (EF BB BF) that some editors put before a text.
std::string_view without_byte_order_mark(std::string_view text);
// How many characters there are; a byte that is no part of one counts as one.
std::size_t count_characters(std::string_view text);

}  // namespace tutti

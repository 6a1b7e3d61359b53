// SPDX-License-Identifier: BSD-3-Clause
// Text of unknown origin, made fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tutti {

// 'text' in quotes: control characters as \xNN, cut after 80 bytes.
std::string in_quotes(std::string_view text);

}  // namespace tutti

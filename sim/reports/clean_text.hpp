// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Text of unknown origin for a picture: UTF-8 (what is not becomes U+FFFD) without control
// characters.
std::string clean_text(std::string_view text);

// The same of a text that stands in a picture, which would be as wide as its longest one.
std::string picture_text(std::string_view text);

}  // namespace tutti::reports

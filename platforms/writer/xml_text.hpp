// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace tutti::platforms {

// Text for an attribute of XML: characters that XML does not allow are escaped.
std::string escaped(std::string_view text);

}  // namespace tutti::platforms

// SPDX-License-Identifier: BSD-3-Clause
// A name for contents of which many are told apart (not for secrets): XXH3, 128 bits.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti {

// 32 lower-case hex digits, the same on every machine.
std::string content_key(std::string_view content);
// The same of a file, however large.
Result<std::string> content_key_of_file(const std::string& path);

}  // namespace tutti

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Text with the special characters of XML escaped.
std::string xml_escaped(const std::string& text);

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Text with the special characters of XML escaped.
std::string xml_escaped(const std::string& text);
// The same for the text of an HTML element, in which quotes need no escape. Controls stay.
std::string html_escaped(std::string_view text);

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
// Values as a TOML file has them.
#pragma once

#include <string>

namespace tutti::studies {

// A text in quotes, with its escapes.
std::string toml_text(const std::string& text);
// The shortest number that reads back the same; a float has a point or an exponent.
std::string toml_number(double value);

}  // namespace tutti::studies

// SPDX-License-Identifier: BSD-3-Clause
// Comma-separated values as in RFC 4180, with '\n' line ends.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Quoted where it must be.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

// A header and a line for each row.
std::string csv_table(const Table& table);

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
// Numbers as papers print them: with so many digits, and no more is known of them.
#pragma once

#include <string>
#include <string_view>

namespace tutti::studies::papers {

// Digits behind the point: 2 of "20.61", 14 of "5.7e-13".
int decimals_of(std::string_view printed);

// Half of the last digit that is printed.
double half_digit(std::string_view printed);

// `value` comes out as printed, rounded up or down where it lies in the middle.
bool rounds_to(double value, std::string_view printed);

// `value` with as many digits behind the point as `printed` has.
std::string as_printed(double value, std::string_view printed);

}  // namespace tutti::studies::papers

// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/rounding.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/check.hpp"
#include "sim/base/units.hpp"

namespace tutti::studies::papers {

int decimals_of(std::string_view printed) {
  const auto exponent = printed.find_first_of("eE");
  const std::string_view digits = printed.substr(0, exponent);
  const auto point = digits.find('.');
  int decimals = point == digits.npos ? 0 : static_cast<int>(digits.size() - point) - 1;
  if (exponent != printed.npos)
    decimals -= static_cast<int>(parse_number(printed.substr(exponent + 1)).value());
  return decimals;
}

double half_digit(std::string_view printed) { return 0.5 * std::pow(10.0, -decimals_of(printed)); }

bool rounds_to(double value, std::string_view printed) {
  constexpr double slack = 1 + 1e-9;  // of binary fractions
  const auto number = parse_number(printed);
  TUTTI_CHECK(number, "no number: " + std::string(printed));
  return std::abs(value - *number) <= half_digit(printed) * slack;
}

std::string as_printed(double value, std::string_view printed) {
  if (printed.find_first_of("eE") != printed.npos) {
    const std::string_view digits = printed.substr(0, printed.find_first_of("eE"));
    return fmt::format("{:.{}e}", value, decimals_of(digits));
  }
  return fmt::format("{:.{}f}", value, decimals_of(printed));
}

}  // namespace tutti::studies::papers

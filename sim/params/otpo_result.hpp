// SPDX-License-Identifier: BSD-3-Clause
// OTPO's result file: what its search found, best first. For each value from the best on (up to
// 5 % more) a block:
//   ================        a line of '='
//   12.34 2                 the value, and how many combinations have it
//   btl_openib_eager_limit 12288
//   ...                     a parameter and its value per line
//   ****                    a line of '*' ends a combination
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::params {

struct OtpoCombination {
  double value = 0;  // less is better
  std::vector<store::NamedText> parameters;
};

// In the file's order.
Result<std::vector<OtpoCombination>> read_otpo_result(std::string_view text, std::string_view file);
// True if the text begins as such a file does.
bool is_otpo_result(std::string_view text);

std::string otpo_result_text(const std::vector<OtpoCombination>& combinations);

}  // namespace tutti::studies::params

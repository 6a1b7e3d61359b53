// SPDX-License-Identifier: BSD-3-Clause
// OTPO's result file: the results of its search, best first. One block for each value, from the
// best one up to 5 % more:
//   ================        a line of '='
//   12.34 2                 the value, and the number of combinations that have it
//   btl_openib_eager_limit 12288
//   ...                     one parameter and its value per line
//   ****                    a line of '*' ends a combination
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::params {

struct OtpoCombination {
  double value = 0;  // lower is better; in the unit of OTPO's test
  std::vector<store::NamedText> parameters;
};

// The combinations in the order of the file.
Result<std::vector<OtpoCombination>> read_otpo_result(std::string_view text, std::string_view file);
// True if the text begins with a line of '='.
bool is_otpo_result(std::string_view text);

std::string otpo_result_text(const std::vector<OtpoCombination>& combinations);

}  // namespace tutti::studies::params

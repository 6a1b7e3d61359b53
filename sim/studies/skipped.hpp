// SPDX-License-Identifier: BSD-3-Clause
// Combinations of a product of lists that cannot be: 64 aggregators of 36 processes.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies {

struct Skipped {
  std::size_t count = 0;
  std::vector<Error> reasons;  // the first one of each place (and line)

  void add(const std::vector<Error>& errors);
};

// "3 combinations cannot run and are skipped: --aggregators: 64 aggregators are more than the 36
// processes; ...". Empty where there are none.
std::string skipped_text(const Skipped& skipped);

}  // namespace tutti::studies

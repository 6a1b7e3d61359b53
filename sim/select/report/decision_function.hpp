// SPDX-License-Identifier: BSD-3-Clause
// Rules as a C++ header that needs nothing: a function for each collective.
#pragma once

#include <string>
#include <vector>

#include "sim/select/rules.hpp"

namespace tutti::reports {

struct DecidedCollective {
  const studies::select::TimeTable* table = nullptr;
  // By message size as in CollectiveArgs.
  studies::select::RuleSet rules;
};

// `head`: comment lines without slashes.
std::string decision_functions(const std::vector<DecidedCollective>& collectives,
                               const std::vector<std::string>& head);

}  // namespace tutti::reports

// SPDX-License-Identifier: BSD-3-Clause
// Who decides which algorithm a call gets that names none: an MPI library's own choice, and what
// its user has changed of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/selection/dynamic_rules.hpp"

namespace tutti::algorithms::selection {

// Asked in this order: the algorithms named, the file, the fixed rules.
struct Selection {
  std::string rule_set = "ompi-4.1";                      // of rule_sets()
  std::shared_ptr<const DynamicRules> rules = {};         // null: there is no file
  std::map<std::string, Choice, std::less<>> named = {};  // by collective

  // Every collective of the rule set has a choice; what the file may say wrong for the collective
  // is in `wrong`.
  Choice choose(const Query& query) const;
  std::optional<Error> wrong(std::span<const std::string_view> collectives, int procs) const;
};

}  // namespace tutti::algorithms::selection

// SPDX-License-Identifier: BSD-3-Clause
// The fixed decision rules of Open MPI's coll/tuned as data (rules/*.toml, built into the library).
#pragma once

#include <string_view>
#include <vector>

#include "algorithms/collective.hpp"
#include "sim/base/result.hpp"

namespace tutti::algorithms::selection {

// What the rules look at.
struct Query {
  std::string_view collective;
  int procs = 1;
  Bytes message_bytes = 0;  // as in CollectiveArgs
  Bytes elements = 0;       // datatype elements
  bool commutative = true;  // the operation of a reduction
};

struct Choice {
  const Algorithm* algorithm = nullptr;
  Bytes segment_bytes = 0;
  int fanout = 0;
  int line = 0;  // of the file of dynamic rules that it comes from; 0: none
};

// Names of the rule sets: "ompi-4.1" (what `auto` means), "ompi-3.1".
std::vector<std::string_view> rule_sets();
// Error: unknown rule set, or a collective that the set has no table for.
Result<Choice> choose(std::string_view rule_set, const Query& query);

}  // namespace tutti::algorithms::selection

// SPDX-License-Identifier: BSD-3-Clause
// Writes files of dynamic rules as Open MPI reads them (dynamic_rules.hpp has the format).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace tutti::algorithms::selection {

// 4.1's; or that of 5.0: "rule-file-version-2", in which a rule has a fifth number, the limit of
// requests under way (0: none).
enum class RulesFormat : unsigned char { open_mpi_4_1, open_mpi_5_0 };

struct WrittenRule {
  Bytes from_bytes = 0;  // as rules_file_bytes counts; a size's first rule has 0
  int algorithm = 0;     // Open MPI's id; 0: its fixed rules decide
  int fanout = 0;
  Bytes segment_bytes = 0;
  int max_requests = 0;
  std::string comment = {};  // one line
};

struct WrittenSize {
  int from_procs = 0;
  std::vector<WrittenRule> rules;
};

struct WrittenCollective {
  std::string collective;          // one that obeys_rules_file
  std::vector<WrittenSize> sizes;  // ascending, as are the rules of each
};

// What a user of Open MPI 5.0 must know of rules and forced algorithms of coll_tuned: priorities of
// ompi/mca/coll/han (35) and tuned (30), pull request 11389.
inline constexpr std::string_view han_goes_first =
    "Open MPI 5.0 asks its component han before tuned: between nodes, collectives that han has "
    "follow this only with --mca coll ^han";

// `head`: comment lines without '#'. Behind them 5.0's file has the sentence above.
std::string rules_file_text(const std::vector<WrittenCollective>& collectives, RulesFormat format,
                            const std::vector<std::string>& head);

}  // namespace tutti::algorithms::selection

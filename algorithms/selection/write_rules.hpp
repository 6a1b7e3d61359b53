// SPDX-License-Identifier: BSD-3-Clause
// Writes files of dynamic rules as Open MPI reads them (dynamic_rules.hpp has the format).
#pragma once

#include "algorithms/selection/decision.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

// The terms of Open MPI's file of dynamic rules (coll_tuned_dynamic_rules_filename): numbers of
// collectives, and what its message sizes count. Its reader and its writer share them.

// By Open MPI's number of the collective, from 0; nothing where there is none.
std::optional<std::string_view> collective_numbered(std::int64_t number);
// Nothing for what is no collective there.
std::optional<int> rules_file_number(std::string_view collective);
inline constexpr std::int64_t most_numbered = 17;

// Whether coll/tuned asks the file for the collective at all: not for gatherv and scatterv.
bool applies_rules_file(std::string_view collective);

// What the file's message sizes count for the call; without regard to the message for some.
Bytes rules_file_bytes(const Query& query);
// The same in words: "bytes of the vector".
std::string_view rules_file_bytes_mean(std::string_view collective);

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
  std::string collective;          // one that applies_rules_file
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

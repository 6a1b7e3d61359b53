// SPDX-License-Identifier: BSD-3-Clause
// The terms of Open MPI's file of dynamic rules (coll_tuned_dynamic_rules_filename): numbers of
// collectives, and what its message sizes count. Its reader and its writer share them.
#pragma once

#include <optional>
#include <string_view>

#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::selection {

// By Open MPI's number of the collective, from 0; nothing where there is none.
std::optional<std::string_view> collective_numbered(std::int64_t number);
// Nothing for what is no collective there.
std::optional<int> rules_file_number(std::string_view collective);
inline constexpr std::int64_t most_numbered = 17;

// Whether coll/tuned asks the file for the collective at all: not for gatherv and scatterv.
bool obeys_rules_file(std::string_view collective);

// What the file's message sizes count for the call; without regard to the message for some.
Bytes rules_file_bytes(const Query& query);
// The same in words: "bytes of the vector".
std::string_view rules_file_bytes_mean(std::string_view collective);

}  // namespace tutti::algorithms::selection
